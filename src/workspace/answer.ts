/** What comes back from a done change: a message for the model, and data for programs. */

import { textFile } from '../text/document.ts';
import { linesOf } from '../text/lines.ts';
import { type LineRange, snippet, snippetLines } from '../text/snippet.ts';
import { type Delta, joinedDiff } from './deltas.ts';

/** Every tool answers in these two parts. */
export interface Answer<Data = Record<string, unknown>> {
  message: string;
  data: Data;
}

/** One file of a done change. Sizes in bytes; lines counted as a diff counts them. */
export interface DonePath {
  path: string;
  kind: Delta['kind'];
  from?: string;
  /** The blob id of the new content; `null` when the file is gone. */
  version: string | null;
  added: number;
  removed: number;
  bytes_before: number;
  bytes_after: number;
}

export interface DoneData {
  op: string;
  /** The ref that holds the commit. */
  trail: string;
  /** The first line of the commit's message. */
  subject: string;
  /** `null` for a dry run. */
  commit: string | null;
  parent: string | null;
  paths: DonePath[];
  diff: string;
  /** The commit that recorded changes made outside the engine, before this one. */
  outside?: { commit: string | null; paths: string[] };
  dry_run?: true;
  /** The request was carried out before, under the same edit_id. */
  repeated?: true;
  /** What was put up with, or what this did not cover. */
  notes?: string[];
  warnings?: string[];
}

/** A change with its commits, as far as the answer tells of it. */
export interface Made {
  /** The commit of the edit, and its first parent. */
  commit: string;
  parent: string | null;
  /** The commit that recorded outside changes, when there were some. */
  outside: { commit: string; paths: string[] } | null;
  subject: string;
  /** The ref that the commit is for. */
  trail: string;
  deltas: readonly Delta[];
  notes: readonly string[];
  /** Files whose whole text the request itself gave. */
  written?: ReadonlySet<string> | undefined;
}

export interface DoneHow {
  dryRun?: boolean;
  repeated?: boolean;
}

/** So many files are shown in the message; of the others it says that the diff has them. */
const SNIPPETS = 5;

/** What a caller knows by an answer of a file as it is afterwards: all of it, or the lines that the message shows. */
export type Known = 'all' | readonly LineRange[];

/** The answer, the deltas it was made of, and by path what is known of each file by it. */
export type Done = Answer<DoneData> & { deltas: readonly Delta[]; known: ReadonlyMap<string, Known> };

/** The same answer with what went wrong after the edit was made. */
export function withWarnings(done: Done, warnings: readonly string[]): Done {
  if (warnings.length === 0) return done;
  const message = [done.message, ...warnings.map(warning => `Warning: ${warning}`)].join('\n');
  return { ...done, message, data: { ...done.data, warnings: [...warnings] } };
}

/** Of a change about to be made, or of one found in history. */
export function answerDone(op: string, made: Made, how: DoneHow): Done {
  const { deltas, notes, written, ...commits } = made;
  const data: DoneData = {
    op,
    trail: commits.trail,
    subject: commits.subject,
    commit: how.dryRun ? null : commits.commit,
    parent: commits.parent,
    paths: deltas.map(donePath),
    diff: joinedDiff(deltas),
  };
  if (commits.outside) data.outside = { ...commits.outside, ...(how.dryRun ? { commit: null } : {}) };
  if (how.dryRun) data.dry_run = true;
  if (how.repeated) data.repeated = true;
  if (notes.length > 0) data.notes = [...notes];
  const snippets = deltas.slice(0, SNIPPETS).map(shown);
  const known = new Map<string, Known>(snippets.map(({ path, lines }) => [path, lines]));
  for (const path of written ?? []) known.set(path, 'all');
  return { message: doneMessage(op, data, deltas, snippets), data, deltas, known };
}

export function donePath(delta: Delta): DonePath {
  const { path, kind, from, before, after, added, removed } = delta;
  return {
    path,
    kind,
    ...(from === null ? {} : { from }),
    version: after?.version ?? null,
    added,
    removed,
    bytes_before: before?.bytes.length ?? 0,
    bytes_after: after?.bytes.length ?? 0,
  };
}

const VERBS = { create: 'created', modify: 'edited', delete: 'deleted', move: 'moved' } as const;

function doneMessage(
  op: string,
  data: DoneData,
  deltas: readonly Delta[],
  snippets: ReadonlyArray<{ text: string[] }>,
): string {
  const lines = deltas.map(
    delta => `${VERBS[delta.kind]} ${nameOf(delta)} (+${delta.added} -${delta.removed})`,
  );
  const head = data.dry_run
    ? `Dry run of ${op}, nothing written. It would give:`
    : `${op} done, commit ${data.commit!.slice(0, 12)}:`;
  const parts = [
    data.repeated ? `${head} (this edit_id was done before; nothing was done again)` : head,
    ...lines,
  ];
  if (data.outside)
    parts.push(`Changes made outside the engine were recorded first: ${data.outside.paths.join(', ')}.`);
  for (const { text } of snippets) parts.push(...text);
  if (deltas.length > SNIPPETS) parts.push(`[${deltas.length - SNIPPETS} more files: see the diff]`);
  for (const note of data.notes ?? []) parts.push(`Note: ${note}`);
  return parts.join('\n');
}

function nameOf(delta: Delta): string {
  return delta.from === null ? delta.path : `${delta.from} to ${delta.path}`;
}

/** The changed region with its new line numbers, and which lines those are; of an empty file, that it has none. */
function shown(delta: Delta): { path: string; text: string[]; lines: LineRange[] } {
  const { after, lines, path, kind } = delta;
  if (!after || lines.length === 0 || kind === 'create') return { path, text: [], lines: [] };
  const ranges = lines.map(change => ({ start: change.newStart + 1, end: change.newEnd }));
  const now = textFile(path, after.bytes, after.version).text;
  const { count } = linesOf(now);
  if (count === 0) return { path, text: [], lines: [{ start: 1, end: 0 }] };
  return { path, text: [`${path} now:`, snippet(now, ranges)], lines: snippetLines(count, ranges) };
}

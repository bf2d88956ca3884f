/** What comes back from a done change: a message for the model, and data for programs. */

import { textFile } from '../text/document.ts';
import { snippet } from '../text/snippet.ts';
import { counted, listedSome } from '../text/words.ts';
import { type Delta, joinedDiff } from './deltas.ts';
import { statWords } from './stat-words.ts';

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
  /** The commit's first parent; of a dry run, the newest commit that there is. */
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
}

export interface DoneHow {
  dryRun?: boolean;
  repeated?: boolean;
}

/** So many files are shown in the message, so many lines of each and of all, and so much of a line. */
const SNIPPETS = 5;
const FILE_LINES = 60;
const SNIPPET_LINES = 120;
const LONG_LINE = 240;
/** So many names and notes of a kind are told. */
const TOLD = 20;

/** The answer, and the deltas it was made of. */
export type Done = Answer<DoneData> & { deltas: readonly Delta[] };

/** The same answer with what went wrong after the edit was made. */
export function withWarnings(done: Done, warnings: readonly string[]): Done {
  if (warnings.length === 0) return done;
  const message = [done.message, ...warnings.map(warning => `Warning: ${warning}`)].join('\n');
  return { ...done, message, data: { ...done.data, warnings: [...warnings] } };
}

/** Of a change about to be made, or of one found in history. */
export function answerDone(op: string, made: Made, how: DoneHow): Done {
  const { deltas, notes, ...commits } = made;
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
  return { message: doneMessage(op, data, deltas), data, deltas };
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

function doneMessage(op: string, data: DoneData, deltas: readonly Delta[]): string {
  const head = data.dry_run
    ? `Dry run of ${op}, nothing written. It would give:`
    : `${op} done, commit ${data.commit!.slice(0, 12)}:`;
  const parts = [
    data.repeated ? `${head} (this edit_id was done before; nothing was done again)` : head,
    // What a dry run would make is no version that a call could cite.
    ...statWords(data.dry_run ? data.paths.map(one => ({ ...one, version: null })) : data.paths),
  ];
  if (data.outside)
    parts.push(
      `Changes made outside the engine were recorded first: ${listedSome(data.outside.paths, TOLD)}.`,
    );
  parts.push(...snippets(data, deltas));
  const notes = data.notes ?? [];
  for (const note of notes.slice(0, TOLD)) parts.push(`Note: ${note}`);
  if (notes.length > TOLD) parts.push(`[and ${counted(notes.length - TOLD, 'more note')}]`);
  return parts.join('\n');
}

/** The changed regions of the first files that have some, within the limits. */
function snippets(data: DoneData, deltas: readonly Delta[]): string[] {
  const parts: string[] = [];
  let left = SNIPPET_LINES;
  let files = 0;
  for (const delta of deltas.filter(hasSnippet)) {
    if (files === SNIPPETS || left <= 0) break;
    const text = snippetOf(delta, left);
    files++;
    if (text === '') continue;
    parts.push(`${delta.path} now:`, text);
    left -= text.split('\n').length;
  }
  const more = deltas.filter(hasSnippet).length - files;
  if (more <= 0) return parts;
  const where = data.commit ? `: show ${data.commit.slice(0, 12)} has what changed in them` : '';
  return [...parts, `[${counted(more, 'more file')}${where}]`];
}

function hasSnippet({ after, lines, kind }: Delta): boolean {
  return after !== null && lines.length > 0 && kind !== 'create';
}

/** The changed region with its new line numbers. */
function snippetOf({ after, lines, path }: Delta, left: number): string {
  const ranges = lines.map(change => ({ start: change.newStart + 1, end: change.newEnd }));
  const text = textFile(path, after!.bytes, after!.version).text;
  return snippet(text, ranges, { maxLines: Math.min(left, FILE_LINES), maxLineLength: LONG_LINE });
}

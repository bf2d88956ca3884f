/** Makes the answer to a done change: a message for the model, and data for programs. */

import { isRedo } from '../operations.ts';
import { textFile } from '../text/document.ts';
import { linesOf } from '../text/lines.ts';
import { type LineRange, snippet } from '../text/snippet.ts';
import { counted, cutLine, listedSome } from '../text/words.ts';
import { fieldName, ifTool, pathName, shortId, toolName } from '../wording.ts';
import { statWords } from './diff-words.ts';
import { editorName } from './editor-name.ts';
import { type FileDiff, joinedDiff } from './file-diffs.ts';

/** Every tool answers in these two parts. */
export interface Answer<Data = Record<string, unknown>> {
  message: string;
  data: Data;
}

/** One file of a done change. Sizes in bytes; lines counted as a diff counts them. */
export interface DonePath {
  path: string;
  kind: FileDiff['kind'];
  from?: string;
  /** The blob id of the new content; `null` when the file is gone. */
  version: string | null;
  added: number;
  removed: number;
  bytes_before: number;
  bytes_after: number;
}

/** An edit of the trail that a way back is about. */
export interface EditAbout {
  commit: string;
  subject: string;
  /** The reason given with it; '' for none. */
  reason: string;
  author: string;
  agent: string | null;
  session: string | null;
  /** ISO 8601, UTC. */
  time: string;
  /** The commit of HEAD's history that has it, so that it is a change of that to take it back; `null`: it has not landed. */
  landed_in: string | null;
}

export interface DoneData {
  /** The edit's name, or `write`: a `create` over a file that was there. */
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
  /** The request was carried out before, under the same edit_id, or as the same tool call. */
  repeated?: true;
  /** True of a repeated request when what it did was taken back since. */
  undone?: true;
  /** The edits that an undo or a revert took back, or a redo put back; the newest first. */
  edits?: EditAbout[];
  /** Says what was put up with, or what this did not cover. */
  notes?: string[];
  warnings?: string[];
}

/** A change with its commits, as far as the answer tells of it. */
export interface Made {
  /** The operation, as history names it. */
  op: string;
  /** The tool that was called, where its name is not that of the operation. */
  tool?: string;
  /** The commit of the edit, and its first parent. */
  commit: string;
  parent: string | null;
  /** The commit that recorded outside changes, when there were some. */
  outside: { commit: string; paths: string[] } | null;
  subject: string;
  /** The ref that the commit is for. */
  trail: string;
  fileDiffs: readonly FileDiff[];
  notes: readonly string[];
  /** See DoneData.edits. */
  edits?: readonly EditAbout[] | undefined;
  /** Files whose whole text the request itself gave. */
  written?: ReadonlySet<string> | undefined;
}

export interface DoneHow {
  dryRun?: boolean;
  repeated?: Repeated;
}

/** The state of the change that a repeated request made before. */
export interface Repeated {
  /** The id that tells so: the caller's own for the request, or that of the tool call. */
  by: 'edit_id' | 'call';
  undone: boolean;
  /** Its paths that no longer hold what it left there. */
  changed: ReadonlySet<string>;
}

/** Limits of a message: files whose lines it shows, lines of each and of all, and characters of a line. */
const SNIPPETS = 5;
const FILE_LINES = 60;
const SNIPPET_LINES = 120;
const LONG_LINE = 240;
/** The most names and notes of a kind that are told. */
const TOLD = 20;

/**
 * The lines of a file as it is afterwards that a caller knows by an answer: all of it, or those that the message shows.
 */
export type ShownLines = 'all' | readonly LineRange[];

/** The answer, the deltas it was made of, and by path what is known of each file by it. */
export type Done = Answer<DoneData> & {
  fileDiffs: readonly FileDiff[];
  known: ReadonlyMap<string, ShownLines>;
};

/** The answer, with what went wrong after the edit was made. */
export function withWarnings(done: Done, warnings: readonly string[]): Done {
  if (warnings.length === 0) return done;
  const message = [done.message, ...warnings.map(warning => `Warning: ${warning}`)].join('\n');
  return { ...done, message, data: { ...done.data, warnings: [...warnings] } };
}

/** Makes the answer to a change that is about to be made, or was found in history. */
export function answerDone(made: Made, how: DoneHow): Done {
  const { op, tool = op, fileDiffs, notes, written, edits = [], ...commits } = made;
  const data: DoneData = {
    op,
    trail: commits.trail,
    subject: commits.subject,
    commit: how.dryRun ? null : commits.commit,
    parent: commits.parent,
    paths: fileDiffs.map(donePath),
    diff: joinedDiff(fileDiffs),
  };
  if (commits.outside) data.outside = { ...commits.outside, ...(how.dryRun ? { commit: null } : {}) };
  if (how.dryRun) data.dry_run = true;
  if (how.repeated) data.repeated = true;
  if (how.repeated?.undone) data.undone = true;
  if (edits.length > 0) data.edits = [...edits];
  if (notes.length > 0) data.notes = [...notes];
  const changed = how.repeated?.changed;
  const present = changed ? fileDiffs.filter(({ path }) => !changed.has(path)) : fileDiffs;
  const shown = regionsShown(data.commit, present);
  const known = new Map<string, ShownLines>(shown.lines);
  for (const path of written ?? []) known.set(path, 'all');
  return { message: doneMessage(tool, data, shown, how.repeated), data, fileDiffs, known };
}

export function donePath(fileDiff: FileDiff): DonePath {
  const { path, kind, from, before, after, added, removed } = fileDiff;
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

function doneMessage(tool: string, data: DoneData, shown: Shown, repeated?: Repeated): string {
  const { op } = data;
  const head = data.dry_run
    ? `Dry run of ${toolName(tool)}, nothing written. It would give:`
    : `${toolName(tool)} done, commit ${shortId(data.commit!)}:`;
  const parts = [
    repeated
      ? `${head} (this ${repeated.by === 'call' ? 'call' : fieldName('edit_id')} was done before; nothing was done again)`
      : head,
    ...statWords(
      // What a dry run would make is no version that a call could cite, nor what a file holds no more.
      data.paths.map(one =>
        data.dry_run || repeated?.changed.has(one.path) ? { ...one, version: null } : one,
      ),
      op,
    ),
  ];
  if (data.edits) parts.push(...aboutLines(op, data.edits));
  if (data.outside)
    parts.push(
      `Changes that did not come through vedit ${data.dry_run ? 'would be' : 'were'} recorded first: ${listedSome(data.outside.paths.map(pathName), TOLD)}.`,
    );
  parts.push(...(data.dry_run ? boundedDiff(data.diff) : shown.text));
  const notes = data.notes ?? [];
  for (const note of notes.slice(0, TOLD)) parts.push(`Note: ${note}`);
  if (notes.length > TOLD) parts.push(`[and ${counted(notes.length - TOLD, 'more note')}]`);
  return parts.join('\n');
}

/** The most lines of the diff that a dry run shows. */
const DIFF_LINES = 200;

/** Returns the diff of a dry run within its limits: the lines as they would be do not show what would go. */
function boundedDiff(diff: string): string[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, DIFF_LINES).map(line => cutLine(line, LONG_LINE));
  const more = lines.length - shown.length;
  return more > 0
    ? [...shown, `[cut: ${shown.length} of ${lines.length} lines of this diff are shown]`]
    : shown;
}

/** Names the edits that a way back is about, and who made them. */
function aboutLines(op: string, edits: readonly EditAbout[]): string[] {
  const what = isRedo(op) ? 'Put back' : 'Took back';
  const lines = edits
    .slice(0, TOLD)
    .map(one => `${what} ${shortId(one.commit)} ${one.subject} (${editorName(one)}).`);
  return edits.length > TOLD ? [...lines, `[and ${edits.length - TOLD} more]`] : lines;
}

/** The regions that a message shows, and by path which lines those are. */
interface Shown {
  text: string[];
  lines: Map<string, readonly LineRange[]>;
}

/** The changed regions of the first files that have some, within the limits. */
function regionsShown(commit: string | null, fileDiffs: readonly FileDiff[]): Shown {
  const shown: Shown = { text: [], lines: new Map() };
  let left = SNIPPET_LINES;
  let files = 0;
  const changed = fileDiffs.filter(
    ({ after, lines, kind }) => after && lines.length > 0 && kind !== 'create',
  );
  for (const fileDiff of changed) {
    if (files === SNIPPETS || left <= 0) break;
    files++;
    const { text, lines } = regionShown(fileDiff, left);
    shown.lines.set(fileDiff.path, lines);
    if (text === '') continue;
    shown.text.push(`${pathName(fileDiff.path)} now:`, text);
    left -= text.split('\n').length;
  }
  const more = changed.length - files;
  if (more === 0) return shown;
  const where = commit ? ifTool('show', tool => `: ${tool} ${shortId(commit)} has what changed in them`) : '';
  shown.text.push(`[${counted(more, 'more file')}${where}]`);
  return shown;
}

/** The changed region with its new line numbers, and which lines those are; of an empty file, that it has none. */
function regionShown({ path, after, lines }: FileDiff, left: number): { text: string; lines: LineRange[] } {
  const ranges = lines.map(change => ({ start: change.newStart + 1, end: change.newEnd }));
  const now = linesOf(textFile(path, after!.bytes, after!.version).text);
  if (now.count === 0) return { text: '', lines: [{ start: 1, end: 0 }] };
  const options = { maxLines: Math.min(left, FILE_LINES), maxLineLength: LONG_LINE };
  const { text, shown } = snippet(now, ranges, options);
  return { text, lines: shown };
}

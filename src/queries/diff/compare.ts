/** diff: the difference between two points of history, or between the newest and the files as they are. */

import { readableDiffs } from '../../engine/admission/policy/readable.ts';
import type { Answer } from '../../engine/answer.ts';
import { syncedSnapshot } from '../../engine/change/sync.ts';
import { commitDiffs, concerns, eachTreeDiff } from '../../engine/commit-diffs.ts';
import { type Context, namedPath, toTrail } from '../../engine/context.ts';
import { diffWords, type FileStat, fileStats } from '../../engine/diff-words.ts';
import { type FileDiff, fileDiffOf, joinedDiff } from '../../engine/file-diffs.ts';
import { checkPathThere } from '../../engine/files/missing.ts';
import { outsideChanges } from '../../engine/files/outside.ts';
import { findCommit } from '../../engine/revision.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { findTurn } from '../../engine/trails/turns.ts';
import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { preflight } from '../../git/repository/preflight.ts';
import type { TrailHead } from '../../history/head.ts';
import { readEntry, type TrailEntry, treeOf, walkRows } from '../../history/walk.ts';
import { fieldName, look, shortId, toolName } from '../../wording.ts';
import type { DiffOptions } from '../read-options.ts';

export interface DiffData {
  from: string | null;
  /** The newer commit; `null` for the files as they are. */
  to: string | null;
  diff: string;
  paths: FileStat[];
  /** The number of files that were looked at for outside changes, and those that cannot be read. */
  checked_paths?: number;
  unreadable?: Array<{ path: string; code: string }>;
}

/**
 * Compares two points of history. Without `from`, what the agents did beside the branch (or, on a checked-out trail, the
 * last commit); without `to`, up to the trail's head.
 */
export async function diff(context: Context, options: DiffOptions): Promise<Answer<DiffData>> {
  const trail = await openTrail(context);
  if (options.turn !== undefined) return turnDiff(context, options.turn, options);
  if (options.outside) return outsideDiff(context, trail, options);
  const to = options.to === undefined ? trail.parent : await findCommit(context, trail, options.to);
  const from =
    options.from === undefined
      ? await defaultFrom(context, trail)
      : await findCommit(context, trail, options.from);
  const [a, b] = [from && (await treeOf(context.objects, from)), to && (await treeOf(context.objects, to))];
  const only = await folderOf(context, options.path);
  const files: ShownFile[] = [];
  const layers = await context.policies.layers();
  for await (const fileDiff of eachTreeDiff(context, a, b, layers, only)) files.push(shownFile(fileDiff));
  if (only && files.length === 0) await checkPath(context, trail, only, [a, b]);
  return answerDiff({ from, to }, files, 'No difference.');
}

/** A file or folder of the workspace; `undefined` for all of it. */
async function folderOf(context: Context, path: string | undefined): Promise<string | undefined> {
  return (path && (await namedPath(context, path, { folder: true }))) || undefined;
}

/** The part of one file that is told, without its contents: between two releases thousands may have changed. */
interface ShownFile {
  diff: string;
  stat: FileStat;
}

function shownFile(fileDiff: FileDiff): ShownFile {
  return { diff: fileDiff.diff, stat: fileStats([fileDiff])[0]! };
}

/** Throws FILE_NOT_FOUND for a path that is nowhere: it is a slip, and not a file that did not change. */
async function checkPath(
  context: Context,
  trail: TrailHead,
  path: string,
  trees: ReadonlyArray<string | null>,
): Promise<void> {
  for (const tree of trees) if (tree && (await lookup(context.objects, tree, toTrail(context, path)))) return;
  await checkPathThere(await syncedSnapshot(context, trail), path);
}

async function defaultFrom(context: Context, trail: TrailHead): Promise<string | null> {
  if (!trail.checkedOut) return trail.seen;
  return trail.parent ? ((await readEntry(context.objects, trail.parent)).parents[0] ?? null) : null;
}

async function turnDiff(
  context: Context,
  turn: string,
  { from, to, path, outside }: DiffOptions,
): Promise<Answer<DiffData>> {
  if ([from, to, outside].some(one => one !== undefined)) {
    const words = `A turn says what is compared: leave ${['from', 'to', 'outside'].map(fieldName).join(', ')} out.`;
    throw new EditError('INVALID_INPUT', words, { field: 'turn' });
  }
  const only = await folderOf(context, path);
  const entries = await turnEntries(context, turn);
  const files = (await turnDiffs(context, entries, only)).map(shownFile);
  const ends = { from: entries[0]!.parents[0] ?? null, to: entries.at(-1)!.commit };
  return answerDiff(ends, files, 'No difference.');
}

async function outsideDiff(
  context: Context,
  trail: TrailHead,
  options: DiffOptions,
): Promise<Answer<DiffData>> {
  if (options.from !== undefined || options.to !== undefined) {
    const words = '"outside" compares the files with the newest commit: leave "from" and "to" out.';
    throw new EditError('INVALID_INPUT', words, { field: 'outside' });
  }
  await preflight(context.repo);
  const { changes, checked } = await outsideChanges(await syncedSnapshot(context, trail), options.path);
  const unreadable = changes.flatMap(({ path, unreadable: code }) => (code ? [{ path, code }] : []));
  const readable = changes.filter(change => !change.unreadable);
  const fileDiffs = readable.map(({ path, before, after }) => fileDiffOf(path, null, before, after));
  const shown = await readableDiffs(context, fileDiffs, await context.policies.layers());
  const { message, data } = answerDiff(
    { from: trail.parent, to: null },
    shown.map(shownFile),
    unreadable.length > 0
      ? ''
      : `Nothing but vedit changed ${checked === 1 ? 'the file' : `the ${checked} files`} looked at.`,
  );
  const notices = unreadable.map(({ path, code }) => `[${path} changed and cannot be read: ${code}]\n`);
  return { message: message + notices.join(''), data: { ...data, checked_paths: checked, unreadable } };
}

function answerDiff(
  ends: Pick<DiffData, 'from' | 'to'>,
  files: readonly ShownFile[],
  none: string,
): Answer<DiffData> {
  const text = joinedDiff(files);
  const paths = files.map(({ stat }) => stat);
  const at = ends.to === null ? '' : ` ${fieldName('at')} "${shortId(ends.to)}" and`;
  const lines = `${look()} a file with${at} a ${fieldName('view_range')} for any lines`;
  const rest = `${toolName('diff')} with a ${fieldName('path')} shows one file; ${lines}`;
  return { message: diffWords(text, paths, rest) || none, data: { ...ends, diff: text, paths } };
}

/** The commits of a turn, the oldest first. Throws INVALID_INPUT for a turn that there is not. */
async function turnEntries(context: Context, given: string): Promise<TrailEntry[]> {
  const turn = await findTurn(context, given);
  const { tip, checkedOut } = await openTrail(context);
  const found: string[] = [];
  for await (const rows of walkRows(context.objects, tip, { ownOnly: !checkedOut }))
    for (const row of rows) if (row.turn === turn) found.push(row.commit);
  return Promise.all(found.reverse().map(commit => readEntry(context.objects, commit)));
}

/** `only`: a file or folder of the workspace, as it was called at some moment of the turn. */
async function turnDiffs(
  context: Context,
  entries: readonly TrailEntry[],
  only?: string,
): Promise<FileDiff[]> {
  const found: FileDiff[] = [];
  const layers = await context.policies.layers();
  for (const entry of entries)
    for (const next of await commitDiffs(context, entry, undefined, layers)) {
      const at = found.findLastIndex(one => one.path === (next.from ?? next.path));
      const known = found[at];
      if (known && isFastForward(known, next)) found.splice(at, 1, joined(known, next));
      else found.push(next);
    }
  const wanted = found.filter(one => one.before?.version !== one.after?.version && concerns(one, only));
  return readableDiffs(context, wanted, layers);
}

/** True where the file is still what it was made. */
function isFastForward({ after }: FileDiff, { before }: FileDiff): boolean {
  return after?.version === before?.version && after?.mode === before?.mode;
}

function joined(first: FileDiff, { path, after }: FileDiff): FileDiff {
  const was = first.from ?? first.path;
  const from = first.before && after && was !== path ? was : null;
  return fileDiffOf(path, from, first.before, after);
}

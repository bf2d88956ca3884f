/** The hunks that a caller names by a commit, a path and lines: found in the present file, wherever the lines are by now. */

import type { Snapshot } from '../../engine/files/snapshot.ts';
import { changesAt, compare, cutAt, type HunkLines } from '../../engine/rejections/compare.ts';
import { type Author, commitsSince } from '../../engine/rejections/people.ts';
import { type Side, same, side } from '../../engine/rejections/side.ts';
import { EditError } from '../../errors.ts';
import type { Row } from '../../line/row.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { treeOf } from '../../trail/walk.ts';
import { pathName, shortId } from '../../wording.ts';
import { type Review, sideAt } from '../accepted/accepted-text.ts';
import type { NamedHunks } from '../options.ts';
import { OpenFiles } from '../unreviewed-files.ts';
import { nothingIn } from './nothing-left.ts';
import type { HunkMaker, UnreviewedFile, UnreviewedHunk } from './unreviewed.ts';

export interface FoundHunks {
  file: UnreviewedFile;
  hunks: UnreviewedHunk[];
  /** The file at the commit that names the lines, where they are others by now. */
  read: Side | null;
  /** The edits that came to these lines since that commit. */
  since: Author[];
}

/** Finds the hunks that are named. Throws NO_CHANGE where there are none (any more), FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT. */
export async function findHunks(
  review: Review,
  path: string,
  named: NamedHunks,
  open?: OpenFiles,
): Promise<FoundHunks> {
  const files = open ?? (await OpenFiles.at(review, [path]));
  const file = (await files.unreviewed()).find(one => one.path === path);
  if (!file) throw await nothingIn(review, path);
  const found = await hunksNamed(review, files.maker, file, named);
  if (found.hunks.length === 0) throw await nothingIn(review, path, named.lines);
  return found;
}

async function hunksNamed(
  review: Review,
  maker: HunkMaker,
  file: UnreviewedFile,
  named: NamedHunks,
): Promise<FoundHunks> {
  const { lines, at } = named;
  const read = lines ? await textRead(review, file, named) : null;
  if (!lines || !read || read.text === null || file.present.text === null || same(read, file.present))
    return { ...(await hunksAt(maker, file, lines)), read: null, since: [] };
  const { now, isTouched } = followed(compare(read.text, file.present.text).changes, lines);
  const found = await hunksAt(maker, file, now);
  if (!isTouched) return { ...found, read: null, since: [] };
  const { snapshot } = review;
  const commit = at === undefined ? null : await snapshot.commit(at);
  const newer = commit === null ? null : await commitsSince(snapshot, commit);
  const authors = new Set(found.hunks.flatMap(hunk => [...hunk.authors]));
  const since = [...authors].filter(one => one === null || (newer?.has(one.commit) ?? true));
  return { ...found, read, since };
}

/** Reads the text that the lines are of; `null`: the present one. Throws STALE where nothing holds it any more. */
async function textRead(
  { snapshot }: Review,
  file: UnreviewedFile,
  { at, version }: NamedHunks,
): Promise<Side | null> {
  const { context } = snapshot;
  const { objects } = context;
  if (version !== undefined && version === file.present.file?.version) return null;
  const blob = version === undefined ? null : await objects.readOrNull(version);
  if (blob?.type === 'blob') return side({ bytes: blob.content, mode: '100644', version: version! });
  if (at === undefined && version === undefined) return null;
  if (version !== undefined) throw unknownVersion(snapshot, file, version);
  const tree = await treeOf(objects, await snapshot.commit(at!));
  return sideAt(context, tree, file.path);
}

function unknownVersion({ shown }: Snapshot, { name, present }: UnreviewedFile, version: string): EditError {
  const words = `${pathName(name)} was changed since these lines were read, and nothing holds its version ${shortId(version)}. List the review again.`;
  return new EditError('STALE', words, {
    path: name,
    version: present.file?.version ?? null,
    commit: shown.parent,
    base: null,
    base_version: version,
    diff: null,
    changed_by: [],
  });
}

/** Finds the hunks at these lines, and cuts those of the file that hold more lines: each part has its own authors. */
async function hunksAt(
  maker: HunkMaker,
  whole: UnreviewedFile,
  lines: HunkLines | undefined,
): Promise<{ file: UnreviewedFile; hunks: UnreviewedHunk[] }> {
  if (!lines || !whole.compared) return { file: whole, hunks: whole.hunks };
  const compared = cutAt(whole.compared, lines);
  const file = { ...whole, compared };
  if (compared.changes.length > whole.compared.changes.length) {
    const hunks = compared.changes.map(change => {
      const known = whole.hunks.find(one => one.change === change);
      return known ?? maker.hunk(file, change, rowsOfChange(whole, change));
    });
    file.hunks = (await Promise.all(hunks)).filter(hunk => hunk !== null);
  }
  const named = new Set(changesAt(compared.changes, lines));
  return { file, hunks: file.hunks.filter(({ change }) => change === null || named.has(change)) };
}

function rowsOfChange({ rows }: UnreviewedFile, { oldStart, oldEnd, newStart, newEnd }: LineChange): Row[] {
  return [...new Set([...rows.old.slice(oldStart, oldEnd), ...rows.now.slice(newStart, newEnd)])];
}

/** Returns the file with its hunks at these lines alone, cut at them. */
export async function cutFile(
  maker: HunkMaker,
  whole: UnreviewedFile,
  lines: HunkLines | undefined,
): Promise<UnreviewedFile> {
  const { file, hunks } = await hunksAt(maker, whole, lines);
  return { ...file, hunks };
}

/** Finds the lines in the newer text, and whether anything was changed in them or right beside them. */
function followed(
  changes: readonly LineChange[],
  { start_line, end_line }: HunkLines,
): { now: HunkLines; isTouched: boolean } {
  const touching = changes.filter(({ oldStart, oldEnd }) => oldStart <= end_line && oldEnd >= start_line - 1);
  const shift = sum(changes.filter(({ oldEnd }) => oldEnd < start_line - 1));
  const start = Math.min(start_line - 1 + shift, ...touching.map(({ newStart }) => newStart));
  const end = Math.max(end_line + shift + sum(touching), ...touching.map(({ newEnd }) => newEnd));
  return { now: { start_line: start + 1, end_line: end }, isTouched: touching.length > 0 };
}

function sum(changes: readonly LineChange[]): number {
  return changes.reduce(
    (all, { oldStart, oldEnd, newStart, newEnd }) => all + (newEnd - newStart) - (oldEnd - oldStart),
    0,
  );
}

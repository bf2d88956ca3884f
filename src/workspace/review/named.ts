/** The hunks that a caller names by a commit, a path and lines: found in the present file, wherever the lines are by now. */

import { EditError } from '../../errors.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { treeOf } from '../../trail/walk.ts';
import { pathName } from '../../wording.ts';
import { changesAt, compare, type HunkLines } from './hunks.ts';
import type { NamedHunks } from './options.ts';
import { type Author, commitsSince } from './people.ts';
import { filesAt, type Review, type Side, sideAt } from './reviewed.ts';
import { hunksIn, type UnreviewedFile, type UnreviewedHunk } from './unreviewed.ts';

export interface FoundHunks {
  file: UnreviewedFile;
  hunks: UnreviewedHunk[];
  /** The file at the commit that names the lines, where they are others by now. */
  read: Side | null;
  /** What came to these lines since that commit. */
  since: Author[];
}

/** Throws NO_CHANGE where there is no such hunk (any more), INVALID_INPUT. */
export async function findHunks(review: Review, path: string, named: NamedHunks): Promise<FoundHunks> {
  const [file] = await hunksIn(review, await filesAt(review, [path]));
  if (!file || file.hunks.length === 0) throw reviewedAlready(review, path);
  const found = await hunksNamed(review, file, named);
  if (found.hunks.length === 0) throw reviewedAlready(review, path, named.lines);
  return found;
}

async function hunksNamed(review: Review, file: UnreviewedFile, named: NamedHunks): Promise<FoundHunks> {
  const { lines, at, version } = named;
  const { snapshot } = review;
  const isPresent = at === undefined || (version !== undefined && version === file.present.file?.version);
  if (!lines || isPresent) return { file, hunks: hunksAt(file, lines), read: null, since: [] };
  const commit = await snapshot.commit(at);
  const { objects } = snapshot.context;
  const then = await sideAt(snapshot.context, await treeOf(objects, commit), file.path);
  if (then.text === null || file.present.text === null || then.text === file.present.text)
    return { file, hunks: hunksAt(file, lines), read: null, since: [] };
  const { now, isTouched } = followed(compare(then.text, file.present.text).changes, lines);
  const hunks = hunksAt(file, now);
  if (!isTouched) return { file, hunks, read: null, since: [] };
  const newer = await commitsSince(objects, snapshot.trail.parent, commit);
  const authors = new Set(hunks.flatMap(hunk => [...hunk.authors]));
  const since = [...authors].filter(one => one === null || (newer?.has(one.commit) ?? true));
  return { file, hunks, read: then, since };
}

function hunksAt({ compared, hunks }: UnreviewedFile, lines: HunkLines | undefined): UnreviewedHunk[] {
  const changes = new Set(changesAt(compared?.changes ?? [], lines));
  return hunks.filter(({ change }) => change === null || changes.has(change));
}

/** The lines in the newer text, and whether anything was changed in them or right beside them. */
function followed(
  changes: readonly LineChange[],
  { start_line, end_line }: HunkLines,
): { now: HunkLines; isTouched: boolean } {
  let [start, end] = [start_line - 1, end_line];
  const touching = changes.filter(({ oldStart, oldEnd }) => oldStart <= end_line && oldEnd >= start_line - 1);
  const before = changes.filter(({ oldEnd }) => oldEnd < start_line - 1);
  const shift = sum(before);
  start += shift;
  end += shift + sum(touching);
  for (const { newStart, newEnd } of touching)
    [start, end] = [Math.min(start, newStart), Math.max(end, newEnd)];
  return { now: { start_line: start + 1, end_line: end }, isTouched: touching.length > 0 };
}

function sum(changes: readonly LineChange[]): number {
  return changes.reduce(
    (all, { oldStart, oldEnd, newStart, newEnd }) => all + (newEnd - newStart) - (oldEnd - oldStart),
    0,
  );
}

function reviewedAlready({ snapshot }: Review, path: string, lines?: HunkLines): EditError {
  const name = path.slice(snapshot.context.prefix.length);
  const where = lines ? ` at ${lines.start_line}-${lines.end_line}` : '';
  const words = `Nothing in ${pathName(name)}${where} is left to review: it was accepted, rejected or taken back. List the review again.`;
  return new EditError('NO_CHANGE', words, { path: name });
}

/**
 * The hunks that a caller names by a commit, a path and lines: found in the present file by their rows, wherever the lines are
 * by now. Where there is nothing to review, the refusal says why, and where there are hunks.
 */

import { checkPathOnTrail } from '../engine/files/missing.ts';
import type { Author } from '../engine/rejections/people.ts';
import { EditError, type ErrorData } from '../errors.ts';
import { isBelow } from '../history/changed-paths.ts';
import { isLine, recordedRows } from '../history/file-rows.ts';
import { fileAt } from '../history/steps.ts';
import { treeOf } from '../history/walk.ts';
import type { LineEvent } from '../line/event.ts';
import { type Row, textAfter, textOf } from '../line/row.ts';
import { type HunkLines, TextLines } from '../line/text-lines.ts';
import { listedSome } from '../text/words.ts';
import { pathName, shortId } from '../wording.ts';
import { type FileNow, OpenFiles, type UnreviewedFile, type UnreviewedHunk } from './open-files.ts';
import type { NamedHunks } from './options.ts';
import { placeWords } from './place-words.ts';
import type { Review } from './review.ts';
import { textIn } from './reviewed-file.ts';

export interface FoundHunks {
  file: UnreviewedFile;
  hunks: UnreviewedHunk[];
  /** Where something was changed in the lines since they were read: their rows, and the event after which they were read. */
  read: { rows: Row[]; after: LineEvent } | null;
  /** The edits that came to these lines since that commit. */
  since: Author[];
}

/** Finds the hunks that are named. Throws NO_CHANGE where there are none (any more), FILE_NOT_FOUND, IS_DIRECTORY, INVALID_INPUT. */
export async function findHunks(
  review: Review,
  path: string,
  { lines, at, version }: NamedHunks,
  open: OpenFiles,
): Promise<FoundHunks> {
  const file = (await open.unreviewed()).find(one => one.path === path);
  if (!file) throw await nothingIn(review, path);
  const read = lines ? await rowsRead(review, file, { lines, at, version }) : null;
  const hunks = await hunksAt(open, file, read ? file.now.linesOf(read.rows) : lines);
  if (hunks.length === 0) throw await nothingIn(review, path, lines);
  const isTouched = read?.rows.some(row => textOf(row) !== textAfter(row, read.after.at));
  return isTouched
    ? { file, hunks, read, since: await authorsSince(review, open, { path, hunks }, at) }
    : { file, hunks, read: null, since: [] };
}

/** Returns the authors of hunks who came since a commit; without one, nobody can say: all of them. */
export async function authorsSince(
  { snapshot }: Review,
  open: OpenFiles,
  { path, hunks }: { path: string; hunks: readonly UnreviewedHunk[] },
  named: string | undefined,
): Promise<Author[]> {
  const place = named === undefined ? -1 : await open.line.placeAt(await snapshot.commit(named), path);
  const doers = new Set(hunks.flatMap(hunk => [...hunk.doers]));
  return open.authorsOf(
    path,
    [...doers].filter(({ at }) => at > place),
  );
}

/**
 * Finds the rows that the lines had when they were read, and all between; `null`: they are those of the file as it is. Throws
 * STALE where nothing holds that text any more.
 */
export async function rowsRead(
  { snapshot }: Review,
  { path, name, line, present, version: now }: FileNow,
  { lines, at, version }: NamedHunks & { lines: HunkLines },
): Promise<FoundHunks['read']> {
  const { objects } = snapshot.context;
  const isPresent = version === undefined ? at === undefined : version === now;
  if (isPresent || textIn(present) === null) return null;
  // What nobody recorded may be in no object.
  const held =
    version === undefined
      ? await fileAt(objects, await treeOf(objects, await snapshot.commit(at!)), path)
      : (await objects.has(version)) && { mode: '100644', oid: version };
  if (held === null && !present) return null;
  const rows = line.weave.rows();
  const after = held === false ? null : afterWhich(rows, await recordedRows(objects, path, held));
  if (!after) throw unknownText(snapshot.shown.parent, { name, now, at, version });
  return { rows: new TextLines(rows, row => textAfter(row, after.at)).rowsAt(lines), after };
}

/** The newest event after which the file had the lines of this text. */
function afterWhich(rows: readonly Row[], text: readonly string[]): LineEvent | null {
  const lines = text.filter(isLine);
  const events = new Set(rows.flatMap(({ log }) => log.map(({ event }) => event)));
  const isAfter = ({ at }: LineEvent): boolean => {
    let count = 0;
    const isSo = (row: Row): boolean => {
      const line = textAfter(row, at) ?? '\0';
      return !isLine(line) || line === lines[count++];
    };
    return rows.every(isSo) && count === lines.length;
  };
  return [...events].sort((a, b) => b.at - a.at).find(isAfter) ?? null;
}

function unknownText(
  commit: string | null,
  { name, now, at, version }: { name: string; now: string | null } & NamedHunks,
): EditError {
  const which = version === undefined ? `the text of ${at}` : `its version ${shortId(version)}`;
  const words = `${pathName(name)} was changed since these lines were read, and nothing holds ${which}. List the review again.`;
  const about = { path: name, version: now, commit };
  const base_version = version ?? null;
  return new EditError('STALE', words, { ...about, base: null, base_version, diff: null, changed_by: [] });
}

/** Finds the hunks at these lines, and cuts those that hold more lines: each part has its own authors. */
export async function hunksAt(
  open: OpenFiles,
  file: UnreviewedFile,
  lines: HunkLines | undefined,
): Promise<UnreviewedHunk[]> {
  if (!lines || !file.places) return file.hunks;
  const pieces = file.hunks.flatMap((hunk): Array<UnreviewedHunk | Promise<UnreviewedHunk | null>> => {
    const parts = cut(file, hunk, lines);
    return parts.length < 2 ? [hunk] : parts.map(rows => open.hunk(file, rows));
  });
  const hunks = (await Promise.all(pieces)).filter(hunk => hunk !== null);
  return hunksNamed(hunks, lines);
}

/** The hunks that are about some of these lines, or are gaps at them; those alone that are just these, where there are any. */
export function hunksNamed<Hunk extends { lines: HunkLines }>(
  hunks: readonly Hunk[],
  { start_line, end_line }: HunkLines,
): Hunk[] {
  const exact = hunks.filter(one => one.lines.start_line === start_line && one.lines.end_line === end_line);
  if (exact.length > 0) return exact;
  return hunks.filter(({ lines: { start_line: start, end_line: end } }) =>
    end < start ? start_line <= start && start <= end_line + 1 : start <= end_line && end >= start_line,
  );
}

/** Cuts the rows of a hunk at lines, where it can be: lines that were only put in, or that stand for as many old ones. */
function cut(file: UnreviewedFile, hunk: UnreviewedHunk, { start_line, end_line }: HunkLines): Row[][] {
  const [old, now] = [file.old.among(hunk.rows), file.now.among(hunk.rows)];
  const start = file.now.linesOf(hunk.rows).start_line - 1;
  const inside = [start_line - 1 - start, end_line - start].filter(at => 0 < at && at < now.length);
  if (inside.length === 0 || (old.length > 0 && old.length !== now.length)) return [];
  const ends = [...new Set([...inside, now.length])];
  return ends.map((end, n) => [
    ...new Set([...old.slice(ends[n - 1] ?? 0, end), ...now.slice(ends[n - 1] ?? 0, end)]),
  ]);
}

/** The most hunks in the data, and the most of their places in the message. */
const NAMED = { data: 100, words: 10 };

/** Throws FILE_NOT_FOUND, with what was meant, where there is no such path and no edit is of it. `path`: as the trail records it. */
export async function checkReviewable(review: Review, path: string): Promise<void> {
  try {
    await checkPathOnTrail(review.snapshot, path);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const files = await allOpen(review);
    const words = `${EditError.wording(error)} ${leftWords(files)}`;
    throw refusal(error.code, words, files, error.data);
  }
}

/** The refusal where a path, as the trail records it, or these lines of it have no hunk; without a path, nothing of what was named. */
export async function nothingIn(review: Review, path?: string, lines?: HunkLines): Promise<EditError> {
  if (path !== undefined) await checkReviewable(review, path);
  const files = await allOpen(review);
  const own = path === undefined ? [] : files.filter(file => isBelow(file.path, path));
  const name = path?.slice(review.snapshot.context.prefix.length);
  if (own.some(file => file.path !== path)) {
    const words = `${pathName(name!)} is a folder, and this is done file by file. ${leftWords(own, ' in it')}`;
    return refusal('IS_DIRECTORY', words, own, { path: name });
  }
  const where = lines ? ` at ${placeWords({ kind: 'lines', lines })}` : '';
  const what = name === undefined ? 'of that' : `in ${pathName(name)}${where}`;
  const isNear = lines !== undefined && own.length > 0;
  const why = 'no agent edited it, or all of it was accepted, rejected or taken back';
  const words = `Nothing ${what} is to review: ${why}. ${isNear ? leftPlaces(own) : leftWords(files)}`;
  return refusal('NO_CHANGE', words, isNear ? own : files, name === undefined ? {} : { path: name });
}

async function allOpen(review: Review): Promise<UnreviewedFile[]> {
  return (await OpenFiles.open(review)).unreviewed();
}

function refusal(
  code: EditError['code'],
  words: string,
  files: readonly UnreviewedFile[],
  data: object,
): EditError {
  const places = files.flatMap(({ name, hunks }) => hunks.map(({ lines }) => ({ path: name, lines })));
  const to_review = places.slice(0, NAMED.data);
  return new EditError(code, `${words} Nothing was done.`, { ...data, to_review } as ErrorData);
}

function leftWords(files: readonly UnreviewedFile[], where = ''): string {
  if (files.length === 0) return 'Nothing is left to review.';
  const names = files.map(({ name }) => pathName(name));
  return `Left to review${where}: ${listedSome(names, NAMED.words)}.`;
}

function leftPlaces(files: readonly UnreviewedFile[]): string {
  const words = files.flatMap(({ hunks }) => hunks).map(hunk => placeWords(hunk));
  return `Left to review in it: ${listedSome(words, NAMED.words)}.`;
}

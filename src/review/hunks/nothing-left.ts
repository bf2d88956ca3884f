/** Says of a path, or of lines, that nothing is to review there: why, and where there are hunks. */

import { checkPathOnTrail } from '../../engine/files/missing.ts';
import type { HunkLines } from '../../engine/rejections/compare.ts';
import { EditError, type ErrorData } from '../../errors.ts';
import { listedSome } from '../../text/words.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { pathName } from '../../wording.ts';
import type { Review } from '../accepted/accepted-text.ts';
import { unreviewedFiles } from '../unreviewed-files.ts';
import { placeWords } from './place-words.ts';
import type { UnreviewedFile } from './unreviewed.ts';

/** The most hunks in the data, and the most of their places in the message. */
const NAMED = { data: 100, words: 10 };

/** Throws FILE_NOT_FOUND, with what was meant, where there is no such path and no edit is of it. `path`: as the trail records it. */
export async function checkReviewable(review: Review, path: string): Promise<void> {
  try {
    await checkPathOnTrail(review.snapshot, path);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const files = await openFiles(review);
    const words = [EditError.wording(error), leftWords(files), 'Nothing was done.'].join(' ');
    throw new EditError(error.code, words, { ...error.data, to_review: places(files) } as ErrorData);
  }
}

/** The refusal where a path, as the trail records it, or these lines of it have no hunk. */
export async function nothingIn(review: Review, path: string, lines?: HunkLines): Promise<EditError> {
  await checkReviewable(review, path);
  const files = await openFiles(review);
  const name = path.slice(review.snapshot.context.prefix.length);
  const own = files.filter(file => isBelow(file.path, path));
  if (own.some(file => file.path !== path)) return isFolder(name, own);
  const where = lines ? ` at ${placeWords({ kind: 'lines', lines })}` : '';
  const left = lines && own.length > 0 ? own : files;
  return new EditError('NO_CHANGE', `Nothing in ${pathName(name)}${where} ${reviewedWords(left, own)}`, {
    path: name,
    to_review: places(left),
  });
}

/** The refusal where nothing of what was named, by a session or an edit, is to review. */
export async function nothingOf(review: Review): Promise<EditError> {
  const files = await openFiles(review);
  const words = `Nothing of that ${reviewedWords(files, [])}`;
  return new EditError('NO_CHANGE', words, { to_review: places(files) });
}

async function openFiles(review: Review): Promise<UnreviewedFile[]> {
  return unreviewedFiles(review);
}

function isFolder(name: string, files: readonly UnreviewedFile[]): EditError {
  const words = `${pathName(name)} is a folder, and this is done file by file. ${leftWords(files, ' in it')} Nothing was done.`;
  return new EditError('IS_DIRECTORY', words, { path: name, to_review: places(files) });
}

function reviewedWords(left: readonly UnreviewedFile[], own: readonly UnreviewedFile[]): string {
  const why = 'no agent edited it, or all of it was accepted, rejected or taken back';
  const words = left === own && own.length > 0 ? leftPlaces(own) : leftWords(left);
  return `is to review: ${why}. ${words} Nothing was done.`;
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

function places(files: readonly UnreviewedFile[]): Array<{ path: string; lines: HunkLines }> {
  return files
    .flatMap(({ name, hunks }) => hunks.map(({ lines }) => ({ path: name, lines })))
    .slice(0, NAMED.data);
}

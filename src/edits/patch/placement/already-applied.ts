/** Whether a hunk was done before: what it would leave stands where it must go, and its old lines stand nowhere else. */

import { type Hunk, type HunkLine, newLines, oldLines } from '../patch.ts';
import { type Limits, type PatchedHunk, placeAtEnd } from './patched-file.ts';

/** The line where the lines that the hunk would leave stand already, or `null`. */
export function appliedAt(at: PatchedHunk, limits: Limits): number | null {
  const fresh = newLines(at.hunk);
  if (!isTelling(at.hunk, fresh)) return null;
  const start = standsAt(at, limits, fresh);
  return start === null || oldStandsOutside(at, start, start + fresh.length) ? null : start;
}

/**
 * True where context, the end of the file, its line number or its anchor says that the result stands in its own place. Else
 * it may be any other text that is the same, such as the only `}` of the file.
 */
export function isItsPlace({ hunk }: PatchedHunk, { anchor }: Limits, start: number): boolean {
  if (hunk.endOfFile || start === hunk.hint || (anchor > 0 && start === anchor + 1)) return true;
  return hunk.lines.some(({ mark }) => mark === ' ');
}

/**
 * The line where the lines that a hunk adds at an end of the file stand already, or `null`. Its old lines fit all the
 * same, because nothing stands between them; applied again, the lines would be there twice.
 */
export function addedBefore({ file, hunk }: PatchedHunk, start: number, end: number): number | null {
  const { lines } = file;
  const [old, fresh] = [oldLines(hunk), newLines(hunk)];
  const count = fresh.length - old.length;
  if (count <= 0) return null;
  const stands = (added: readonly HunkLine[], at: number): boolean =>
    at >= 1 &&
    at + count - 1 <= lines.count &&
    added.some(({ text }) => text.trim() !== '') &&
    added.every(({ text }, i) => text === lines.content(at + i));
  const goesBefore = old.length > 0 && isSame(old, fresh.slice(count));
  if (goesBefore && start === count + 1 && stands(fresh.slice(0, count), 1)) return 1;
  if (!isSame(old, fresh.slice(0, old.length))) return null;
  const at = old.length > 0 ? end : lines.count - count + 1;
  const reachesEnd = at + count - 1 === lines.count && (old.length > 0 || hunk.endOfFile);
  return reachesEnd && stands(fresh.slice(old.length), at) ? at : null;
}

function isSame(some: readonly HunkLine[], others: readonly HunkLine[]): boolean {
  return some.length === others.length && some.every(({ text }, i) => text === others[i]!.text);
}

/** True of a hunk that adds more than blank lines, or brings lines of context together by removing those between. */
function isTelling({ lines }: Hunk, fresh: readonly HunkLine[]): boolean {
  if (fresh.some(({ mark, text }) => mark === '+' && text.trim() !== '')) return true;
  return lines.at(0)!.mark === ' ' && lines.at(-1)!.mark === ' ';
}

/** Finds the new lines at the end of the file or the line that the patch names, behind the anchor, with context, or once. */
function standsAt(
  { file, hunk }: PatchedHunk,
  { anchor, cursor }: Limits,
  fresh: readonly HunkLine[],
): number | null {
  const texts = fresh.map(({ text }) => text);
  const from = Math.max(anchor, cursor);
  if (hunk.endOfFile) return placeAtEnd(file, texts, from);
  if (hunk.hint !== null && file.exact.fits(texts, hunk.hint)) return hunk.hint;
  const [first = null, second] = file.exact.find(texts, from, 2);
  if (second === undefined || (anchor > 0 && first === anchor + 1)) return first;
  return fresh.some(({ mark }) => mark === ' ') ? first : null;
}

/** True where the old lines, however indented, stand outside the result: then the change is still to be made. */
function oldStandsOutside({ file, hunk }: PatchedHunk, start: number, end: number): boolean {
  const old = oldLines(hunk).map(({ text }) => text);
  const index = file.around;
  const [first = end] = index.find(old, 1, 1);
  return first + old.length <= start || index.find(old, end, 1).length > 0;
}

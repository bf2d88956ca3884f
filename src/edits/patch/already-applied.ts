/** Whether a hunk was done before: what it would leave stands where it must go, and its old lines stand nowhere else. */

import { type Hunk, type HunkLine, newLines, oldLines } from './patch.ts';
import { type Limits, type Pass, type PatchedHunk, placeAtEnd } from './patched-file.ts';

/** The line where the lines that the hunk would leave stand already, or `null`. */
export function appliedAt(at: PatchedHunk, limits: Limits): number | null {
  const fresh = newLines(at.hunk);
  if (!isTelling(at.hunk, fresh)) return null;
  for (const pass of at.file.passes) {
    const start = standsAt(at, limits, pass, fresh);
    if (start !== null) return oldStandsOutside(at, start, start + fresh.length) ? null : start;
  }
  return null;
}

/** Added lines with something in them, or lines of context that only the change brings together. */
function isTelling({ lines }: Hunk, fresh: readonly HunkLine[]): boolean {
  if (fresh.some(({ mark, text }) => mark === '+' && text.trim() !== '')) return true;
  return lines.at(0)!.mark === ' ' && lines.at(-1)!.mark === ' ';
}

/** At the end of the file or the line that the patch names, right behind the anchor, with their context, or only once. */
function standsAt(
  { file, hunk }: PatchedHunk,
  { anchor, cursor }: Limits,
  pass: Pass,
  fresh: readonly HunkLine[],
): number | null {
  const texts = fresh.map(({ text }) => text);
  const from = Math.max(anchor, cursor);
  if (hunk.endOfFile) return placeAtEnd(file, pass, texts, from);
  if (hunk.hint !== null && pass.fits(texts, hunk.hint)) return hunk.hint;
  const [first = null, second] = pass.index().find(texts, from, 2);
  if (second === undefined || (anchor > 0 && first === anchor + 1)) return first;
  return fresh.some(({ mark }) => mark === ' ') ? first : null;
}

/** Indented otherwise, the old lines are still what was to be changed; inside the result they are a part of it. */
function oldStandsOutside({ file, hunk }: PatchedHunk, start: number, end: number): boolean {
  const old = oldLines(hunk).map(({ text }) => text);
  const index = file.around.index();
  const [first = end] = index.find(old, 1, 1);
  return first + old.length <= start || index.find(old, end, 1).length > 0;
}

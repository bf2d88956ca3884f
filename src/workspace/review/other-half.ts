/** A file that was renamed is one that went and one that came: one decision is about both. */

import type { Half } from '../renames.ts';
import { plainLines } from './hunks.ts';
import { type Renamed, renamesIn } from './renames.ts';
import type { Review } from './reviewed.ts';
import { type UnreviewedFile, type UnreviewedHunk, unreviewedFiles } from './unreviewed.ts';

/** By the path as the workspace names it, the other halves of files that were renamed. */
export function renamedFiles(files: readonly UnreviewedFile[]): Map<string, Renamed> {
  const halves = (kind: 'create' | 'delete', side: 'accepted' | 'present'): Half[] =>
    files
      .filter(file => isWhole(file) && file.hunks[0]!.kind === kind)
      .map(file => ({ path: file.name, lines: linesOf(file[side].text) }));
  return renamesIn(halves('delete', 'accepted'), halves('create', 'present'));
}

/** The other halves of those of the files that were renamed. */
export async function otherHalves(
  review: Review,
  files: readonly UnreviewedFile[],
): Promise<UnreviewedFile[]> {
  const whole = files.filter(isWhole);
  if (whole.length === 0) return [];
  const all = await unreviewedFiles(review);
  const renames = renamedFiles(all);
  const names = new Set(whole.map(({ name }) => renames.get(name)?.path));
  return all.filter(({ name }) => names.has(name));
}

/** The other half of a file that is decided on as a whole; `null`: it has none, or only some of its lines are meant. */
export async function otherHalf(
  review: Review,
  file: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): Promise<UnreviewedFile | null> {
  if (hunks.length !== 1) return null;
  return (await otherHalves(review, [file]))[0] ?? null;
}

function isWhole({ hunks }: UnreviewedFile): boolean {
  return hunks.length === 1 && (hunks[0]!.kind === 'create' || hunks[0]!.kind === 'delete');
}

function linesOf(text: string | null): string[] {
  return text === null ? [] : plainLines(text);
}

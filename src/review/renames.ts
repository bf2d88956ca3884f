/** A file that was renamed is one that went and one that came: each is told of the other, and one decision is about both. */

import type { Side } from '../engine/rejections/compare.ts';
import { unifiedDiff } from '../text/diff/diff.ts';
import { splitLines } from '../text/diff/line-diff.ts';
import { lineBreakOf } from '../text/lines.ts';
import { type Half, type Rename, renamesAmong } from '../trail/renames.ts';
import type { UnreviewedFile, UnreviewedHunk } from './open-files.ts';

/** The other half of a file that was renamed. */
export interface Renamed {
  /** The path that a file had that came, or has that went. */
  path: string;
  /** As git tells it: how much of the text is the same, in percent. */
  similarity: number;
  /** The changes in a file that came besides, as git prints them; '' for nothing, and of a file that went. */
  diff: string;
}

/** Finds the other halves of files that were renamed, by path as the workspace names it. */
export function renamedFiles(files: readonly UnreviewedFile[]): Map<string, Renamed> {
  const halves = (kind: 'create' | 'delete', side: 'accepted' | 'present'): Half[] =>
    files
      .filter(file => isWhole(file) && file.hunks[0]!.kind === kind)
      .map(file => ({ path: file.name, lines: linesOf(file[side]) }));
  return renamesIn(halves('delete', 'accepted'), halves('create', 'present'));
}

/** Returns the other halves of those of the files that were renamed, which are not among them. */
export function otherHalves(
  all: readonly UnreviewedFile[],
  files: readonly UnreviewedFile[],
): UnreviewedFile[] {
  const whole = files.filter(isWhole);
  if (whole.length === 0) return [];
  const renames = renamedFiles(all);
  const names = new Set(whole.map(({ name }) => renames.get(name)?.path));
  const own = new Set(files.map(({ name }) => name));
  return all.filter(({ name }) => names.has(name) && !own.has(name));
}

function isWhole({ hunks }: UnreviewedFile): boolean {
  return hunks.length === 1 && isWholeFile(hunks[0]!);
}

/** True for the hunk of a file that came or went. */
export function isWholeFile({ kind }: UnreviewedHunk): boolean {
  return kind === 'create' || kind === 'delete';
}

/** The lines by which files are compared. A file that is no text has one that no text has: it is like none but the same. */
function linesOf({ file, text }: Side): string[] {
  if (text !== null) return linesIn(text);
  return file ? [`\0${file.version}`] : [];
}

/** The lines of a text, without their ends. */
export function linesIn(text: string): string[] {
  return splitLines(text, lineBreakOf(text)).map(line =>
    line.replace(/\r?\n$|\r$/, '').replace(/^\ufeff/, ''),
  );
}

/** By path, the other halves of those that are renamed; each is half of one. */
export function renamesIn(gone: readonly Half[], come: readonly Half[]): Map<string, Renamed> {
  const found = new Map<string, Renamed>();
  for (const rename of renamesAmong(gone, come)) {
    const { from, to, similarity } = rename;
    found.set(from.path, { path: to.path, similarity, diff: '' });
    found.set(to.path, { path: from.path, similarity, diff: similarity === 100 ? '' : diffOf(rename) });
  }
  return found;
}

function diffOf({ from, to }: Rename): string {
  const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');
  const texts = { oldText: joined(from.lines), newText: joined(to.lines) };
  return unifiedDiff({ oldPath: from.path, newPath: to.path, ...texts }).text;
}

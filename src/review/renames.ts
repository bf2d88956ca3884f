/** A file that was renamed is one that went and one that came: each is told of the other, and one decision is about both. */

import type { RowsFile } from '../history/file-rows.ts';
import { similarity } from '../history/renames.ts';
import { unifiedDiff } from '../text/diff/diff.ts';
import { splitLines } from '../text/diff/line-diff.ts';
import { lineBreakOf } from '../text/lines.ts';
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
  const found = new Map<string, Renamed>();
  for (const to of files) {
    const from = to.present ? otherHalves(files, [to])[0] : undefined;
    if (!from) continue;
    const [old, now] = [from.accepted, to.present].map(linesOf);
    const percent = similarity(old!, now!);
    const texts = { oldText: joined(old!), newText: joined(now!) };
    const diff = percent === 100 ? '' : unifiedDiff({ oldPath: from.name, newPath: to.name, ...texts }).text;
    found.set(from.name, { path: to.name, similarity: percent, diff: '' });
    found.set(to.name, { path: from.name, similarity: percent, diff });
  }
  return found;
}

const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

/** Returns the other halves of those of the files that were renamed, which are not among them. */
export function otherHalves(
  all: readonly UnreviewedFile[],
  files: readonly UnreviewedFile[],
): UnreviewedFile[] {
  const whole = files.filter(({ hunks }) => hunks.length === 1 && isWholeFile(hunks[0]!));
  const own = new Set(files.map(({ path }) => path));
  return all.filter(({ path, line }) => !own.has(path) && whole.some(one => one.line === line));
}

/** True for the hunk of a file that came or went. */
function isWholeFile({ kind }: UnreviewedHunk): boolean {
  return kind === 'create' || kind === 'delete';
}

/** The lines by which files are compared. A file that is no text has one that no text has: it is like none but the same. */
function linesOf(file: RowsFile | null): string[] {
  if (!file) return [];
  return 'oid' in file ? [`\0${file.oid}`] : linesIn(file.text);
}

/** The lines of a text, without their ends. */
export function linesIn(text: string): string[] {
  return splitLines(text, lineBreakOf(text)).map(line =>
    line.replace(/\r?\n$|\r$/, '').replace(/^\ufeff/, ''),
  );
}

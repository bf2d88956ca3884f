/** A unified diff as people read it: coloured, or summed up as `git diff --stat` does. */

import { type Piece, styled } from './style.ts';

/** Line by line, as git colours them. */
export function diffLines(diff: string): Piece[][] {
  let inHunk = false;
  return diff.split(/(?<=\n)/).map(line => {
    if (line.startsWith('@@')) inHunk = true;
    else if (line.startsWith('diff --git ')) inHunk = false;
    return inHunk ? hunkLine(line) : [styled('bold', line)];
  });
}

/** The same without the borders of lines. */
export function diffPieces(diff: string): Piece[] {
  return diffLines(diff).flat();
}

function hunkLine(line: string): Piece[] {
  if (line.startsWith('+')) return [styled('green', line)];
  if (line.startsWith('-')) return [styled('red', line)];
  const range = /^@@ .*? @@/.exec(line)?.[0] ?? '';
  return range === '' ? [line] : [styled('cyan', range), line.slice(range.length)];
}

export interface FileStat {
  path: string;
  added: number;
  removed: number;
}

/** What a diff says of each file; lines counted as git counts them. */
export function statsOf(diff: string): FileStat[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter(section => section !== '')
    .map(fileStat);
}

function fileStat(section: string): FileStat {
  const start = section.search(/^@@/m);
  const head = start < 0 ? section : section.slice(0, start);
  const lines = start < 0 ? [] : section.slice(start).split('\n');
  const count = (sign: string): number => lines.filter(line => line.startsWith(sign)).length;
  return { path: nameIn(head), added: count('+'), removed: count('-') };
}

/** The name of the new side, or of the old one when the file is gone; quoted where git quotes it. */
function nameIn(head: string): string {
  const moved = /^rename from (.+)\nrename to (.+)$/m.exec(head);
  if (moved) return `${moved[1]} => ${moved[2]}`;
  const line = /^\+\+\+ ("?)b\/(.+?)\t?$/m.exec(head) ?? /^--- ("?)a\/(.+?)\t?$/m.exec(head);
  if (line) return line[1]! + line[2]!;
  const names = /^diff --git (.+)$/m.exec(head)?.[1] ?? '';
  return names.slice((names.length + 1) / 2).replace(/^("?)b\//, '$1');
}

/** A line for each file, and the sum. '' when there is no file. */
export function statPieces(stats: readonly FileStat[], columns: number): Piece[] {
  if (stats.length === 0) return [];
  const nameWidth = Math.min(Math.max(...stats.map(stat => stat.path.length)), Math.max(columns - 30, 20));
  const most = Math.max(...stats.map(stat => stat.added + stat.removed));
  const numberWidth = String(most).length;
  const barWidth = Math.max(columns - nameWidth - numberWidth - 6, 10);
  const scale = Math.min(1, barWidth / Math.max(most, 1));
  const pieces = stats.flatMap(({ path, added, removed }) => [
    ` ${shortened(path, nameWidth).padEnd(nameWidth)} | ${String(added + removed).padStart(numberWidth)} `,
    styled('green', '+'.repeat(scaled(added, scale))),
    styled('red', '-'.repeat(scaled(removed, scale))),
    '\n',
  ]);
  return [...pieces, `${sumWords(stats)}\n`];
}

/** A change is never drawn as none. */
function scaled(count: number, scale: number): number {
  return count === 0 ? 0 : Math.max(1, Math.floor(count * scale));
}

function shortened(path: string, width: number): string {
  return path.length <= width ? path : `...${path.slice(path.length - width + 3)}`;
}

function sumWords(stats: readonly FileStat[]): string {
  const sum = (count: (stat: FileStat) => number): number =>
    stats.reduce((total, stat) => total + count(stat), 0);
  const words = [`${stats.length} ${stats.length === 1 ? 'file' : 'files'} changed`];
  const [added, removed] = [sum(stat => stat.added), sum(stat => stat.removed)];
  if (added > 0 || removed === 0) words.push(`${added} insertion${added === 1 ? '' : 's'}(+)`);
  if (removed > 0 || added === 0) words.push(`${removed} deletion${removed === 1 ? '' : 's'}(-)`);
  return ` ${words.join(', ')}`;
}

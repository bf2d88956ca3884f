/** Draws how much changed in which file, as `git diff --stat` does (show_stats in git's diff.c). */

import { gitName } from '../../../c-quote.ts';
import type { FileStat } from '../../../engine/diff-words.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { columnsOf, endOf, padded } from '../terminal/width.ts';
import { counted } from '../terminal/words.ts';

type NamedStat = FileStat & { name: string };

/** A line for each file, and the sum. Nothing when there is no file. */
export function statPieces(stats: readonly FileStat[], columns: number, quotePath = true): Piece[] {
  if (stats.length === 0) return [];
  const files = stats.map(stat => ({ ...stat, name: nameOf(stat, path => gitName(path, quotePath)) }));
  const layout = layoutFor(files, columns);
  return [...files.flatMap(file => lineOf(file, layout)), `${sumWords(stats)}\n`];
}

interface Layout {
  name: number;
  number: number;
  graph: number;
  /** The most lines changed in one file. */
  most: number;
}

/** The widths of the columns: what they need, and in a narrow terminal 5/8 for the names. */
function layoutFor(stats: readonly NamedStat[], columns: number): Layout {
  const texts = stats.filter(stat => !stat.binary);
  const most = highest(texts.map(stat => stat.added + stat.removed));
  const sizes = stats.flatMap(({ binary }) =>
    binary ? [14 + `${binary.bytes_after}${binary.bytes_before}`.length] : [],
  );
  const number = Math.max(`${most}`.length, sizes.length > 0 ? 3 : 0);
  const width = Math.max(columns, 16 + 6 + number);
  let graph = Math.max(most, highest(sizes) - 4);
  let name = highest(stats.map(stat => columnsOf(stat.name)));
  if (name + number + 6 + graph > width) {
    const room = Math.floor((width * 3) / 8) - number - 6;
    if (graph > room) graph = Math.max(6, room);
    if (name > width - number - 6 - graph) name = width - number - 6 - graph;
    else graph = width - number - 6 - name;
  }
  return { name, number, graph, most };
}

/** The highest of any count of numbers; 0 for none. */
function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function lineOf(stat: NamedStat, layout: Layout): Piece[] {
  const name = shortened(stat.name, layout.name);
  const start = ` ${padded(name, layout.name)} | `;
  if (stat.binary) return [start, 'Bin'.padStart(layout.number), ...sizePieces(stat.binary), '\n'];
  const { plus, minus } = bars(stat, layout);
  const sum = `${stat.added + stat.removed}`.padStart(layout.number);
  const gap = plus + minus > 0 ? ' ' : '';
  return [start + sum + gap, styled('green', '+'.repeat(plus)), styled('red', '-'.repeat(minus)), '\n'];
}

function sizePieces({ bytes_before: before, bytes_after: after }: NonNullable<FileStat['binary']>): Piece[] {
  if (before === 0 && after === 0) return [];
  return [' ', styled('red', `${before}`), ' -> ', styled('green', `${after}`), ' bytes'];
}

/** One sign a line where that fits; else in proportion, and a change is never drawn as none. */
function bars({ added, removed }: FileStat, { graph, most }: Layout): { plus: number; minus: number } {
  if (graph > most) return { plus: added, minus: removed };
  const scaled = (count: number): number => (count === 0 ? 0 : 1 + Math.floor((count * (graph - 1)) / most));
  const whole = scaled(added + removed);
  const total = whole < 2 && added > 0 && removed > 0 ? 2 : whole;
  if (added < removed) return { plus: scaled(added), minus: total - scaled(added) };
  return { plus: total - scaled(removed), minus: scaled(removed) };
}

/** Returns the end of a long name, from a slash on if there is one. */
function shortened(name: string, width: number): string {
  if (columnsOf(name) <= width) return name;
  const end = endOf(name, Math.max(0, width - 3));
  const slash = end.indexOf('/');
  return `...${slash < 0 ? end : end.slice(slash)}`;
}

/** `src/{a.ts => b.ts}` for a move: what both paths have in common stands outside of the braces. */
function nameOf({ path, from }: FileStat, shown: (name: string) => string): string {
  if (from === undefined) return shown(path);
  if (shown(path) !== path || shown(from) !== from) return `${shown(from)} => ${shown(path)}`;
  const before = commonFolder(from, path);
  const after = commonEnd(from, path, before);
  if (before + after === 0) return `${from} => ${path}`;
  const middle = (whole: string): string => whole.slice(before, Math.max(before, whole.length - after));
  return `${from.slice(0, before)}{${middle(from)} => ${middle(path)}}${from.slice(from.length - after)}`;
}

/** The length of the folders that both begin with, the slash included. */
function commonFolder(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same === 0 ? 0 : a.lastIndexOf('/', same - 1) + 1;
}

/** The length of what both end with, from a slash on; that may be the slash that the common folders end with. */
function commonEnd(a: string, b: string, folder: number): number {
  const least = folder > 0 ? folder - 1 : 0;
  let length = 0;
  for (let back = 1; a.length - back >= least && b.length - back >= least; back++) {
    if (a.at(-back) !== b.at(-back)) break;
    if (a.at(-back) === '/') length = back;
  }
  return length;
}

function sumWords(stats: readonly FileStat[]): string {
  const sum = (count: (stat: FileStat) => number): number =>
    stats.reduce((total, stat) => total + count(stat), 0);
  const words = [`${counted(stats.length, 'file')} changed`];
  const [added, removed] = [sum(stat => stat.added), sum(stat => stat.removed)];
  if (added > 0 || removed === 0) words.push(`${counted(added, 'insertion')}(+)`);
  if (removed > 0 || added === 0) words.push(`${counted(removed, 'deletion')}(-)`);
  return ` ${words.join(', ')}`;
}

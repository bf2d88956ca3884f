/** A unified diff in which the words that changed stand out from their lines. */

import { type WordRange, wordDiff } from '../../text/word-diff.ts';
import { diffLines } from './diff-view.ts';
import { type Piece, styled, textOf } from './style.ts';

/** Longer runs of lines were rewritten: there is no telling which line became which. */
const LONGEST_RUN = 50;

/** Removed lines are compared with the added ones that take their place. `brackets`: `[-old-]` and `{+new+}` without colour. */
export function wordPieces(diff: string, brackets: boolean): Piece[] {
  const lines = diffLines(diff);
  const pieces: Piece[][] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, 'red');
    const added = run(lines, at + removed, 'green');
    const alike = removed === added && removed > 0 && removed <= LONGEST_RUN;
    const count = removed + added;
    const these = lines.slice(at, at + Math.max(count, 1));
    pieces.push(alike ? marked(these, brackets) : these.flat());
    at += Math.max(count, 1);
  }
  return pieces.flat();
}

/** How many lines of this style begin at `at`. */
function run(lines: readonly Piece[][], at: number, style: 'red' | 'green'): number {
  let count = 0;
  while (isOf(lines[at + count], style)) count++;
  return count;
}

function isOf(line: readonly Piece[] | undefined, style: string): boolean {
  const piece = line?.[0];
  return typeof piece === 'object' && piece.style === style;
}

/** The first half of the lines is removed, the second added; one is compared with one. */
function marked(lines: readonly Piece[][], brackets: boolean): Piece[] {
  const texts = lines.map(line => textOf(line[0]!));
  const half = lines.length / 2;
  const diffs = texts
    .slice(0, half)
    .map((old, index) => wordDiff(old.slice(1), texts[half + index]!.slice(1)));
  return texts.flatMap((text, index) => {
    const removed = index < half;
    const diff = diffs[index % half];
    const ranges = (removed ? diff?.removed : diff?.added) ?? [];
    return markedLine(text, ranges, removed ? REMOVED : ADDED, brackets);
  });
}

const REMOVED = { line: 'red', word: 'removedWord', open: '[-', close: '-]' } as const;
const ADDED = { line: 'green', word: 'addedWord', open: '{+', close: '+}' } as const;

function markedLine(
  text: string,
  ranges: readonly WordRange[],
  how: typeof REMOVED | typeof ADDED,
  brackets: boolean,
): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    const word = text.slice(start + 1, end + 1);
    const ended = word.replace(/\r?\n$/, '');
    if (ended === '') continue;
    pieces.push(styled(how.line, text.slice(at, start + 1)));
    pieces.push(brackets ? how.open + ended + how.close : styled(how.word, ended));
    at = start + 1 + ended.length;
  }
  return [...pieces, styled(how.line, text.slice(at))];
}

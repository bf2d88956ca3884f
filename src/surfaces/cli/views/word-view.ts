/** A unified diff in which the words that changed stand out from their lines. */

import { type WordRange, wordDiff } from '../../../text/diff/word-diff.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { type DiffRun, diffRuns, runPieces } from './diff-view.ts';

/** Longer runs of lines were rewritten: there is no telling which line became which. */
const LONGEST_RUN = 50;

/** Marks in removed lines, and the added ones that take their place, the words that differ. `brackets`: `[-old-]` and `{+new+}`. */
export function* wordPieces(diff: string, brackets: boolean): Generator<Piece> {
  let removed: DiffRun | null = null;
  for (const run of diffRuns(diff)) {
    const pairs: LinePairs | null = removed && run.kind === 'added' ? pairsOf(removed, run) : null;
    if (pairs) yield* marked(pairs, brackets);
    else if (removed) yield* runPieces(removed);
    removed = run.kind === 'removed' ? run : null;
    if (!removed && !pairs) yield* runPieces(run);
  }
  if (removed) yield* runPieces(removed);
}

/** Removed lines and the added ones in their place, as many. */
interface LinePairs {
  removed: readonly string[];
  added: readonly string[];
}

function pairsOf({ text: removed }: DiffRun, { text: added }: DiffRun): LinePairs | null {
  // With the line ends, and no more than need be looked at.
  const [old, fresh] = [removed, added].map(text => text.split(/(?<=\n)/, LONGEST_RUN + 1));
  const isShort = old!.length === fresh!.length && old!.length <= LONGEST_RUN;
  return isShort ? { removed: old!, added: fresh! } : null;
}

/** Marks the words that differ between each removed line and the added one in its place. */
function marked({ removed, added }: LinePairs, brackets: boolean): Piece[] {
  const diffs = removed.map((old, n) => wordDiff(old.slice(1), added[n]!.slice(1)));
  return [
    ...removed.flatMap((line, n) => markedLine(line, diffs[n]?.removed ?? [], REMOVED, brackets)),
    ...added.flatMap((line, n) => markedLine(line, diffs[n]?.added ?? [], ADDED, brackets)),
  ];
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

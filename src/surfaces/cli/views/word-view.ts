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

function pairsOf(removed: DiffRun, added: DiffRun): LinePairs | null {
  const [old, fresh] = [removed, added].map(({ text }) => fewLines(text));
  return old && fresh && old.length === fresh.length ? { removed: old, added: fresh } : null;
}

/** The lines with their ends, or `null` when they are too many. */
function fewLines(text: string): string[] | null {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (lines.length === LONGEST_RUN) return null;
    const end = text.indexOf('\n', at) + 1 || text.length;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
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

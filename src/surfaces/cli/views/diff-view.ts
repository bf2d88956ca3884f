/** A unified diff as people read it: coloured line by line. */

import { type Piece, styled } from '../terminal/style.ts';

/** Lines of a diff, one after the other, that are of one kind. A range (`@@`) is always alone. */
export interface DiffRun {
  kind: 'head' | 'range' | 'removed' | 'added' | 'common';
  text: string;
}

/** The runs of a diff, without a look at the lines of later ones. */
export function* diffRuns(diff: string): Generator<DiffRun> {
  let inHunk = false;
  for (let at = 0; at < diff.length; ) {
    const kind = kindAt(diff, at, inHunk);
    inHunk = kind !== 'head';
    let end = lineEnd(diff, at);
    while (kind !== 'range' && end < diff.length && kindAt(diff, end, inHunk) === kind)
      end = lineEnd(diff, end);
    yield { kind, text: diff.slice(at, end) };
    at = end;
  }
}

/** Says what kind of line begins here. In a hunk no line begins with a letter, so that one which does ends it. */
function kindAt(diff: string, at: number, inHunk: boolean): DiffRun['kind'] {
  const sign = diff[at];
  if (sign === '@' && diff[at + 1] === '@') return 'range';
  if (!inHunk || (sign === 'd' && diff.startsWith('diff --git ', at))) return 'head';
  return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'common';
}

function lineEnd(text: string, at: number): number {
  return text.indexOf('\n', at) + 1 || text.length;
}

const STYLES = { head: 'bold', removed: 'red', added: 'green' } as const;

/** UTF-16 characters of a piece, and the rest of the line in which they end. */
const AT_ONCE = 8192;

/** Makes pieces of many lines: millions of pieces would take longer than the diff. */
export function* runPieces({ kind, text }: DiffRun): Generator<Piece> {
  if (kind === 'range') return yield* rangePieces(text);
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = lineEnd(text, at + AT_ONCE);
    const part = text.slice(at, end);
    yield kind === 'common' ? part : styled(STYLES[kind], part);
  }
}

function* rangePieces(line: string): Generator<Piece> {
  const range = /^@@ .*? @@/.exec(line)?.[0] ?? '';
  if (range !== '') yield styled('cyan', range);
  yield line.slice(range.length);
}

export function* diffPieces(diff: string): Generator<Piece> {
  for (const run of diffRuns(diff)) yield* runPieces(run);
}

/** A unified diff as people read it: coloured line by line, with marked words where that is wanted. */

import { type Piece, styled } from './style.ts';
import type { Terminal } from './terminal.ts';

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

/** As `terminal` shows it: words are marked where there is colour, or where `word` asks for it. */
export async function shownDiff(diff: string, terminal: Terminal, word?: boolean): Promise<Piece[]> {
  const { color } = terminal.outLook;
  if (!(word ?? color)) return diffPieces(diff);
  // Loaded here, so that help does not need what compares texts.
  const { wordPieces } = await import('./word-view.ts');
  return wordPieces(diff, !color);
}

function hunkLine(line: string): Piece[] {
  if (line.startsWith('+')) return [styled('green', line)];
  if (line.startsWith('-')) return [styled('red', line)];
  const range = /^@@ .*? @@/.exec(line)?.[0] ?? '';
  return range === '' ? [line] : [styled('cyan', range), line.slice(range.length)];
}

/** A unified diff as people read it: coloured line by line. */

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

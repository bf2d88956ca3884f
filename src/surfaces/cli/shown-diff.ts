/** A unified diff as this terminal shows it: with marked words where that is wanted. */

import { diffPieces } from './diff-view.ts';
import type { Piece } from './style.ts';
import type { Terminal } from './terminal.ts';

/** Words are marked where there is colour, or where `word` asks for it. */
export async function shownDiff(diff: string, terminal: Terminal, word?: boolean): Promise<Iterable<Piece>> {
  const { color } = terminal.outLook;
  if (!(word ?? color)) return diffPieces(diff);
  // Loaded here, so that help does not need what compares texts.
  const { wordPieces } = await import('./word-view.ts');
  return wordPieces(diff, !color);
}

/** view for a person: the lines or entries on standard output, and what else there is to know beside them. */

import { shownName } from '../../../c-quote.ts';
import type { Answer } from '../../../engine/answer.ts';
import type { Call } from '../command.ts';
import { type Piece, styled } from '../terminal/style.ts';

type Shown =
  | { entries: string[] }
  | { from: number; to: number; lines: number; outline?: readonly unknown[] };

/** Prints a view: the lines or entries, with which the message begins, and apart from them the rest, which is about them. */
export async function show({ terminal }: Call, { message, data: shown }: Answer<Shown>): Promise<void> {
  const isFolder = 'entries' in shown;
  const parts = message.split('\n').filter(line => !isFolder || line !== '');
  const count = isFolder ? shown.entries.length : (shown.outline?.length ?? linesShown(shown));
  await terminal.page();
  const own = isFolder
    ? shown.entries.map(entry => [shownName(entry)])
    : parts.slice(0, count).map(numberedPieces);
  for (const pieces of own) await terminal.print(...pieces, '\n');
  await terminal.endPage();
  for (const notice of parts.slice(count)) await terminal.tell(notice);
}

function linesShown({ from, to, lines }: { from: number; to: number; lines: number }): number {
  return lines === 0 ? 0 : to - from + 1;
}

function numberedPieces(line: string): Piece[] {
  const tab = line.indexOf('\t') + 1;
  return [styled('dim', line.slice(0, tab)), line.slice(tab)];
}

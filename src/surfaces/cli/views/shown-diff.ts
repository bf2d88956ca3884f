/** A unified diff as this terminal shows it: with marked words where that is wanted. */

import { plainGitName } from '../../../c-quote.ts';
import type { FileStat } from '../../../engine/diff-words.ts';
import type { Piece } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { diffPieces, diffRuns } from './diff-view.ts';
import { statPieces } from './stat-view.ts';

export type ShowDiff = (diff: string) => Iterable<Piece>;

/** Returns what shows diffs: words are marked where there is colour, or where `word` asks for it. */
export async function diffShower(terminal: Terminal, word?: boolean): Promise<ShowDiff> {
  const { color } = terminal.outLook;
  const named = (diff: string): string => (terminal.quotePath ? diff : withPlainNames(diff));
  if (!(word ?? color)) return diff => diffPieces(named(diff));
  // Loaded here, so that help does not need what compares texts.
  const { wordPieces } = await import('./word-view.ts');
  return diff => wordPieces(named(diff), !color);
}

export async function shownDiff(diff: string, terminal: Terminal, word?: boolean): Promise<Iterable<Piece>> {
  return (await diffShower(terminal, word))(diff);
}

export interface ChangeOptions {
  stat?: boolean;
  word?: boolean;
}

/** A change as the options ask for it: its diff, or how much changed in which file. */
export async function shownChange(
  diff: string,
  stats: readonly FileStat[],
  terminal: Terminal,
  { stat, word }: ChangeOptions,
): Promise<Iterable<Piece>> {
  return stat ? statPieces(stats, terminal.columns, terminal.quotePath) : shownDiff(diff, terminal, word);
}

/** The diff with the names in it as core.quotePath=false shows them. */
function withPlainNames(diff: string): string {
  if (!/^(diff|---|\+\+\+|rename|copy) .*"/m.test(diff)) return diff;
  return Array.from(diffRuns(diff), ({ kind, text }) =>
    kind === 'head' ? text.replace(/"(?:[^"\\\n]|\\.)*"/g, plainGitName) : text,
  ).join('');
}

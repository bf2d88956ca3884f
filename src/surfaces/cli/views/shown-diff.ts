/** A unified diff as this terminal shows it: with marked words where that is wanted. */

import { gitName, plainGitName } from '../../../c-quote.ts';
import type { FileStat } from '../../../engine/diff-words.ts';
import type { ReviewHunk } from '../../../review/listing.ts';
import type { WordRange, wordDiff } from '../../../text/diff/word-diff.ts';
import { type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { statPieces } from './stat-view.ts';

type HunkTexts = Pick<ReviewHunk, 'before' | 'after' | 'context'>;

export type ShowDiff = (diff: string) => Iterable<Piece>;

/** Returns what shows diffs: words are marked where there is colour, or where `word` asks for it. */
export async function diffShower(terminal: Terminal, word?: boolean): Promise<ShowDiff> {
  const { color } = terminal.outLook;
  const named = (diff: string): string => (terminal.quotePath ? diff : withPlainNames(diff));
  if (!(word ?? color)) return diff => diffPieces(named(diff));
  // Loaded here, so that help does not need what compares texts.
  const { wordDiff } = await import('../../../text/diff/word-diff.ts');
  return diff => wordPieces(named(diff), !color, wordDiff);
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

/** A hunk as a diff has it, from its range on. `places`: its parts, each with its old lines before its new ones. */
export function hunkText(
  { before, after, context }: HunkTexts,
  places: ReadonlyArray<Pick<HunkTexts, 'before' | 'after'>> = [{ before, after }],
): string {
  const marked = (mark: string, lines: readonly string[]): string =>
    lines.map(line => `${mark}${line}\n`).join('');
  const [above, below] = [marked(' ', context.above), marked(' ', context.below)];
  const around = context.above.length + context.below.length;
  const [old, now] = [before, after].map(({ line, lines }) => {
    const count = lines.length + around;
    return `${line - context.above.length - (count === 0 ? 1 : 0)}${count === 1 ? '' : `,${count}`}`;
  });
  const changed = places.map(one => marked('-', one.before.lines) + marked('+', one.after.lines));
  return `@@ -${old} +${now} @@\n${above}${changed.join('')}${below}`;
}

/** The `text` of a hunk that is asked about: as git's interactive.diffFilter gives it back, where it names a program. */
export async function askedDiff(
  { path }: { path: string },
  text: string,
  terminal: Terminal,
): Promise<Iterable<Piece>> {
  const [old, now] = [gitName(`a/${path}`), gitName(`b/${path}`)];
  const diff = `diff --git ${old} ${now}\n--- ${old}\n+++ ${now}\n${text}`;
  return (await terminal.filtered(diffPieces(diff))) ?? shownDiff(text, terminal);
}

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

/** Longer runs of lines were rewritten: there is no telling which line became which. */
const LONGEST_RUN = 50;

/** Marks in removed lines, and the added ones that take their place, the words that differ. `brackets`: `[-old-]` and `{+new+}`. */
export function* wordPieces(diff: string, brackets: boolean, compare: typeof wordDiff): Generator<Piece> {
  let removed: DiffRun | null = null;
  for (const run of diffRuns(diff)) {
    const pairs: LinePairs | null = removed && run.kind === 'added' ? pairsOf(removed, run) : null;
    if (pairs) yield* marked(pairs, brackets, compare);
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
function marked({ removed, added }: LinePairs, brackets: boolean, compare: typeof wordDiff): Piece[] {
  const diffs = removed.map((old, n) => compare(old.slice(1), added[n]!.slice(1)));
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

/** Where in a file a text was probably meant, when nothing there is the same to a reader: by votes, then by likeness. */

import type { LooseText } from './loose.ts';

/** A line that recurs in the old text votes for the starts that its first few positions there mean. */
const POSITIONS_PER_LINE = 4;
/** A place needs this share of the weight of the old text: one telling line in four. */
const LEAST_SHARE = 0.25;
const LEAST_LIKENESS = 0.6;
/** Two letters that changed places cost a short line half of its pairs. */
const SHORT_LINE = 20;
const LEAST_LIKENESS_OF_SHORT = 0.45;

/** Where to look, and what decides between places that are as good. */
export interface Search {
  /** Only lines from this one on count; default 1. */
  from?: number;
  /** The line nearest to which a place is taken first among equal ones; default: the first. */
  near?: number;
  /** The share of the old text's weight that a place needs. */
  share?: number;
}

/** The most places that are laid beside the old text. */
const MOST_STARTS = 24;
/** Lines left out or put in move those behind them: so far apart, starts are taken for the same place. */
const APART = 8;

/**
 * The file lines (1-based, possibly below 1) at which the old text may start so that many of its lines are where the file
 * has them, the likeliest first. Long lines weigh more than brackets, and starts that are near each other vote together.
 */
export function likelyStarts(oldKeys: readonly string[], loose: LooseText, search: Search = {}): number[] {
  const { from = 1, near = 1, share = LEAST_SHARE } = search;
  const positions = positionsByKey(oldKeys);
  const votes = new Float64Array(loose.count + oldKeys.length + 1);
  for (let line = from; line <= loose.count; line++) {
    const key = loose.key(line);
    for (const position of positions.get(key) ?? [])
      votes[line - position + oldKeys.length - 1]! += weight(key);
  }
  const least = share * oldKeys.reduce((sum, key) => sum + weight(key), 0);
  const reach = Math.min(APART, oldKeys.length);
  const found: Array<{ start: number; own: number; all: number }> = [];
  for (const [i, own] of votes.entries()) {
    if (own === 0) continue;
    const all = votes.subarray(Math.max(0, i - reach), i + reach + 1).reduce((sum, vote) => sum + vote, 0);
    if (all >= least) found.push({ start: i - oldKeys.length + 1, own, all });
  }
  const distance = (start: number): number => Math.abs(start - near);
  found.sort((a, b) => b.all - a.all || b.own - a.own || distance(a.start) - distance(b.start));
  return found.slice(0, MOST_STARTS).map(({ start }) => start);
}

function positionsByKey(keys: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [i, key] of keys.entries()) {
    if (key === '') continue;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [i]);
    else if (known.length < POSITIONS_PER_LINE) known.push(i);
  }
  return positions;
}

/** Weighs a line by how much it tells of a place that it stands there. */
export function weight(key: string): number {
  return key.length <= 2 ? key.length / 4 : Math.min(key.length, 40);
}

export interface SimilarLine {
  /** 0-based, of the old text. */
  oldLine: number;
  /** 1-based, of the file. */
  fileLine: number;
  /** Further lines that are as like. */
  others: number[];
}

/** The line of the file that is most like the longest line of the old text, or `null` when none is much like it. */
export function similarLine(
  oldKeys: readonly string[],
  loose: LooseText,
  { from = 1, near = 1 }: Search = {},
): SimilarLine | null {
  const oldLine = oldKeys.reduce((top, key, i) => (key.length > oldKeys[top]!.length ? i : top), 0);
  const probe = oldKeys[oldLine] ?? '';
  const likeness = likenessTo(probe);
  let best = probe.length < SHORT_LINE ? LEAST_LIKENESS_OF_SHORT : LEAST_LIKENESS;
  let found: number[] = [];
  for (let line = from; line <= loose.count; line++) {
    const like = likeness(loose.key(line), best);
    if (like > best) found = [];
    if (like > best || (like === best && found.length > 0)) found.push(line);
    best = Math.max(best, like);
  }
  const [fileLine, ...others] = found.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  return fileLine === undefined ? null : { oldLine, fileLine, others };
}

const SLOTS = 1 << 16;

/**
 * Returns a function that rates how alike a line is to the probe, 0 to 1: Dice's coefficient over pairs of neighbouring
 * units, the pairs counted in hashed slots. A longer line that holds the probe is not held against it much. It returns
 * 0 early when `best` is out of reach.
 */
export function likenessTo(probe: string): (line: string, best: number) => number {
  const wanted = new Uint16Array(SLOTS);
  const pairs = probe.length - 1;
  for (let i = 0; i < pairs; i++) wanted[slot(probe, i)]!++;
  return (line, best) => {
    const size = Math.min(line.length - 1, pairs * 1.5);
    if (pairs < 2 || line.length > 20 * probe.length || (2 * Math.min(pairs, size)) / (pairs + size) < best)
      return 0;
    const taken: number[] = [];
    for (let i = 0; i < line.length - 1; i++) {
      const at = slot(line, i);
      if (wanted[at]! === 0) continue;
      wanted[at]!--;
      taken.push(at);
    }
    for (const at of taken) wanted[at]!++;
    return (2 * taken.length) / (pairs + size);
  };
}

function slot(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & (SLOTS - 1);
}

/**
 * Files that went and others that came instead: which of them were renamed, as `git diff -M` tells it, but that lines count as
 * the same of which a formatter left that: an editor formats a file as it saves it under its new name.
 */

import { baseName } from '../git/paths.ts';
import { textFile, textOrNull } from '../text/document.ts';
import { bare } from '../text/format.ts';

interface Half {
  path: string;
  lines: readonly string[];
}

const SIMILAR = 50;
/** The most pairs of files that are compared; of more, only those that are the same. */
const PAIRS = 2_500;

/** Pairs the most similar ones first; each file is in one pair at most. By the path of each that came, that of the one that went. */
function renamesAmong(gone: readonly Half[], come: readonly Half[]): Map<string, string> {
  const others = come.map(half => ({ half, text: measured(half.lines) }));
  const pairs = gone.flatMap(from => {
    const text = measured(from.lines);
    return others.map(to => ({ from, to: to.half, percent: similarityOf(text, to.text) }));
  });
  const taken = new Set<Half>();
  const found = new Map<string, string>();
  for (const { from, to, percent } of pairs.sort((a, b) => b.percent - a.percent)) {
    if (percent < SIMILAR || taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    found.set(to.path, from.path);
  }
  return found;
}

/** As git tells it: how much of two texts is the same, in percent. An empty text is like no other. */
export function similarity(one: readonly string[], other: readonly string[]): number {
  return similarityOf(measured(one), measured(other));
}

/** The part of a file that is compared with each of many others. */
interface Measured {
  text: string;
  /** Characters, line ends included; 0 for an empty file. */
  size: number;
  counts: ReadonlyMap<string, number>;
}

function measured(lines: readonly string[]): Measured {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const size = lines.reduce((sum, one) => sum + one.length + 1, 0);
  return { text: lines.join('\n'), size, counts };
}

/** The part of the larger text that both have, by lines wherever they stand. */
function similarityOf(one: Measured, other: Measured): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  if (smaller.size === 0) return 0;
  if (one.text === other.text) return 100;
  // It is less than this, which is not enough.
  const most = Math.floor((100 * smaller.size) / larger.size);
  if (most < SIMILAR) return most;
  let shared = 0;
  for (const [line, count] of smaller.counts)
    shared += Math.min(count, larger.counts.get(line) ?? 0) * (line.length + 1);
  // The same lines in another order are not the same text.
  return Math.min(99, Math.floor((100 * shared) / larger.size));
}

/** A side of a change of a tree: a file that went, or one that came. Its content is read where the id alone does not tell. */
export interface StoredHalf {
  path: string;
  oid: string;
  read(): Promise<{ bytes: Uint8Array; version: string }>;
}

/** By the path of each file that came instead of another one, the path of that. A file that is no text has to be the same. */
export async function renamesOf<Side>(
  changes: ReadonlyArray<{ path: string; before: Side | null; after: Side | null }>,
  half: (path: string, side: Side) => StoredHalf,
): Promise<Map<string, string>> {
  const gone = changes.flatMap(({ path, before, after }) => (before && !after ? [half(path, before)] : []));
  const come = changes.flatMap(({ path, before, after }) => (after && !before ? [half(path, after)] : []));
  if (gone.length === 0 || come.length === 0) return new Map();
  const found = sameBlobs(gone, come);
  const taken = new Set(found.values());
  const from = gone.filter(({ path }) => !taken.has(path));
  const to = come.filter(({ path }) => !found.has(path));
  if (from.length * to.length > PAIRS) return found;
  const similar = renamesAmong(await withLines(from), await withLines(to));
  for (const [path, was] of similar) found.set(path, was);
  return found;
}

/**
 * Pairs files of one content. Of several with one content, the one with the same name in another folder goes first, as
 * in git.
 */
function sameBlobs(gone: readonly StoredHalf[], come: readonly StoredHalf[]): Map<string, string> {
  const left = new Map<string, StoredHalf[]>();
  for (const half of gone) left.set(half.oid, [...(left.get(half.oid) ?? []), half]);
  const found = new Map<string, string>();
  const pair = (to: StoredHalf, isWanted: (from: StoredHalf) => boolean): void => {
    const halves = left.get(to.oid) ?? [];
    const at = to.oid === EMPTY_BLOB || found.has(to.path) ? -1 : halves.findIndex(isWanted);
    if (at >= 0) found.set(to.path, halves.splice(at, 1)[0]!.path);
  };
  for (const to of come) pair(to, from => baseName(from.path) === baseName(to.path));
  for (const to of come) pair(to, () => true);
  return found;
}

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

async function withLines(halves: readonly StoredHalf[]): Promise<Half[]> {
  const found: Half[] = [];
  for (const { path, read } of halves) {
    const { bytes, version } = await read();
    const text = textOrNull(textFile(path, bytes, version));
    if (text === null) continue;
    found.push({ path, lines: text === '' ? [] : text.replace(/\n$/, '').split('\n').map(bare) });
  }
  return found;
}

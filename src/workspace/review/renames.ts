/**
 * A file that went and one that came instead: what they are together, as `git log -M` tells it. Pure.
 */

import { unifiedDiff } from '../../text/diff/diff.ts';

/** The other half of a file that was renamed. */
export interface Renamed {
  /** Of a file that came, the path that it had; of one that went, the path that it has. */
  path: string;
  /** As git tells it: how much of the text is the same, in percent. */
  similarity: number;
  /** Of a file that came: what changed in it besides, as git prints it; '' for nothing, and of a file that went. */
  diff: string;
}

/** What of a hunk tells whether it is half of a rename. */
interface Half {
  path: string;
  kind: string;
  before: { lines: readonly string[] };
  after: { lines: readonly string[] };
}

/** git's own default. */
const SIMILAR = 50;
/** So many pairs of files are compared; of more, only those that are the same. */
const PAIRS = 2_500;

/** By path, the other halves of those that are renamed; each is half of one. */
export function renamesIn(hunks: readonly Half[]): Map<string, Renamed> {
  const gone = hunks.filter(({ kind }) => kind === 'delete');
  const come = hunks.filter(({ kind }) => kind === 'create');
  const found = new Map<string, Renamed>();
  const pairs = gone.length * come.length <= PAIRS ? similarPairs(gone, come) : samePairs(gone, come);
  for (const { from, to, similarity } of pairs.sort((a, b) => b.similarity - a.similarity)) {
    if (found.has(from.path) || found.has(to.path)) continue;
    found.set(from.path, { path: to.path, similarity, diff: '' });
    found.set(to.path, { path: from.path, similarity, diff: similarity === 100 ? '' : diffOf(from, to) });
  }
  return found;
}

interface Pair {
  from: Half;
  to: Half;
  similarity: number;
}

function similarPairs(gone: readonly Half[], come: readonly Half[]): Pair[] {
  return gone
    .flatMap(from =>
      come.map(to => ({ from, to, similarity: similarity(from.before.lines, to.after.lines) })),
    )
    .filter(pair => pair.similarity >= SIMILAR);
}

function samePairs(gone: readonly Half[], come: readonly Half[]): Pair[] {
  const texts = new Map(gone.map(from => [from.before.lines.join('\n'), from]));
  return come.flatMap(to => {
    const from = texts.get(to.after.lines.join('\n'));
    return from ? [{ from, to, similarity: 100 }] : [];
  });
}

/** The part of the larger text that both have, by lines wherever they stand. An empty file is like no other. */
function similarity(old: readonly string[], now: readonly string[]): number {
  if (old.length === 0 || now.length === 0) return 0;
  if (old.join('\n') === now.join('\n')) return 100;
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of now) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    shared += line.length + 1;
  }
  const size = (lines: readonly string[]): number => lines.reduce((sum, one) => sum + one.length + 1, 0);
  // The same lines in another order are not the same text.
  return Math.min(99, Math.floor((100 * shared) / Math.max(size(old), size(now))));
}

function diffOf(from: Half, to: Half): string {
  const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');
  const texts = { oldText: joined(from.before.lines), newText: joined(to.after.lines) };
  return unifiedDiff({ oldPath: from.path, newPath: to.path, ...texts }).text;
}

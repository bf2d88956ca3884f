/**
 * Which commit wrote each line of a file. Lines are followed from the newest commit to the oldest: what a parent has
 * unchanged is the parent's, the first parent asked first; what no parent has was written here. A file that was moved
 * is followed under its old name, and a landed commit leads on to the edits of the trail that it holds.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { textFile } from '../text/document.ts';
import { lineDiff } from '../text/line-diff.ts';
import { lineBreakOf, linesOf } from '../text/lines.ts';
import { readBelow, readEntry, readEntryOrNull, type TrailEntry } from './walk.ts';

/** One line and where it came from. */
export interface BlamedLine {
  /** 1-based, in the file that was asked for. */
  line: number;
  entry: TrailEntry;
  /** The file's path in that commit. */
  path: string;
  /** 1-based, in that commit's file. */
  original: number;
}

/** A file of one commit, and the lines that are still to be placed: final number to number here, both 1-based. */
interface Suspect {
  entry: TrailEntry;
  path: string;
  blob: string;
  lines: Map<number, number>;
}

/**
 * Blames lines `from` to `to` (1-based, inclusive) of the file at `path` in `commit`, in order. `null` when there is no
 * such file there. Throws BINARY_FILE, NOT_UTF8, CORRUPT.
 */
export async function blame(
  objects: ObjectDatabase,
  commit: string,
  path: string,
  range: (lines: number) => { from: number; to: number },
): Promise<BlamedLine[] | null> {
  const entry = await readEntry(objects, commit);
  const held = await lookup(objects, entry.tree, path);
  if (!held?.mode.startsWith('100')) return null;
  const { from, to } = range(linesOf(await textOf(objects, path, held.oid)).count);
  const lines = new Map<number, number>();
  for (let line = Math.max(from, 1); line <= to; line++) lines.set(line, line);
  const found = await new Blamer(objects).run({ entry, path, blob: held.oid, lines });
  return found.sort((a, b) => a.line - b.line);
}

/**
 * For a commit that joins two histories: which commits of the second one wrote these lines (1-based) of its file. Lines
 * that the second one does not have either are left out. Throws BINARY_FILE, NOT_UTF8, CORRUPT.
 */
export async function blameJoined(
  objects: ObjectDatabase,
  join: TrailEntry,
  path: string,
  wanted: readonly number[],
): Promise<BlamedLine[]> {
  const held = await lookup(objects, join.tree, path);
  if (!held?.mode.startsWith('100') || wanted.length === 0) return [];
  const entry = { ...join, parents: join.parents.slice(1) };
  const lines = new Map(wanted.map(line => [line, line]));
  const found = await new Blamer(objects).run({ entry, path, blob: held.oid, lines });
  return found.filter(one => one.entry !== entry).sort((a, b) => a.line - b.line);
}

async function textOf(objects: ObjectDatabase, path: string, blob: string): Promise<string> {
  return textFile(path, (await objects.read(blob, 'blob')).content, blob).text;
}

class Blamer {
  readonly #objects: ObjectDatabase;
  readonly #open = new Map<string, Suspect>();
  readonly #found: BlamedLine[] = [];

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  async run(first: Suspect): Promise<BlamedLine[]> {
    this.#add(first);
    for (let next = this.#newest(); next; next = this.#newest()) await this.#place(next);
    return this.#found;
  }

  /** Two ways to the same commit meet there before it is looked at, as the newest is always taken first. */
  #newest(): Suspect | undefined {
    let best: Suspect | undefined;
    for (const one of this.#open.values()) if (!best || one.entry.time > best.entry.time) best = one;
    if (best) this.#open.delete(`${best.entry.commit}\0${best.path}`);
    return best;
  }

  #add(suspect: Suspect): void {
    const key = `${suspect.entry.commit}\0${suspect.path}`;
    const known = this.#open.get(key);
    if (!known) this.#open.set(key, suspect);
    else for (const [line, here] of suspect.lines) known.lines.set(line, here);
  }

  async #place(suspect: Suspect): Promise<void> {
    const { parents, lands = [] } = suspect.entry;
    const landed = lands.map(({ last }) => last).reverse();
    for (const oid of [...parents, ...landed]) {
      if (suspect.lines.size === 0) return;
      // The trail of a landed edit may be pruned since.
      const parent = await (parents.includes(oid) ? readBelow : readEntryOrNull)(this.#objects, oid);
      if (parent) await this.#ask(suspect, parent);
    }
    const { entry, path } = suspect;
    for (const [line, original] of suspect.lines) this.#found.push({ line, entry, path, original });
  }

  /** Hands the lines that the parent has over to it. */
  async #ask(suspect: Suspect, parent: TrailEntry): Promise<void> {
    const source = await this.#sourceOf(suspect, parent);
    if (!source) return;
    if (source.blob === suspect.blob) {
      this.#add({ entry: parent, ...source, lines: suspect.lines });
      suspect.lines = new Map();
      return;
    }
    const kept = await this.#keptLines(suspect, source);
    if (kept.size === 0) return;
    for (const line of kept.keys()) suspect.lines.delete(line);
    this.#add({ entry: parent, ...source, lines: kept });
  }

  /** The file in the parent: under the same name, or the one that was moved here. */
  async #sourceOf(
    { entry, path, blob }: Suspect,
    parent: TrailEntry,
  ): Promise<{ path: string; blob: string } | null> {
    const untouched = entry.meta && entry.parents.length === 1 && !entry.meta.paths.includes(path);
    if (untouched) return { path, blob };
    const held = await lookup(this.#objects, parent.tree, path);
    if (held) return held.mode.startsWith('100') ? { path, blob: held.oid } : null;
    return this.#movedFrom(entry, parent, path, blob);
  }

  async #movedFrom(
    entry: TrailEntry,
    parent: TrailEntry,
    path: string,
    blob: string,
  ): Promise<{ path: string; blob: string } | null> {
    const gone = (await diffTrees(this.#objects, parent.tree, entry.tree)).filter(change => !change.after);
    const same = gone.filter(change => change.before?.oid === blob);
    const named =
      entry.meta?.op === 'move' ? gone.filter(change => entry.meta!.paths.includes(change.path)) : [];
    const source = same[0] ?? (named.length === 1 ? named[0] : undefined);
    return source && source.path !== path ? { path: source.path, blob: source.before!.oid } : null;
  }

  async #keptLines(suspect: Suspect, source: { path: string; blob: string }): Promise<Map<number, number>> {
    const [old, now] = await Promise.all(
      [source, suspect].map(one => textOf(this.#objects, one.path, one.blob)),
    );
    const { changes } = lineDiff(old!, now!, lineBreakOf(now!));
    const kept = new Map<number, number>();
    let shift = 0;
    let next = 0;
    for (const [line, here] of [...suspect.lines].sort((a, b) => a[1] - b[1])) {
      while (next < changes.length && changes[next]!.newEnd < here) {
        const { oldStart, oldEnd, newStart, newEnd } = changes[next++]!;
        shift += oldEnd - oldStart - (newEnd - newStart);
      }
      const change = changes[next];
      if (!change || here <= change.newStart) kept.set(line, here + shift);
    }
    return kept;
  }
}

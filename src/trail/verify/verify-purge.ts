/**
 * Checks that purges are what their tombstones say. The old ids are put back into what a purge made, and the hash of that has to
 * be the old id: then the text gave way to its marker, and nothing else is another.
 */

import { latin1 } from '../../bytes.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { revList } from '../../git/rev-list.ts';
import { isPurge } from '../../operations.ts';
import { shortId } from '../../wording.ts';
import { putTogether, Trees, takeApart } from '../purge/rewriting.ts';
import { MARKER, readTombstone, type Tombstone } from '../purge/tombstone.ts';
import { type TrailEntry, treeOf } from '../walk.ts';
import { type Fault, type FaultKind, fault, faultsOf } from './faults.ts';

/** The purges of a history, checked from the newest one back. */
export class Purges {
  /** Ids that commits had before, as far as that is proven. */
  readonly old: Set<string> = new Set();
  readonly #objects: ObjectDatabase;
  /** Commits and contents that a purge made. */
  readonly #commits = new Set<string>();
  readonly #blobs = new Set<string>();
  /** Objects as they were before, made anew to be hashed. */
  readonly #before = new Map<string, Uint8Array>();
  /** Old ids of commits whose own words changed: what they were nobody can tell. */
  readonly #lost = new Set<string>();

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  /** Checks tombstones against the entries of the history, oldest first. */
  async check(entries: readonly TrailEntry[]): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const entry of entries.toReversed())
      if (isPurge(entry.meta?.op))
        faults.push(...(await faultsOf(entry.commit, null, () => this.#checkOne(entry))));
    return faults;
  }

  async #checkOne({ commit, parents }: TrailEntry): Promise<Fault[]> {
    const wrong = (words: string): Fault[] => [fault('purge', commit, words)];
    const tombstone = parents.length === 2 ? await readTombstone(this.#objects, parents[1]!) : null;
    if (!tombstone || tombstone.commits.size === 0)
      return wrong('It is a purge, and joins no tombstone that says which commits it rewrote.');
    const ids = new Map([...tombstone.commits].map(([old, now]) => [now, old]));
    const blobs = new Map([...tombstone.blobs].map(([old, now]) => [now, old]));
    if (ids.size < tombstone.commits.size || blobs.size < tombstone.blobs.size)
      return wrong('Its tombstone makes one of two: which of them was what, nobody could tell.');
    for (const now of blobs.keys())
      if (await this.#isUnmarked(now))
        return wrong(
          `Its tombstone says that ${shortId(now)} stands for text that is gone, and it has no ${MARKER}.`,
        );
    const below = await revList(this.#objects, commit, null);
    return this.#checkCommits(commit, tombstone, { ids, blobs, below });
  }

  async #isUnmarked(blob: string): Promise<boolean> {
    this.#blobs.add(blob);
    const object = await this.#objects.readOrNull(blob);
    return object !== null && !latin1(object.content).replaceAll('\0', '').includes(MARKER);
  }

  async #checkCommits(
    purge: string,
    { commits, moved, words }: Tombstone,
    {
      ids,
      blobs,
      below,
    }: { ids: Map<string, string>; blobs: Map<string, string>; below: ReadonlySet<string> },
  ): Promise<Fault[]> {
    const { codec } = this.#objects;
    const trees = new Trees({
      read: async (oid, type) => this.#before.get(oid) ?? (await this.#objects.read(oid, type)).content,
      blob: oid => blobs.get(oid),
      put: async (type, content) => {
        const oid = await codec.hash(type, content);
        this.#before.set(oid, content);
        return oid;
      },
    });
    for (const [old, now] of commits) {
      const made = this.#before.get(now) ?? (below.has(now) ? await this.#content(now) : undefined);
      if (made === undefined && this.#lost.has(now)) this.#lost.add(old);
      else if (made === undefined)
        return [fault('purge', purge, `Its tombstone names ${shortId(now)}, which is not below it.`)];
      else {
        const is = takeApart(made);
        const was = putTogether({ ...is, tree: moved.has(old) ? is.tree : await trees.of(is.tree) }, one =>
          ids.get(one),
        );
        if (words.has(old) ? !is.rest.includes(MARKER) : (await codec.hash('commit', was)) !== old)
          return [
            fault('purge', now, `A tombstone says that it was ${shortId(old)}; that was another commit.`),
          ];
        if (words.has(old)) this.#lost.add(old);
        else this.#before.set(old, was);
      }
      this.#commits.add(now);
      this.old.add(old);
    }
    return [];
  }

  async #content(oid: string): Promise<Uint8Array> {
    return (await this.#objects.read(oid, 'commit')).content;
  }

  /** True for the expected start of an id that a commit had before. */
  hasOld(prefix: string): boolean {
    return [...this.old].some(oid => oid.startsWith(prefix));
  }

  /** Leaves out what only says that a marker stands where the text stood: that is proven. */
  async withoutMarked(
    { commit, tree, parents, meta }: TrailEntry,
    faults: readonly Fault[],
  ): Promise<Fault[]> {
    if (faults.length === 0 || !this.#commits.has(commit)) return [...faults];
    const trees = [tree];
    for (const parent of parents) trees.push(await treeOf(this.#objects, parent));
    const isMarked = async (path: string): Promise<boolean> => {
      for (const one of trees) {
        const at = await lookup(this.#objects, one, path);
        if (at && this.#blobs.has(at.oid)) return true;
      }
      return false;
    };
    const left: Fault[] = [];
    for (const one of faults) {
      const paths = one.path === null ? (meta?.paths ?? []) : [one.path];
      const marked = ABOUT_TEXT.has(one.kind) ? await Promise.all(paths.map(isMarked)) : [];
      if (!marked.includes(true)) left.push(one);
    }
    return left;
  }
}

const ABOUT_TEXT: ReadonlySet<FaultKind> = new Set(['paths', 'lines', 'sync', 'back']);

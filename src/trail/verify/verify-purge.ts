/** A rewritten history is checked like any other; what only says that a marker stands where text stood is no fault. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { idsToday, type Purged } from '../purged.ts';
import { type TrailEntry, treeOf } from '../walk.ts';
import type { Fault, FaultKind } from './faults.ts';

const ABOUT_TEXT: ReadonlySet<FaultKind> = new Set(['paths', 'lines', 'sync', 'back']);

/** The traces of this clone's purges in a history. */
export class Purges {
  readonly #objects: ObjectDatabase;
  readonly #purged: Purged | null;
  /** Commits and contents that purges made. */
  readonly #commits: ReadonlySet<string>;
  readonly #blobs: ReadonlySet<string>;

  /** `purged`: what was purged here; `null`: nothing. */
  constructor(objects: ObjectDatabase, purged: Purged | null) {
    this.#objects = objects;
    this.#purged = purged;
    this.#commits = new Set(purged?.commits.values());
    this.#blobs = new Set(purged?.blobs.values());
  }

  /** The ids of today of a commit that had this id, or one with this start, before a purge. */
  today(prefix: string): string[] {
    return this.#purged ? idsToday(this.#purged, prefix) : [];
  }

  /** Leaves out faults that are about text of a file in which a marker stands. */
  async withoutMarked(entry: TrailEntry, faults: readonly Fault[]): Promise<Fault[]> {
    if (faults.length === 0 || !this.#commits.has(entry.commit)) return [...faults];
    const trees = [entry.tree];
    for (const parent of entry.parents) trees.push(await treeOf(this.#objects, parent));
    const left: Fault[] = [];
    for (const one of faults) {
      const paths = one.path === null ? (entry.meta?.paths ?? []) : [one.path];
      const isMarked = ABOUT_TEXT.has(one.kind) && (await this.#isMarked(trees, paths));
      if (!isMarked) left.push(one);
    }
    return left;
  }

  async #isMarked(trees: readonly string[], paths: readonly string[]): Promise<boolean> {
    for (const path of paths)
      for (const tree of trees) {
        const at = await lookup(this.#objects, tree, path);
        if (at && this.#blobs.has(at.oid)) return true;
      }
    return false;
  }
}

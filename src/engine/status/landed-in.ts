/**
 * Finds the commit of HEAD's history that brought an edit: the oldest one that has anything of what it did. The history saw
 * HEAD with it and without it; between these two it is looked for.
 */

import { isAncestor, revList } from '../../git/rev-list.ts';
import { rowsInTree } from '../../history/file-rows.ts';
import { treeOf } from '../../history/walk.ts';
import type { LineFile, LineFiles, SeenHead } from '../../line/files.ts';
import { heldRows, type Row, wasInHead } from '../../line/row.ts';
import type { Fate } from '../../line/words.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** The most commits to look through for one edit. */
const MOST_LOOKED_AT = 500;

/** A file to which an edit did something, and what became of that. */
export interface DoneTo {
  file: LineFile;
  fates: readonly Fate[];
}

export class LandedIn {
  readonly #snapshot: Snapshot;
  readonly #heads: readonly SeenHead[];
  readonly #inHead = new Map<string, Promise<boolean>>();
  readonly #between = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #held = new Map<LineFile, Map<string, Promise<ReadonlySet<Row>>>>();

  constructor(snapshot: Snapshot, { heads }: Pick<LineFiles, 'heads'>) {
    this.#snapshot = snapshot;
    this.#heads = heads;
  }

  /** `at`: the edit's place on the line. `then`: HEAD when it was made; a commit that was there did not bring it. */
  async of(at: number, then: string | undefined, done: readonly DoneTo[]): Promise<string | null> {
    for (const { file, fates } of done) {
      const mine = fates.filter(({ word }) => word !== 'nothing left');
      const has = (isHeld: (row: Row) => boolean): boolean =>
        mine.some(({ row, isPut }) => isHeld(row) === isPut);
      const found = mine.length === 0 ? null : await this.#firstSeen(at, has);
      if (found?.with && !(then !== undefined && (await this.#isAncestor(found.with, then))))
        return this.#firstWith(file, has, found.with, found.without);
    }
    return null;
  }

  /** The first HEAD since an event that has it and still is of HEAD's history, and the last one before that has not. */
  async #firstSeen(
    at: number,
    has: (isHeld: (row: Row) => boolean) => boolean,
  ): Promise<{ with: string; without: string | null } | null> {
    let without: string | null = null;
    for (const seen of this.#heads) {
      const isIn = seen.at > at && has(row => wasInHead(row, seen.at));
      if (!isIn) without = seen.commit;
      else if (seen.commit !== null && (await this.#isInHead(seen.commit)))
        return { with: seen.commit, without };
    }
    return null;
  }

  /** False for what was amended, rebased or reset away. */
  #isInHead(commit: string): Promise<boolean> {
    const { head } = this.#snapshot.trail;
    return head === null ? Promise.resolve(false) : this.#isAncestor(commit, head);
  }

  #isAncestor(commit: string, of: string): Promise<boolean> {
    const name = `${commit} ${of}`;
    const known = this.#inHead.get(name) ?? isAncestor(this.#snapshot.context.objects, commit, of);
    this.#inHead.set(name, known);
    return known;
  }

  /** Goes down from a commit that has it, as long as a commit below it has it too; not to one `without` it. */
  async #firstWith(
    file: LineFile,
    has: (isHeld: (row: Row) => boolean) => boolean,
    newest: string,
    without: string | null,
  ): Promise<string> {
    const { objects } = this.#snapshot.context;
    const name = `${newest} ${without}`;
    const listed = this.#between.get(name) ?? revList(objects, newest, without);
    this.#between.set(name, listed);
    const between = await listed;
    let now = newest;
    for (let looked = 0; looked < MOST_LOOKED_AT; ) {
      const below = ((await objects.commitInfo(now))?.parents ?? []).filter(oid => between.has(oid));
      let next: string | null = null;
      for (const oid of below) {
        looked++;
        const held = next === null ? await this.#heldAt(file, oid) : null;
        if (held && has(row => held.has(row))) next = oid;
      }
      if (next === null) return now;
      now = next;
    }
    return now;
  }

  #heldAt(file: LineFile, commit: string): Promise<ReadonlySet<Row>> {
    const known = this.#held.get(file) ?? new Map<string, Promise<ReadonlySet<Row>>>();
    this.#held.set(file, known);
    const held = known.get(commit) ?? this.#readHeld(file, commit);
    known.set(commit, held);
    return held;
  }

  async #readHeld({ names, weave }: LineFile, commit: string): Promise<ReadonlySet<Row>> {
    const { objects } = this.#snapshot.context;
    const tree = await treeOf(objects, commit);
    return heldRows(weave.rows(), await rowsInTree(objects, tree, names));
  }
}

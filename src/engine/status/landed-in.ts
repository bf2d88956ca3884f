/**
 * Finds the commit of HEAD's history that brought an edit: the oldest one that has anything of what it did. The history saw
 * HEAD with it and without it; between these two it is looked for.
 */

import { listRefs } from '../../git/refs/ref-list.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { rowsInTree } from '../../history/file-rows.ts';
import type { Lands } from '../../history/landing/lands-trailer.ts';
import { readEntryOrNull, treeOf, walkRows } from '../../history/walk.ts';
import type { LineFile, LineFiles, SeenHead } from '../../line/files.ts';
import { heldRows, type Row, wasInHead } from '../../line/row.ts';
import type { Fate } from '../../line/words.ts';
import { isOutside } from '../../operations.ts';
import type { Context } from '../context.ts';
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

/** Where there are more branches than these, none is looked at. */
const BRANCHES = 100;

/** Answers of a commit of the trail the one that says to hold it, or `null`; reads the trail as far as to the commit. */
export function landedOnBranches(snapshot: Snapshot): (commit: string) => Promise<string | null> {
  const known = new Map<string, string | null>();
  let walk: AsyncGenerator<void> | null = null;
  return async commit => {
    walk ??= read(snapshot, known);
    while (!known.has(commit)) if ((await walk.next()).done) return null;
    return known.get(commit) ?? null;
  };
}

/** Tells of the commits of the trail, newest first. A row that began below all of it ends with it; outside changes land only by name. */
async function* read({ context, trail }: Snapshot, known: Map<string, string | null>): AsyncGenerator<void> {
  const { objects } = context;
  const { tip, checkedOut, mirror = false, head } = trail;
  // The HEAD that another clone's trail stands on is the one over there.
  const isSaid = checkedOut || mirror;
  const missing = isSaid || tip === null ? null : await revList(objects, tip, head);
  const branches = isSaid ? await otherBranches(context, trail.ref) : head === null ? [] : [head];
  const landed = await landings(context, branches, tip);
  // By the commit that a row ends before, the commit that says so.
  const open = new Map<string, string>();
  for await (const rows of walkRows(objects, tip, { ownOnly: !checkedOut })) {
    for (const { commit, op } of rows) {
      open.delete(commit);
      const ends = landed.filter(({ last }) => last === commit);
      for (const { after, by } of ends) if (after !== null && !known.has(after)) open.set(after, by);
      const own = ends.find(({ after }) => after === null)?.by;
      const [row] = isOutside(op) ? [] : open.values();
      known.set(commit, own ?? row ?? (missing?.has(commit) === false ? commit : null));
    }
    yield;
  }
}

/** Reads what commits of these branches that the trail does not have say to land, newest first; what is damaged says nothing. */
async function landings(
  { objects }: Context,
  branches: readonly string[],
  tip: string | null,
): Promise<Array<Lands & { by: string }>> {
  const oids = new Set<string>();
  for (const branch of branches)
    for (const oid of await revList(objects, branch, tip).catch(() => [])) oids.add(oid);
  const entries = await Promise.all([...oids].map(oid => readEntryOrNull(objects, oid).catch(() => null)));
  const landing = entries.filter(entry => entry !== null).sort((a, b) => b.time - a.time);
  return landing.flatMap(({ commit: by, lands = [] }) => lands.map(one => ({ ...one, by })));
}

/** A branch that is damaged is no reason not to read the trail. */
async function otherBranches({ repo }: Context, ref: string): Promise<string[]> {
  const heads = await listRefs(repo, 'refs/heads/').catch(() => []);
  const others = heads.filter(({ name }) => name !== ref).map(({ oid }) => oid);
  return others.length > BRANCHES ? [] : others;
}

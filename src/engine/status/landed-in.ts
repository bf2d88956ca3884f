/**
 * Finds the commit of HEAD's history that brought an edit: the oldest one that has anything of what it did. The history saw
 * HEAD with it and without it; between these two it is looked for.
 */

import { listRefs } from '../../git/refs/ref-list.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { rowsInTree } from '../../history/file-rows.ts';
import type { Lands } from '../../history/landing/lands-trailer.ts';
import { readEntryOrNull, treeOf, walkRows } from '../../history/walk.ts';
import { memo } from '../../lazy.ts';
import { equalRows } from '../../line/equal-rows.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import { heldRows, type Row, wasInHead } from '../../line/row.ts';
import { deciding } from '../../line/standing.ts';
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

/** Tells whether a row is held. */
type IsHeld = (row: Row) => boolean;

/**
 * Answers of an edit the commit of HEAD that brought it: what decides what is said of it, else anything that it did; `null`: none. `at`: the edit's place on the line. `then`: HEAD when it was
 * made; a commit that was there did not bring it.
 */
export function landedIn(
  { context: { objects }, trail }: Snapshot,
  { heads }: Pick<LineFiles, 'heads'>,
): (at: number, then: string | undefined, done: readonly DoneTo[]) => Promise<string | null> {
  const isBelow = memo((of: string) => memo((commit: string) => isAncestor(objects, commit, of)));
  const between = memo((newest: string) =>
    memo((without: string | null) => revList(objects, newest, without)),
  );
  // At one of its names there may have been another file then.
  const heldAt = memo(({ names, weave }: LineFile) =>
    memo(async (commit: string) => {
      const tree = await treeOf(objects, commit);
      let most: ReadonlySet<Row> = new Set();
      for (const name of names) {
        const held = heldRows(weave.rows(), await rowsInTree(objects, tree, [name]));
        if (held.size > most.size) most = held;
      }
      return most;
    }),
  );
  const equalTo = memo(({ weave }: LineFile) => equalRows(weave.rows()).headsOf);

  /** The first HEAD since an event that has it and still is of HEAD's history, and the last one before that has not. */
  const firstSeen = async (at: number, has: (isHeld: IsHeld) => boolean) => {
    let without: string | null = null;
    for (const { at: place, commit } of heads) {
      const isIn = place > at && has(row => wasInHead(row, place));
      if (!isIn) without = commit;
      // What was amended, rebased or reset away is not.
      else if (commit !== null && trail.head !== null && (await isBelow(trail.head)(commit)))
        return { with: commit, without };
    }
    return null;
  };

  /** Goes down from a commit that has it, as long as a commit below it has it too; not to one `without` it. */
  const firstWith = async (
    file: LineFile,
    has: (isHeld: IsHeld) => boolean,
    seen: { with: string; without: string | null },
  ): Promise<string> => {
    const among = await between(seen.with)(seen.without);
    let now = seen.with;
    for (let looked = 0; looked < MOST_LOOKED_AT; ) {
      const below = ((await objects.commitInfo(now))?.parents ?? []).filter(oid => among.has(oid));
      let next: string | null = null;
      for (const oid of below) {
        looked++;
        const held = next === null ? await heldAt(file)(oid) : null;
        if (held && has(row => held.has(row))) next = oid;
      }
      if (next === null) return now;
      now = next;
    }
    return now;
  };

  return async (at, then, done) => {
    const left = done.map(({ file, fates }) => ({
      file,
      fates: fates.filter(({ word }) => word !== 'nothing left'),
    }));
    // Somebody else may have taken out what it took out: where something decides what is said of it, that counts.
    const decided = left.map(({ file, fates }) => ({ file, fates: deciding(fates) }));
    for (const { file, fates: mine } of [...decided, ...left]) {
      const headsOf = equalTo(file);
      const has = (isHeld: IsHeld): boolean =>
        mine.some(({ place, isPut }) => {
          const head = headsOf.get(place);
          return (isHeld(place) || (head !== undefined && isHeld(head))) === isPut;
        });
      const seen = mine.length === 0 ? null : await firstSeen(at, has);
      if (seen && !(then !== undefined && (await isBelow(then)(seen.with))))
        return firstWith(file, has, seen);
    }
    return null;
  };
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

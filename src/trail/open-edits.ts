/** Of what is pending, the edits that still have something to bring: the ones that are told to have not landed. */

import { isOutside } from '../operations.ts';
import type { TrailEntry } from './walk.ts';

/** A commit of the trail that may not be in the branch yet. */
export interface PendingEntry {
  entry: TrailEntry;
  /** Its paths that HEAD does not hold, and never held, as the trail did then. */
  paths: string[];
  /** Those of them at which the branch has its text all the same, beside other text. */
  held: ReadonlySet<string>;
  /** Those of them at which a rollback or a restore that is pending too left nothing of it. */
  void: ReadonlySet<string>;
  /** True when a later commit took it back, and none of these took that back. */
  undone: boolean;
  /** True when a commit of the branch holds it. */
  landed: boolean;
  /**
   * How many newer commits bring changes that they do not name: of a person, or of joined histories. Entries of one number
   * follow each other at each path, so that what one left there is what the next was made on.
   */
  stretch: number;
  /** True where the trail was read through merges of hosts that share it, so that entries are those of several lines. */
  joined?: true;
  /** True where it is chosen, and not all of its paths are. */
  part?: true;
}

/** Of pending entries, the edits that still have something to bring: not on the branch, and not taken back. */
export function openEdits(entries: readonly PendingEntry[]): PendingEntry[] {
  const brings = ({ paths, void: gone, held }: PendingEntry): boolean =>
    paths.some(path => !gone.has(path) && !held.has(path));
  return standingEdits(entries).filter(one => !one.landed && brings(one));
}

/**
 * Without edits that were taken back, and without what took them back. What takes back or puts back edits that are all
 * among these, and not on the branch, brings nothing besides.
 */
export function standingEdits(entries: readonly PendingEntry[]): PendingEntry[] {
  const edits = entries.filter(({ entry }) => !isOutside(entry.meta!.op));
  const open = new Set(edits.filter(one => !isThere(one)).map(({ entry }) => entry.commit));
  return edits.filter(({ entry, undone, paths, void: gone }) => {
    const named = [...(entry.meta!.undoes ?? []), ...(entry.meta!.redoes ?? [])];
    const brings = named.length === 0 || !named.every(oid => open.has(oid));
    return !undone && brings && paths.some(path => !gone.has(path));
  });
}

/** True when the branch holds all of it, whether something says so or not. */
export function isThere({ landed, paths, held }: PendingEntry): boolean {
  return landed || paths.every(path => held.has(path));
}

/** Edits that were undone, where a rollback took that back. */
export function keptUndone(entries: readonly PendingEntry[]): ReadonlySet<string> {
  const [kept, undone] = [new Set<string>(), new Set<string>()];
  for (const { entry, paths, void: gone } of entries)
    for (const id of entry.meta!.undoes ?? []) (paths.every(path => gone.has(path)) ? kept : undone).add(id);
  for (const id of undone) kept.delete(id);
  return kept;
}

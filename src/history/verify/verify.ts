/**
 * The check of a whole trail by what it holds itself. A commit that was rewritten, dropped or inserted changes the ids of
 * all later ones: where the rest was made to fit, only an id that was noted before shows it (`expect`).
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import type { TrailTip } from '../head.ts';
import { type Purged, Purges } from '../purged.ts';
import { Below, type ChainOptions, readChain } from './chain.ts';
import { type Fault, fault } from './faults.ts';
import { checkCommit, type VerifyContext } from './verify-commit.ts';

export interface TrailReport {
  /** Oldest first. */
  faults: Fault[];
  /** The number of commits of the engine that were checked. */
  commits: number;
  /** The commit that was checked before, and that all of these are above. */
  since: string | null;
  /** Every path that the engine's commits name, sorted. */
  paths: string[];
}

export interface TrailCheck extends ChainOptions {
  /** Ids, or 4 or more hex digits of one, that must be in the trail. */
  expect: readonly string[];
  /** The ids that purges of this clone changed; `null`: none. */
  purged: Purged | null;
}

/** `objects` should read from the disk: what a cache holds may be better than what is stored. */
export async function verifyTrail(
  objects: ObjectDatabase,
  trail: TrailTip,
  options: TrailCheck,
): Promise<TrailReport> {
  const { links, since, faults } = await readChain(objects, trail, options);
  const below = new Below(objects, { since, ownOnly: !trail.checkedOut });
  const purges = new Purges(objects, options.purged);
  const known: VerifyContext = {
    ...options,
    objects,
    checkedOut: trail.checkedOut,
    below,
    purges,
    lines: new Map(),
  };
  for (const link of links) {
    faults.push(...(await checkCommit(known, link)));
    below.add(link.entry);
  }
  const own = links.filter(link => link.entry.meta);
  return {
    faults: [...faults, ...(await missing(below, purges, options))],
    commits: own.length,
    since: since?.commit ?? null,
    paths: [...new Set(own.flatMap(({ entry }) => entry.meta!.paths))].sort(),
  };
}

async function missing(below: Below, purges: Purges, { expect, since }: TrailCheck): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const prefix of [...expect, ...(since === undefined ? [] : [since])]) {
    const id = prefix.toLowerCase();
    if (await isBelow(below, [id, ...purges.today(id)])) continue;
    const words = `${prefix} is not in the history: it was cut off or rewritten since it was.`;
    faults.push(fault('expected', null, words));
  }
  return faults;
}

async function isBelow(below: Below, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (await below.hasPrefix(id)) return true;
  return false;
}

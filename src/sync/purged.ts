/** Purges and other clones: what was purged does not come in again, and nobody builds on it or hands it on. */

import type { Context } from '../engine/context.ts';
import { purgedHere } from '../engine/revision.ts';
import { asWriter } from '../engine/transaction/writer.ts';
import { EditError } from '../errors.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isAncestor } from '../git/rev-list.ts';
import { isPurge } from '../operations.ts';
import { keepTombstone } from '../purge/apply.ts';
import { readTombstone } from '../trail/purge/tombstone.ts';
import { Purges } from '../trail/verify/verify-purge.ts';
import { readEntryOrNull, type TrailEntry } from '../trail/walk.ts';
import { shortId } from '../wording.ts';
import type { FetchedTip } from './fetch/check-fetched.ts';

/**
 * Looks at a trail that was fetched, and answers the tombstones that it brings, and its mirror by the id that this has since.
 * Throws CORRUPT where it holds what was purged here, or a purge of it changed something else than it says.
 */
export async function lookForPurges(
  context: Context,
  objects: ObjectDatabase,
  { oid, mirror }: FetchedTip,
  news: ReadonlySet<string>,
): Promise<{ tombstones: string[]; mirror: string | null }> {
  const purged = await purgedHere(context);
  for (const one of news)
    if (purged?.commits.has(one))
      throw corrupt(
        `it holds ${shortId(one)}, which was purged here. Whoever has it fetches the history of this clone (vedit push here, vedit fetch there), runs vedit purge there, and pushes or syncs again`,
        oid,
      );
  const purges = await purgesIn(objects, oid, news);
  const [fault] = await new Purges(objects).check(purges);
  if (fault) throw corrupt(`${shortId(fault.commit ?? oid)}: ${fault.message}`, oid);
  const tombstones: string[] = [];
  let last = mirror;
  for (const { parents } of purges) {
    const tombstone = await readTombstone(objects, parents[1]!);
    if (last !== null) last = tombstone?.commits.get(last) ?? last;
    tombstones.push(parents[1]!);
  }
  return { tombstones, mirror: last };
}

function corrupt(why: string, oid: string): EditError {
  return new EditError('CORRUPT', `The history of the remote was not taken: ${why}.`, { oid });
}

/** Finds the commits of purges among the new ones of a trail and of what was merged into it, those of before first. */
async function purgesIn(
  objects: ObjectDatabase,
  tip: string,
  news: ReadonlySet<string>,
): Promise<TrailEntry[]> {
  const found: TrailEntry[] = [];
  const seen = new Set<string>();
  const open: Array<string | TrailEntry> = [tip];
  while (open.length > 0) {
    const next = open.pop()!;
    if (typeof next !== 'string') found.push(next);
    if (typeof next !== 'string' || seen.has(next) || !news.has(next)) continue;
    seen.add(next);
    const entry = await readEntryOrNull(objects, next);
    // It is found when all that it stands on was.
    if (isPurge(entry?.meta?.op)) open.push(entry!);
    open.push(...(entry?.parents ?? []));
  }
  return found;
}

/** Keeps tombstones that came: what they name is refused from now on. */
export async function keepTombstones(context: Context, tombstones: readonly string[]): Promise<void> {
  if (tombstones.length === 0) return;
  await asWriter(context, async turn => {
    for (const oid of tombstones) await keepTombstone(context, oid, turn);
  });
  await purgedHere(context);
}

/** Throws CORRUPT where an own history holds what another clone purged. */
export async function checkOwnPurged(context: Context, tips: ReadonlyArray<string | null>): Promise<void> {
  const { objects } = context;
  for (const old of await oldestPurged(context)) {
    for (const tip of tips) {
      if (tip === null || !(await isAncestor(objects, old, tip))) continue;
      const message = `The history here holds ${shortId(old)}, which another clone purged. Nothing was done, so that it does not come back there. Purge it here too: vedit purge --reason <why>, without a path, takes out what others purged.`;
      throw new EditError('CORRUPT', message, { oid: old });
    }
  }
}

/** Lists the purged commits that are here and stand on no other one: a history that has any has one of them. */
async function oldestPurged(context: Context): Promise<string[]> {
  const purged = (await purgedHere(context))?.commits ?? new Map<string, string>();
  const here = new Map<string, readonly string[]>();
  for (const old of purged.keys()) {
    const info = await context.objects.commitInfo(old);
    if (info) here.set(old, info.parents);
  }
  return [...here].filter(([, parents]) => !parents.some(one => here.has(one))).map(([old]) => old);
}

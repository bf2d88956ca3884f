/**
 * Does what was planned, with the engine's lock held. Every step may be the last one before a crash: the new ids are noted
 * before a trail moves, what a step has done the next purge finds done, and no object goes before nothing leads to it.
 */

import { type Context, packStoreOf } from '../engine/context.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef } from '../engine/transaction/transaction.ts';
import type { LockLease } from '../engine/transaction/writer.ts';
import { createFile, exists, removeIfThere, syncFolder } from '../fs/durable.ts';
import { deleteTrail } from '../maintenance/prune-trails.ts';
import { addPurged, NOTHING_PURGED, type Purged, readPurged } from '../trail/purged.ts';
import { cleanFiles, cleanLogs } from './clean.ts';
import type { Move, Plan } from './plan.ts';
import type { What } from './rewrite.ts';
import { type OwnRef, otherRoots, ownRefs } from './roots.ts';
import { idsIn, removeObjects, storedIn } from './stored.ts';
import type { Tracer } from './tracer.ts';

export interface Applied {
  /** Objects that were taken out of the object store. */
  removed: number;
  /** The number of packs that were made anew without the text. */
  packs: number;
  /** Files of the engine that were changed or removed, below git's folder. */
  cleaned: string[];
}

/** Names a file that is there from before the first ref moves until all is done. */
export function purgingMark(folder: string): string {
  return `${folder}/purging`;
}

/** Moves the refs and removes the objects; `null` where somebody moved a ref since it was planned. The objects of the plan are stored already. */
export async function applyPurge(
  context: Context,
  what: What,
  plan: Plan,
  turn: LockLease,
): Promise<Applied | null> {
  const { fs, objects, folder } = context;
  // No record may bring back what goes now, and all edits are in refs and objects.
  await turn.writer.checkpoints.flushAll(context);
  if (!isSame(plan.own, await ownRefs(context))) return null;
  await mark(context, purgingMark(folder));
  const purged = await noteIds(context, plan);
  for (const move of plan.moves) if (!(await moveRef(context, move, turn))) return null;
  await cleanLogs(context, what, purged, logsOf(plan.own));
  const cleaned = await cleanFiles(context, what, purged);
  await turn.writer.checkpoints.flushAll(context);
  const { removed, packs } = await removeUnreached(context, plan.tracer, turn);
  await removeIfThere(fs, purgingMark(folder));
  // This process remembers nothing of what went.
  objects.forget();
  objects.presentIds = purged.commits;
  return { removed, packs, cleaned };
}

function isSame(planned: readonly OwnRef[], now: readonly OwnRef[]): boolean {
  const named = (refs: readonly OwnRef[]): string => refs.map(({ name, oid }) => `${oid} ${name}`).join('\n');
  return named(planned) === named(now);
}

function logsOf(own: readonly OwnRef[]): Set<string> {
  const names = own.map(({ name }) => name);
  return new Set(own.some(({ checkedOut }) => checkedOut) ? [...names, 'HEAD'] : names);
}

async function mark({ fs, folder }: Context, path: string): Promise<void> {
  if (await exists(fs, path)) return;
  await createFile(fs, path, new Uint8Array());
  await syncFolder(fs, folder);
}

/** Notes which ids become which: who goes on after a crash comes to the same ones. */
async function noteIds(context: Context, { rewritten }: Plan): Promise<Purged> {
  const before = (await readPurged(context)) ?? NOTHING_PURGED;
  return rewritten.commits.size === 0 ? before : addPurged(context, before, rewritten);
}

async function moveRef(context: Context, { ref, now }: Move, turn: LockLease): Promise<boolean> {
  if (now === null) return deleteTrail(context, { ref: ref.name, head: ref.oid, last: '' }, turn);
  const { name, oid, checkedOut } = ref;
  const move = { ref: name, checkedOut, oid, head: checkedOut ? oid : null, commit: now, summary: 'purge' };
  return (await publish(context, movingRef(context, move), turn)).done;
}

/** Takes out every object that leads to the text and that nothing leads to any more. */
async function removeUnreached(
  context: Context,
  tracer: Tracer,
  turn: LockLease,
): Promise<{ removed: number; packs: number }> {
  const { fs, repo, objects } = context;
  await objects.close();
  const own = await ownRefs(context);
  const reached = new Set<string>();
  for (const { oid } of [...own, ...(await otherRoots(context, own, []))])
    await tracer.waysFrom(oid, reached);
  const stored = await storedIn(fs, `${repo.commonDir}/objects`);
  const gone = new Set<string>();
  for (const oid of idsIn(stored)) if (!reached.has(oid) && (await tracer.leads(oid))) gone.add(oid);
  const packs = await removeObjects(packStoreOf(context, turn.lock.token), objects, stored, gone);
  return { removed: gone.size, packs };
}

/**
 * Repair before anything else is done, with the engine's lock held: what was published is finished, what was not is given
 * up. What is decided stands in fs/recovery-rules.ts; here is what is looked at for it, and what is done.
 */

import {
  ensureFolder,
  exists,
  parentOf,
  removeIfThere,
  replaceFile,
  syncFolder,
} from '../../../fs/durable.ts';
import { orNull } from '../../../fs/fs.ts';
import { type Boot, decideRef, type PresentRef, type RefDecision } from '../../../fs/recovery-rules.ts';
import { parseCommit } from '../../../git/objects/commit.ts';
import {
  type LooseObject,
  loosePath,
  syncObjects,
  type Unsynced,
  writeObjects,
} from '../../../git/objects/loose.ts';
import { readRef, refPath } from '../../../git/refs/refs.ts';
import { ancestors } from '../../../git/rev-list.ts';
import { evidenceOf } from '../../../stores/disk/staged-file.ts';
import type { Context } from '../../context.ts';
import { setAside } from '../aside/note.ts';
import type { Frame } from '../journal/frames.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from '../journal/record.ts';
import { removeLocksOf } from '../locks.ts';
import { recoverWorkTree } from './recover-work-tree.ts';
import { byPlace, contextOfWorkTree, type WorkTreeContext } from './work-tree.ts';

export interface RecoveryOptions {
  boot: Boot;
  /** Frames of the journal, oldest first; on the same boot only the last one. */
  frames: readonly Frame<ChangeRecord>[];
}

export interface Recovered {
  /** Messages for people: what was lost, or made again. */
  told: string[];
  /** True when the last record was not published, and must not count later either. */
  dropped: boolean;
}

export async function recover(context: Context, { boot, frames }: RecoveryOptions): Promise<Recovered> {
  const records = frames.flatMap(({ data, objects }) => (checkedRecord(data) ? [{ data, objects }] : []));
  if (records.length === 0) return { told: [], dropped: false };
  await restoreObjects(context, boot, records);
  const told: string[] = [];
  const decided = new Map<string, RefDecision>();
  for (const key of new Set(records.map(({ data }) => refKey(data)))) {
    const own = records.map(({ data }) => data).filter(record => refKey(record) === key);
    decided.set(key, await recoverRef(context, boot, own, told));
  }
  const isOut = ({ data }: Whole): boolean =>
    boot === 'same' && decided.get(refKey(data))!.publication !== 'published';
  for (const group of byPlace(records)) {
    const { told: some, left } = await recoverWorkTree(context, boot, group, { isOut });
    told.push(...some);
    if (left.size === 0) continue;
    const open = group.filter(one => !isOut(one));
    const objects = open.flatMap(one => one.objects);
    await setAside(context, { records: open.map(({ data }) => data), paths: left, objects });
  }
  const { publication } = decided.get(refKey(records.at(-1)!.data))!;
  return { told, dropped: publication === 'taken back' };
}

type Whole = Frame<ChangeRecord>;

/** Returns the key of a record's ref; every work tree has a HEAD of its own. */
function refKey({ ref, worktree }: ChangeRecord): string {
  return ref === 'HEAD' ? JSON.stringify([worktree, ref]) : ref;
}

/** A git gc, or a power cut, may have taken the objects that only the journal holds durably; or left half of one. */
async function restoreObjects(context: Context, boot: Boot, records: readonly Whole[]): Promise<void> {
  const options = context.loose;
  const isThere = async (oid: string): Promise<boolean> =>
    (await exists(options.fs, loosePath(options.objectsDir, oid))) || context.objects.isPacked(oid);
  const unsynced: Unsynced = { files: [], folders: new Set() };
  for (const frame of records) {
    const objects: LooseObject[] = [];
    for (const object of frame.objects)
      if (boot === 'other' || !(await isThere(object.oid))) objects.push(object);
    for await (const object of carriedObjects(context.codec, { ...frame, objects })) {
      const written = await writeObjects(options, [object], false);
      unsynced.files.push(...written.files);
      for (const folder of written.folders) unsynced.folders.add(folder);
    }
  }
  await syncObjects(options.fs, unsynced);
}

async function recoverRef(
  context: Context,
  boot: Boot,
  records: readonly ChangeRecord[],
  told: string[],
): Promise<RefDecision> {
  // The lock of a branch outlives the work tree in which it was taken.
  for (const record of records)
    await removeLocksOf((await contextOfWorkTree(context, record)) ?? context, boot, record);
  const moves = records.flatMap(one => {
    const { old, new: oid, refStaged } = one;
    return oid !== old && refStaged ? [{ ...one, refStaged }] : [];
  });
  const last = records.at(-1)!;
  if (moves.length === 0) return NOTHING_MOVED;
  const own = await contextOfWorkTree(context, last);
  // It was a detached HEAD, and went with its work tree.
  if (!own && last.ref === 'HEAD') return { ...NOTHING_MOVED, publication: 'moved' };
  const place = own ?? context;
  const commits = moves.map(one => one.new);
  const present = await presentRef(context, place, last.ref, commits, moves[0]!.old);
  const readable: string[] = [];
  for (const oid of commits)
    if (boot === 'other' && (await isReadable(context, oid, null))) readable.push(oid);
  const isStaged = boot === 'same' && (await fenceOff(context, last));
  const decision = decideRef({ boot, isStaged, records: moves, present, readable });
  if (decision.set) await setRef(place, last.ref, decision.set);
  if (decision.set && decision.unreadable)
    told.push(
      `${last.ref} was at ${decision.unreadable}, which cannot be read after the power cut; it is at ${decision.set} again`,
    );
  if (decision.keep) {
    // Somebody moved the ref elsewhere: what was acknowledged stays within reach.
    const kept = `refs/vedit-kept/${last.ref.replace(/^refs\//, '')}/${decision.keep.slice(0, 12)}`;
    await setRef(context, kept, decision.keep);
    told.push(
      `${last.ref} was moved before the power cut; the edits that it does not hold are kept as ${kept}`,
    );
  }
  return decision;
}

/**
 * The staged ref is moved aside, so that an owner that was only taken for dead cannot move the ref any more. True when it
 * lies there: then it never was the ref, also when the process that repairs dies in its turn.
 */
async function fenceOff({ fs, folder }: Context, { name }: ChangeRecord): Promise<boolean> {
  const staged = `${folder}/tmp/${name}-ref`;
  await orNull(fs.rename(staged, `${staged}-aside`));
  return exists(fs, `${staged}-aside`);
}

/** Locks were held and no more. */
const NOTHING_MOVED: RefDecision = { set: null, publication: 'published', keep: null, unreadable: null };

async function presentRef(
  context: Context,
  { repo }: WorkTreeContext,
  ref: string,
  moves: readonly string[],
  stop: string | null,
): Promise<PresentRef> {
  const path = refPath(repo, ref);
  const bytes = await orNull(repo.fs.readFile(path)).catch(() => null);
  if (bytes?.every(byte => byte === 0)) return { kind: 'empty' };
  const value = await readRef(repo, ref).catch(() => null);
  if (!value) return { kind: bytes ? 'empty' : 'missing' };
  const stat = await repo.fs.lstat(bytes ? path : `${repo.commonDir}/packed-refs`);
  const readable = await isReadable(context, value, stop);
  const reaches = moves.includes(value) ? [value] : await reached(context, value, moves, stop);
  return { kind: 'value', value, evidence: evidenceOf(stat)!, isReadable: readable, reaches };
}

/** True when the commit and its tree can be read, and those below it down to `stop`, as far as anybody looks. */
async function isReadable({ objects }: Context, commit: string, stop: string | null): Promise<boolean> {
  let next: string | undefined = commit;
  for (let count = 0; next && next !== stop && count < FAR; count++) {
    const object = await objects.readOrNull(next).catch(() => null);
    if (object?.type !== 'commit') return false;
    const { tree, parents } = parseCommit(object.content);
    if (!(await objects.readOrNull(tree).catch(() => null))) return false;
    if (stop === null) return parents.length === 0 || (await objects.has(parents[0]!).catch(() => false));
    next = parents[0];
  }
  return true;
}

/** The most commits of somebody else that are looked at above a record's. */
const FAR = 1_000;

/** Finds those of `wanted` among the ancestors of `from`, no further than `stop`. */
async function reached(
  { objects }: Context,
  from: string,
  wanted: readonly string[],
  stop: string | null,
): Promise<string[]> {
  const found = new Set<string>();
  let count = 0;
  for await (const { oid } of ancestors(objects, [from], { stop, lenient: true })) {
    if (wanted.includes(oid)) found.add(oid);
    if (++count === FAR) break;
  }
  return [...found];
}

async function setRef({ fs, repo, folder }: WorkTreeContext, ref: string, oid: string): Promise<void> {
  const path = refPath(repo, ref);
  for (const made of await ensureFolder(fs, parentOf(path))) await syncFolder(fs, parentOf(made));
  const temp = `${folder}/tmp/recovered-ref`;
  await removeIfThere(fs, temp);
  await replaceFile(fs, path, new TextEncoder().encode(`${oid}\n`), temp);
  await syncFolder(fs, parentOf(path));
}

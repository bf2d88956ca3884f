/**
 * Repair before anything else is done, with the engine's lock held: what was published is finished, what was not is given
 * up. What is decided stands in git/recovery-rules.ts; here is what is looked at for it, and what is done.
 */

import {
  createFile,
  ensureFolder,
  exists,
  parentOf,
  removeIfThere,
  replaceFile,
  syncFolder,
} from '../../git/durable.ts';
import { orNull } from '../../git/fs.ts';
import { lockedByGit, releaseGitLocks, tryGitLocks } from '../../git/git-locks.ts';
import type { Frame } from '../../git/journal-frames.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import { type LooseObject, syncObjects, writeObjects } from '../../git/objects/loose.ts';
import { parseObject } from '../../git/objects/object.ts';
import { lookup } from '../../git/objects/tree.ts';
import {
  type Boot,
  decideIndex,
  decideRef,
  type PresentRef,
  type RefDecision,
} from '../../git/recovery-rules.ts';
import { readRef, refPath } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import { evidenceOf } from '../../stores/disk-stage.ts';
import type { Recovery } from '../../stores/store.ts';
import { type Context, looseOf } from '../context.ts';
import { indexEntry, readIndex, writeIndexEntries } from './index-step.ts';
import { landingFiles } from './landing-files.ts';
import { isByGit } from './landing-git.ts';
import { withoutTorn } from './large-change.ts';
import { lockContent, removeLocksOf } from './locks.ts';
import { type Place, placeOf } from './place.ts';
import { type ChangeRecord, carriedObjects, checkedRecord, type IndexEdit, type Side } from './record.ts';

export interface RecoveryOptions {
  boot: Boot;
  /** What the journal holds and this engine wrote, oldest first; on the same boot only the last. */
  frames: readonly Frame<ChangeRecord>[];
}

export interface Recovered {
  /** What has to be told to people. */
  told: string[];
  /** True when the last record was not published, and must not count later either. */
  dropped: boolean;
}

export async function recover(context: Context, { boot, frames }: RecoveryOptions): Promise<Recovered> {
  const checked = frames.flatMap(({ data, objects }) => (checkedRecord(data) ? [{ data, objects }] : []));
  const records = boot === 'other' ? await withoutTorn(context, checked) : checked;
  if (records.length === 0) return { told: [], dropped: false };
  await restoreObjects(context, records);
  const told: string[] = [];
  const decided = new Map<string, RefDecision>();
  for (const key of new Set(records.map(({ data }) => refKey(data)))) {
    const own = records.map(({ data }) => data).filter(record => refKey(record) === key);
    decided.set(key, await recoverRef(context, boot, own, told));
  }
  for (const group of byPlace(records)) await recoverPlace(context, boot, group, decided, told);
  const { publication } = decided.get(refKey(records.at(-1)!.data))!;
  return { told, dropped: boot === 'same' && publication === 'taken back' };
}

type Whole = Frame<ChangeRecord>;

/** Every work tree has a HEAD of its own. */
function refKey({ ref, worktree }: ChangeRecord): string {
  return ref === 'HEAD' ? JSON.stringify([worktree, ref]) : ref;
}

/** A power cut or a git gc may have taken the objects that only the journal holds durably. */
async function restoreObjects(context: Context, records: readonly Whole[]): Promise<void> {
  const options = looseOf(context);
  const objects: LooseObject[] = [];
  for (const frame of records) objects.push(...(await carriedObjects(context.codec, frame)));
  await syncObjects(options.fs, await writeObjects(options, objects, false));
}

async function recoverRef(
  context: Context,
  boot: Boot,
  records: readonly ChangeRecord[],
  told: string[],
): Promise<RefDecision> {
  // The lock of a branch outlives the work tree in which it was taken.
  for (const record of records)
    await removeLocksOf(((await placeOf(context, record)) ?? context).repo, record);
  const moves = records.flatMap(one =>
    one.new && one.new !== one.old && one.refStaged
      ? [{ ...one, new: one.new, refStaged: one.refStaged }]
      : [],
  );
  const last = records.at(-1)!;
  if (moves.length === 0) return NOTHING_MOVED;
  const own = await placeOf(context, last);
  // It was a detached HEAD, and went with its work tree.
  if (!own && last.ref === 'HEAD') return { ...NOTHING_MOVED, publication: 'moved' };
  const place = own ?? context;
  const present = await presentRef(
    context,
    place,
    last.ref,
    moves.map(one => one.new),
    moves[0]!.old,
  );
  const readable: string[] = [];
  for (const { new: oid } of moves)
    if (boot === 'other' && (await isReadable(context, oid, null))) readable.push(oid);
  const isStaged = boot === 'same' && (await fenceOff(context, last));
  const decision = decideRef({ boot, isStaged, records: moves, present, readable });
  if (decision.set) await setRef(place, last.ref, decision.set);
  if (decision.set && decision.unreadable)
    told.push(
      `${last.ref} was at ${decision.unreadable}, which cannot be read after the power cut; it is at ${decision.set} again`,
    );
  if (decision.keep) told.push(await keepCommit(context, last.ref, decision.keep));
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

/** Git made the commits of a landing, and its index follows whatever git did; or locks were held and no more. */
const NOTHING_MOVED: RefDecision = { set: null, publication: 'published', keep: null, unreadable: null };

async function presentRef(
  context: Context,
  { repo }: Place,
  ref: string,
  moves: readonly string[],
  stop: string | null,
): Promise<PresentRef> {
  const path = refPath(repo, ref);
  const bytes = await orNull(repo.fs.readFile(path)).catch(() => null);
  if (bytes?.every(byte => byte === 0)) return { kind: 'empty' };
  const value = await readRef(repo, ref).catch(() => null);
  if (!value) return { kind: bytes ? 'empty' : 'missing' };
  const stat = await orNull(repo.fs.lstat(bytes ? path : `${repo.commonDir}/packed-refs`));
  const readable = await isReadable(context, value, stop);
  const reaches = moves.includes(value) ? [value] : await reached(context, value, moves, stop);
  return { kind: 'value', value, evidence: evidenceOf(stat)!, isReadable: readable, reaches };
}

/** The commit with its tree, and those below it down to `stop`, as far as anybody looks. */
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

/** So many commits of somebody else are looked at above a record's. */
const FAR = 1_000;

/** Those of `wanted` among the ancestors of `from`, looked for no further than `stop`. */
async function reached(
  { objects }: Context,
  from: string,
  wanted: readonly string[],
  stop: string | null,
): Promise<string[]> {
  const [found, seen, next] = [new Set<string>(), new Set<string>(), [from]];
  for (let oid = next.pop(); oid && seen.size < FAR; oid = next.pop()) {
    if (seen.has(oid)) continue;
    seen.add(oid);
    if (wanted.includes(oid)) found.add(oid);
    if (oid === stop) continue;
    const object = await objects.readOrNull(oid).catch(() => null);
    if (object?.type === 'commit') next.push(...parseCommit(object.content).parents);
  }
  return [...found];
}

async function setRef({ fs, repo, folder }: Place, ref: string, oid: string): Promise<void> {
  const path = refPath(repo, ref);
  for (const made of await ensureFolder(fs, parentOf(path))) await syncFolder(fs, parentOf(made));
  const temp = `${folder}/tmp/recovered-ref`;
  await removeIfThere(fs, temp);
  await replaceFile(fs, path, new TextEncoder().encode(`${oid}\n`), temp);
  await syncFolder(fs, parentOf(path));
}

/** Somebody moved the ref elsewhere: what was acknowledged stays within reach. */
async function keepCommit(context: Context, ref: string, oid: string): Promise<string> {
  const name = `refs/vedit-kept/${ref.replace(/^refs\//, '')}/${oid.slice(0, 12)}`;
  await setRef(context, name, oid);
  return `${ref} was moved before the power cut; the edits that it does not hold are kept as ${name}`;
}

function byPlace(records: readonly Whole[]): Whole[][] {
  const groups = new Map<string, Whole[]>();
  for (const record of records) {
    const key = JSON.stringify([record.data.worktree, record.data.prefix]);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()];
}

async function recoverPlace(
  context: Context,
  boot: Boot,
  group: readonly Whole[],
  decided: ReadonlyMap<string, RefDecision>,
  told: string[],
): Promise<void> {
  const place = await placeOf(context, group[0]!.data);
  if (!place) return;
  const isOut = ({ data }: Whole): boolean =>
    boot === 'same' && decided.get(refKey(data))!.publication !== 'published';
  for (const one of group.filter(isOut))
    if (one.data.store !== null) await place.store.drop?.(one.data.store);
  const records = group.filter(one => !isOut(one));
  const heads = new Heads(
    context,
    place,
    records.map(({ data }) => data),
  );
  const stores = records.flatMap(({ data }) => (data.store === null ? [] : [data.store]));
  const recovery: Recovery = {
    boot,
    blob: version => blobOf(context, records, version),
    isCurrent: path => heads.isCurrent(place.prefix + path),
  };
  if (stores.length > 0) {
    const lost = await place.store.recover(stores, recovery);
    told.push(...lost.map(path => `${path} was lost in a power cut and is made again`));
  }
  await recoverIndex(
    place,
    boot,
    records.map(({ data }) => data),
    heads,
  );
}

async function blobOf(
  { objects }: Context,
  records: readonly Whole[],
  version: string,
): Promise<Uint8Array | null> {
  const found = await objects.readOrNull(version).catch(() => null);
  if (found) return found.content;
  const carried = records.flatMap(one => one.objects).find(one => one.oid === version);
  return carried ? (parseObject(await objects.codec.inflate(carried.deflated))?.content ?? null) : null;
}

/** What the refs hold now at the paths that the records are about. */
class Heads {
  readonly #context: Context;
  readonly #place: Place;
  readonly #last = new Map<string, { ref: string; after: Side }>();
  /** The commit of the last record of each ref, and where the ref is now. */
  readonly #newest = new Map<string, string | null>();
  readonly #refs = new Map<string, Promise<{ oid: string | null; tree: string | null }>>();

  constructor(context: Context, place: Place, records: readonly ChangeRecord[]) {
    this.#context = context;
    this.#place = place;
    for (const { ref, paths, new: oid } of records) {
      this.#newest.set(ref, oid);
      for (const { path, after } of paths) this.#last.set(path, { ref, after });
    }
  }

  /** False where somebody's commit or reset says otherwise than the last record of the path. */
  async isCurrent(path: string): Promise<boolean> {
    const others = await this.others(path);
    const after = this.#last.get(path)?.after ?? null;
    return others === null || (others.head?.version === after?.oid && others.head?.mode === after?.mode);
  }

  /** What somebody's commit has at the path; `null` where the ref is on the commit of its last record. */
  async others(path: string): Promise<{ head: Version } | null> {
    const last = this.#last.get(path);
    if (!last) return { head: null };
    const { oid, tree } = await this.#at(last.ref);
    if (oid === this.#newest.get(last.ref)) return null;
    return { head: asVersion(tree ? await lookup(this.#context.objects, tree, path) : null) };
  }

  #at(ref: string): Promise<{ oid: string | null; tree: string | null }> {
    const known = this.#refs.get(ref) ?? this.#read(ref);
    this.#refs.set(ref, known);
    return known;
  }

  async #read(ref: string): Promise<{ oid: string | null; tree: string | null }> {
    const oid = await readRef(this.#place.repo, ref);
    return { oid, tree: oid && parseCommit((await this.#context.objects.read(oid)).content).tree };
  }
}

async function recoverIndex(
  place: Place,
  boot: Boot,
  records: readonly ChangeRecord[],
  heads: Heads,
): Promise<void> {
  const changed = records.filter(record => record.index !== null);
  for (const record of records) {
    const { landing, ref, name } = record;
    if (!landing || (boot === 'same' && isByGit(record) && !(await wasStarted(place, name)))) continue;
    const { followBranch } = await import('../land/index.ts');
    await withIndexLock(place, name, temp => followBranch(place, { ref, ...landing }, temp));
  }
  if (changed.length === 0) return;
  const stale = await staleEntries(place, boot, changed, heads);
  const last = changed.at(-1)!;
  if (stale.length > 0) await withIndexLock(place, last.name, temp => writeIndexEntries(place, stale, temp));
  await removeIfThere(place.fs, `${place.folder}/tmp/${last.name}-index`);
}

/** The files of a landing go when its index has followed: what the person did to the index since then is his. */
function wasStarted(place: Place, name: string): Promise<boolean> {
  return exists(place.fs, landingFiles(place, name).index);
}

async function staleEntries(
  place: Place,
  boot: Boot,
  records: readonly ChangeRecord[],
  heads: Heads,
): Promise<IndexEdit[]> {
  const index = await readIndex(place);
  const last = records.at(-1)!;
  const entries: Record<string, { present: Version; others: { head: Version } | null }> = {};
  for (const { index: own } of records) {
    for (const { path } of own!.entries)
      entries[path] = { present: asVersion(indexEntry(index, path)), others: await heads.others(path) };
  }
  const stale = decideIndex({
    boot,
    records: records.map(({ index: own }) => ({ ...own!, entries: own!.entries.map(asRule) })),
    publication: 'published',
    present: evidenceOf(await orNull(place.fs.lstat(place.index.path))),
    isStaged: await exists(place.fs, `${place.folder}/tmp/${last.name}-index`),
    entries,
  });
  return stale.map(({ path, before, after }) => ({ path, before: asSide(before), after: asSide(after) }));
}

type Version = { version: string; mode: string } | null;

const asVersion = (side: Side): Version => side && { version: side.oid, mode: side.mode };
const asSide = (version: Version): Side => version && { oid: version.version, mode: version.mode };
const asRule = ({ path, before, after }: IndexEdit): { path: string; before: Version; after: Version } => ({
  path,
  before: asVersion(before),
  after: asVersion(after),
});

async function withIndexLock(
  place: Place,
  name: string,
  write: (temp: string) => Promise<void>,
): Promise<void> {
  const { fs, folder, repo } = place;
  const [staged, temp] = [`${folder}/tmp/${name}-again`, `${folder}/tmp/${name}-again-index`];
  for (const one of [staged, temp]) await removeIfThere(fs, one);

  await createFile(fs, staged, lockContent(null), { sync: false });
  const lock = { path: `${repo.gitDir}/index.lock`, staged };
  const deadline = Date.now() + place.patience.git;
  while (await tryGitLocks(fs, [lock])) {
    if (Date.now() > deadline) throw await lockedByGit(fs, lock.path, repo.commonDir);
    await sleep(20);
  }
  try {
    await write(temp);
  } finally {
    await releaseGitLocks(fs, [lock.path]);
    await removeIfThere(fs, staged);
  }
}

/**
 * Removes what others left in the engine's folder for staged files; `token` is that of this process. Packs are written
 * there without the lock: those of a living process stay unless `all` go.
 */
export async function sweepStaged({ fs, folder }: Context, token: string, all: boolean): Promise<void> {
  for (const name of await fs.readdir(`${folder}/tmp`))
    if (!name.startsWith(`${token}.`) && (all || !name.includes('.pack-')))
      await removeIfThere(fs, `${folder}/tmp/${name}`);
}

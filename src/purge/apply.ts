/**
 * Does what was planned, with the engine's lock held. Every step may be the last one before a crash: the new ids are noted
 * before a trail moves, what a step has done the next purge finds done, and no object goes before nothing leads to it.
 */

import { fromLatin1, latin1, toHex, uint32 } from '../bytes.ts';
import { type Context, packStoreOf } from '../engine/context.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef } from '../engine/transaction/transaction.ts';
import type { LockLease } from '../engine/transaction/writer.ts';
import { createFile, exists, removeIfThere, replaceFile, syncFolder } from '../fs/durable.ts';
import { corrupt } from '../fs/failures.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import { looseObjects } from '../git/objects/count-objects.ts';
import type { PackInput } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { buildPack, type NewPack } from '../git/packs/build-pack.ts';
import { type PackStore, removeLoose, storePack } from '../git/packs/store-pack.ts';
import { gitFolders } from '../git/repository/worktrees.ts';
import { addPurged, NOTHING_PURGED, PURGED, type Purged, readPurged } from '../history/purged.ts';
import { INDEX_FILE } from '../history/trail-index.ts';
import { deleteTrail } from '../maintenance/prune-trails.ts';
import type { Move, Plan } from './plan.ts';
import type { What } from './rewrite.ts';
import { filesBelow, type OwnRef, otherRoots, ownRefs } from './roots.ts';
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
function purgingMark(folder: string): string {
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
  if (now === null) return deleteTrail(context, { ref: ref.name, head: ref.oid }, turn);
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

/** Files of locks, of sockets, those that have no text, and the one of old ids: none of the engine's other files is left out. */
const isLeft = (name: string): boolean =>
  /^(lock|wanted|live|tmp|packs|events|purged|seen\.index.*|journal\..*)$/.test(name);
const ID = /\b[0-9a-f]{40}\b/g;

type Change = (path: string, content: string) => string | null;

/**
 * Cleans the engine's own files: whatever they are for, the text gives way to its marker, and an id that was rewritten to the
 * new one, in names of files too. What is only derived goes, and is made anew. Answers the files that were changed or removed,
 * below git's folder.
 */
async function cleanFiles(context: Context, what: What, purged: Purged): Promise<string[]> {
  const { fs, repo } = context;
  const cleaned: string[] = [];
  const change = changeOf(what, purged);
  for (const gitDir of await gitFolders(repo)) {
    const below = `${gitDir}/vedit`;
    if (await removeIfThere(fs, `${below}/${INDEX_FILE}`)) cleaned.push(`${below}/${INDEX_FILE}`);
    // A link leads to a file that is not the engine's.
    for (const { path, isLink } of await filesBelow(fs, below, isLeft))
      if (!isLink && (await clean(context, path, change))) cleaned.push(path);
  }
  return cleaned.map(path => path.slice(repo.commonDir.length + 1));
}

/** Puts the new ids into the logs of the engine's refs; where HEAD is the trail, into that of HEAD. */
async function cleanLogs(
  context: Context,
  what: What,
  { commits }: Purged,
  own: ReadonlySet<string>,
): Promise<void> {
  for (const gitDir of await gitFolders(context.repo))
    for (const { name, path } of await filesBelow(context.fs, `${gitDir}/logs`))
      if (own.has(name)) await clean(context, path, (_, text) => withIds(said(what, text), commits));
}

function said({ text }: What, content: string): string {
  return text ? text.replacedText(content, PURGED) : content;
}

function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(ID, oid => ids.get(oid) ?? oid);
}

/** Makes the change of a file's content; `null`: it goes. */
function changeOf(what: What, { commits, blobs }: Purged): Change {
  const name = what.path?.split('/').at(-1);
  return (path, content) => {
    // A note with a version that is gone could only bring it back.
    if (path.includes('/vedit/aside/') && holdsOld(content, blobs, what)) return null;
    // Of a path, the text that a person wrote into it in the moment of a crash.
    if (name !== undefined && path.includes('/vedit/kept/') && path.endsWith(name)) return null;
    const lines =
      what.path !== null && /\/refusals[^/]*$/.test(path) ? withoutPath(content, what.path) : content;
    return withIds(said(what, lines), commits);
  };
}

function holdsOld(note: string, blobs: ReadonlyMap<string, string>, { text, path }: What): boolean {
  if ((note.match(ID) ?? []).some(oid => blobs.has(oid))) return true;
  if (path !== null) return note.includes(JSON.stringify(path));
  return text?.isIn(fromLatin1(note)) ?? false;
}

/** Returns the lines of kept refusals, those about the path without message and data: these quote its file. */
function withoutPath(lines: string, path: string): string {
  return lines
    .split('\n')
    .map(line => {
      const { data: _, ...refusal } = line === '' ? { path: null } : JSON.parse(line);
      const isOf = refusal.path === path || refusal.path?.startsWith(`${path}/`);
      return isOf ? JSON.stringify({ ...refusal, message: PURGED }) : line;
    })
    .join('\n');
}

/** Changes one file. True where it changed. */
async function clean(context: Context, path: string, change: Change): Promise<boolean> {
  const { fs, folder } = context;
  const bytes = await orNull(fs.readFile(path));
  if (!bytes) return false;
  const content = latin1(bytes);
  const now = change(path, content);
  if (now === null) return removeIfThere(fs, path);
  const slash = path.lastIndexOf('/');
  const renamed = path.slice(0, slash + 1) + (change(path, path.slice(slash + 1)) ?? '');
  if (now === content && renamed === path) return false;
  const { mode = 0o600 } = (await fs.lstat(path)) ?? {};
  await replaceFile(fs, renamed, fromLatin1(now), `${folder}/tmp/purge-${Date.now()}`, {
    mode: mode & 0o777,
  });
  if (renamed !== path) await removeIfThere(fs, path);
  await syncFolder(fs, path.slice(0, slash));
  return true;
}

/** The objects of one folder, by where they lie. */
interface Stored {
  loose: string[];
  /** By the name of the pack, `pack-<checksum>`. */
  packs: Map<string, string[]>;
}

async function storedIn(fs: Fs, objectsDir: string): Promise<Stored> {
  const loose = await looseObjects(fs, objectsDir);
  const names = new Set((await orNull(fs.readdir(`${objectsDir}/pack`))) ?? []);
  const packs = new Map<string, string[]>();
  for (const name of names) {
    const stem = /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1];
    const index =
      stem && names.has(`${stem}.pack`) ? await orNull(fs.readFile(`${objectsDir}/pack/${name}`)) : null;
    if (stem && index) packs.set(stem, idsOf(name, index));
  }
  return { loose, packs };
}

/** Reads the ids in the index of a pack, version 2 (gitformat-pack(5)). Throws CORRUPT. */
function idsOf(name: string, index: Uint8Array): string[] {
  const [ids, isKnown] = [8 + 256 * 4, latin1(index.subarray(0, 8)) === '\xfftOc\0\0\0\x02'];
  const count = isKnown ? uint32(index, ids - 4) : 0;
  if (!isKnown || index.length < ids + count * 20)
    throw corrupt(`objects/pack/${name}`, 'is no index of version 2');
  return Array.from({ length: count }, (_, i) => toHex(index.subarray(ids + i * 20, ids + i * 20 + 20)));
}

/** Returns all ids, each once. */
function idsIn({ loose, packs }: Stored): Set<string> {
  return new Set([...loose, ...[...packs.values()].flat()]);
}

/**
 * Takes the objects out: a pack that has one of them gives way to one of all others, which is durable before. Answers the
 * number of packs that were rewritten.
 */
async function removeObjects(
  store: PackStore,
  objects: ObjectDatabase,
  { packs }: Stored,
  gone: ReadonlySet<string>,
): Promise<number> {
  const old = [...packs].filter(([, ids]) => ids.some(oid => gone.has(oid)));
  if (gone.size > 0) await removeDerived(store);
  for (const [name, ids] of old) {
    const left = ids.filter(oid => !gone.has(oid));
    const fresh = await buildPack(store.codec, contents(objects, left));
    if (left.length > 0) await keepMarks(store, name, fresh);
    if (left.length > 0) await storePack(store, fresh);
    if (left.length === 0 || fresh.name !== name) await removePack(store, name);
  }
  await removeLoose(store, gone);
  return old.length;
}

async function* contents(objects: ObjectDatabase, ids: readonly string[]): AsyncGenerator<PackInput> {
  for (const oid of ids) yield { oid, ...(await objects.read(oid)) };
}

/** Whoever keeps a pack, or lacks objects that its origin promised, goes on to do so. */
async function keepMarks({ fs, objectsDir }: PackStore, old: string, { name }: NewPack): Promise<void> {
  for (const ending of ['.keep', '.promisor']) {
    const mark = await orNull(fs.readFile(`${objectsDir}/pack/${old}${ending}`));
    const path = `${objectsDir}/pack/${name}${ending}`;
    if (mark && !(await fs.lstat(path))) await createFile(fs, path, mark);
  }
}

/** Removes a pack and its index: the pack first, since git knows no index without its pack. */
async function removePack(store: PackStore, name: string): Promise<void> {
  const { fs } = store;
  const folder = `${store.objectsDir}/pack`;
  const files = ((await orNull(fs.readdir(folder))) ?? []).filter(file => file.startsWith(`${name}.`));
  const order = (file: string): number => (file.endsWith('.pack') ? 0 : 1);
  for (const file of files.sort((a, b) => order(a) - order(b))) await removeIfThere(fs, `${folder}/${file}`);
  await syncFolder(fs, folder);
}

/** Removes files that only save time, and name objects or packs that go: git makes them anew. */
async function removeDerived({ fs, objectsDir }: PackStore): Promise<void> {
  const below = async (folder: string, isDerived: RegExp): Promise<void> => {
    for (const name of (await orNull(fs.readdir(folder))) ?? [])
      if (isDerived.test(name)) await removeIfThere(fs, `${folder}/${name}`);
  };
  await below(`${objectsDir}/pack`, /^multi-pack-index/);
  await below(`${objectsDir}/info/commit-graphs`, /./);
  await below(`${objectsDir}/info`, /^commit-graph$/);
}

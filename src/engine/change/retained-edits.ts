/**
 * Works out what a sync with HEAD keeps of the agents' changes. Most files of the agents are not those that the person
 * committed, and a look tells that they are not as HEAD has them: only what is left is read.
 */

import type { EncodedObject } from '../../git/objects/object.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isTree, type TreeRef } from '../../git/objects/tree-entries.ts';
import { folderOf } from '../../git/paths.ts';
import { foldersAbove } from '../../stores/paths.ts';
import type { StoredFile } from '../../stores/store.ts';
import { blobsOf, type Made, mergeStep } from '../../trail/history/merge-steps.ts';
import { type FileStep, type Recorded, sameRecorded } from '../../trail/steps.ts';
import { type Context, fromTrail } from '../context.ts';
import { Conversion, overRecorded } from '../files/conversion.ts';

/** Trees (`null`: none): what HEAD held when the trail last saw it, what the trail holds, and what HEAD holds now. */
export interface SyncedTrees {
  before: string | null;
  ours: string | null;
  theirs: string;
}

/** The paths that are not to be as HEAD has them, whole folders among them, and the contents that joining made. */
export interface RetainedEdits {
  changes: Map<string, TreeRef | null>;
  blobs: EncodedObject[];
}

/** The agents' changes since the trail last saw HEAD that are still in the files, or that HEAD knows nothing of. */
export async function findRetainedEdits(context: Context, trees: SyncedTrees): Promise<RetainedEdits> {
  const kept: RetainedEdits = { changes: new Map(), blobs: [] };
  const conversion = new Conversion(context);
  const folders = new Folders(context, trees);
  const changes = await changesOf(context, trees, folders);
  const known = await plainlyOurs(context, conversion, changes);
  for (const sides of changes) {
    const { path, ours, theirs } = sides;
    const { recorded, content } = known.has(path)
      ? { recorded: ours }
      : await chosen(context, conversion, sides);
    if (!sameRecorded(recorded, ours)) folders.isMixed(path);
    if (sameRecorded(recorded, theirs)) continue;
    kept.changes.set(path, recorded);
    if (content) kept.blobs.push(await remembered(context, content));
  }
  return { ...kept, changes: await folders.joined(kept.changes) };
}

/** A path when the trail last saw HEAD, as the agents left it, and in HEAD now. */
interface Sides {
  path: string;
  old: Recorded;
  ours: Recorded;
  theirs: Recorded;
}

/** Returns what the agents changed and HEAD has otherwise. */
async function changesOf(
  { objects }: Context,
  { before, ours }: SyncedTrees,
  folders: Folders,
): Promise<Sides[]> {
  const changes: Sides[] = [];
  for (const { path, before: old, after } of await diffTrees(objects, before, ours)) {
    const theirs = await folders.theirs(path, old);
    if (!sameRecorded(after, theirs)) changes.push({ path, old, ours: after, theirs });
  }
  return changes;
}

/** The folders on the way to the agents' changes. */
class Folders {
  readonly #context: Context;
  readonly #trees: SyncedTrees;
  readonly #same = new Map<string, Promise<boolean>>();
  /** The agents' folders, where they can take the place of HEAD's. */
  readonly #whole = new Map<string, TreeRef | null>();
  /** Those in which something is not as the agents left it. */
  readonly #mixed = new Set<string>();

  constructor(context: Context, trees: SyncedTrees) {
    this.#context = context;
    this.#trees = trees;
  }

  /** Returns what HEAD holds at a path that held `old`. */
  async theirs(path: string, old: Recorded): Promise<Recorded> {
    const folder = folderOf(path);
    if (old && (await this.#isSame(folder))) return old;
    return await lookup(this.#context.objects, this.#trees.theirs, path);
  }

  /** The path will not be as the agents left it. */
  isMixed(path: string): void {
    for (const folder of foldersAbove(path)) this.#mixed.add(folder);
  }

  /**
   * Returns the changes with each folder that the person left alone and that is all as the agents left it as one of
   * them.
   */
  async joined(changes: ReadonlyMap<string, TreeRef | null>): Promise<Map<string, TreeRef | null>> {
    const joined = new Map<string, TreeRef | null>();
    for (const [path, ref] of changes) {
      let at = path;
      for (const folder of foldersAbove(path)) {
        if (!this.#whole.has(folder)) this.#whole.set(folder, await this.#asOurs(folder));
        if (!this.#whole.get(folder)) continue;
        at = folder;
        break;
      }
      if (!joined.has(at)) joined.set(at, at === path ? ref : this.#whole.get(at)!);
    }
    return joined;
  }

  async #asOurs(folder: string): Promise<TreeRef | null> {
    if (this.#mixed.has(folder) || !(await this.#isSame(folder))) return null;
    const [before, ours] = await this.#at(folder, [this.#trees.before, this.#trees.ours]);
    return ours && isTree(ours.mode) && (!before || isTree(before.mode)) ? ours : null;
  }

  /** True when HEAD has the folder as it had it before. */
  #isSame(folder: string): Promise<boolean> {
    const known = this.#same.get(folder) ?? this.#compare(folder);
    this.#same.set(folder, known);
    return known;
  }

  async #compare(folder: string): Promise<boolean> {
    const { before, theirs } = this.#trees;
    if (folder === '') return before === theirs;
    if (await this.#isSame(folderOf(folder))) return true;
    const [old, now] = await this.#at(folder, [before, theirs]);
    return sameRecorded(old!, now!);
  }

  async #at(folder: string, trees: readonly (string | null)[]): Promise<Recorded[]> {
    const { objects } = this.#context;
    return Promise.all(trees.map(tree => (tree ? lookup(objects, tree, folder) : null)));
  }
}

/**
 * Returns the paths that the person did not commit, and whose size alone tells that the file is not as HEAD has it: so
 * the agents' changes are still there, whatever came on top of them.
 */
async function plainlyOurs(
  context: Context,
  conversion: Conversion,
  changes: readonly Sides[],
): Promise<Set<string>> {
  const asked = changes.flatMap(({ path, old, theirs }) => {
    const own = fromTrail(context, path);
    const isFile = !theirs || theirs.mode.startsWith('100');
    return own !== null && isFile && sameRecorded(old, theirs) ? [{ path, own, theirs }] : [];
  });
  const sizes = await sizesOnDisk(
    context,
    asked.map(({ own }) => own),
  );
  const oids = asked.flatMap(({ theirs }) => theirs?.oid ?? []);
  const recorded = await context.objects.sizesOf(oids).catch(() => oids.map(() => null));
  const wanted = new Map(oids.map((oid, i) => [oid, recorded[i]!]));
  const keeping = new Map<string, boolean>();
  const found = new Set<string>();
  for (const [i, { path, own, theirs }] of asked.entries()) {
    const size = sizes[i]!;
    const before = theirs ? wanted.get(theirs.oid)! : -1;
    if (size === null || before === null || size === before) continue;
    // Git records fewer bytes than there are where it takes CRs away, and never more.
    const folder = folderOf(own);
    if (theirs && size > before && !keeping.has(folder))
      keeping.set(folder, await conversion.keepsBytes(folder).catch(() => false));
    if (!theirs || size < before || keeping.get(folder)) found.add(path);
  }
  return found;
}

/** Returns the size in bytes of each path; `null` where the store tells none. */
async function sizesOnDisk({ store }: Context, paths: readonly string[]): Promise<(number | null)[]> {
  const none = paths.map(() => null);
  if (!store.separate || !store.sizesOf) return none;
  return store.sizesOf(paths).catch(() => none);
}

/**
 * Chooses by what the file on disk is. Where it is neither the agents' nor HEAD's, because the person goes on in it,
 * HEAD's is joined with what the agents did, unless the person took that out.
 */
async function chosen(context: Context, conversion: Conversion, sides: Sides): Promise<Made> {
  const { path, old, ours, theirs } = sides;
  const own = fromTrail(context, path);
  const file = own === null ? undefined : await onDisk(context, own);
  const holds = async (recorded: Recorded): Promise<boolean> =>
    file !== undefined && (await conversion.isRecorded(own!, file, recorded));
  if (await holds(theirs)) return { recorded: theirs };
  if ((await holds(ours)) || sameRecorded(old, theirs)) return { recorded: ours };
  const kept = file && (await conversion.recorded(own!, file, overRecorded(context, ours)));
  if (kept && (await isWithout(context, sides, kept))) return { recorded: theirs };
  return (await merged(context, theirs, { path, from: old, to: ours })) ?? { recorded: theirs };
}

/** The file as it is; `undefined` where the workspace cannot or may not look. */
async function onDisk(context: Context, path: string): Promise<StoredFile | null | undefined> {
  if (!context.store.separate) return undefined;
  try {
    return await context.store.read(path);
  } catch {
    return undefined;
  }
}

/** True when taking the agents' changes out of the file changes nothing: the person has done so. */
async function isWithout(context: Context, { path, old, ours }: Sides, file: StoredFile): Promise<boolean> {
  const now = { mode: file.mode, oid: file.version };
  const taken = await merged(context, now, { path, from: ours, to: old }, file);
  return taken !== null && sameRecorded(taken.recorded, now);
}

/** The step made on `now`, whose content is that of `file` or recorded; `null` where it does not fit. */
async function merged(
  { objects }: Context,
  now: Recorded,
  step: FileStep,
  file?: StoredFile,
): Promise<Made | null> {
  const result = await mergeStep(blobsOf(objects, new Map(file && [[file.version, file.bytes]])), now, step);
  return 'conflict' in result ? null : result;
}

async function remembered(context: Context, content: Uint8Array): Promise<EncodedObject> {
  const blob = await context.codec.encode('blob', content);
  context.objects.remember(blob);
  return blob;
}

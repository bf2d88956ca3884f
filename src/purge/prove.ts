/** The proof: every object that is left is read from the disk, and what still holds the text is named. */

import { latin1 } from '../bytes.ts';
import { shellWord } from '../c-quote.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { failureWords } from '../fs/failures.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import { alternatesOf, openObjects } from '../git/objects/object-database.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import type { What } from './rewrite.ts';
import { type Holder, otherRoots, ownRefs, type Root } from './roots.ts';
import { idsIn, storedIn } from './stored.ts';
import { type Holds, Tracer } from './tracer.ts';

export interface Proof {
  /** The number of objects that were read. */
  read: number;
  /** Objects and files that could not be read, each with why. */
  unread: string[];
  /** Where the text still is. */
  held: Holder[];
}

export async function prove(
  context: Context,
  what: What,
  holds: Holds,
  paths: readonly string[],
): Promise<Proof> {
  const { fs, codec, repo } = context;
  const objectsDir = `${repo.commonDir}/objects`;
  const { maxEntries } = context.objects;
  const objects = openObjects({ fs, codec, objectsDir, maxEntries });
  try {
    const tracer = new Tracer(objects, holds);
    const lying = await heldIn(fs, objectsDir, tracer);
    const alternates: Holder[] = [];
    for (const folder of await alternatesOf(fs, objectsDir))
      if ((await heldIn(fs, folder, tracer)).length > 0) alternates.push(alternate(folder));
    const found = await holders(context, tracer, paths);
    const own = lying.filter(oid => !found.reached.has(oid));
    const unread = [...tracer.unread].map(([oid, why]) => `${oid}: ${why}`);
    const files = what.path === null ? await allPaths(context, paths) : paths;
    const held = [
      ...(await filesHolding(context, what, files, unread)),
      ...found.roots.map(({ kind, name, command }) => ({ kind, name, command })),
      ...own.map(oid => ({ kind: 'object' as const, name: oid, command: 'git prune --expire=now' })),
      ...alternates,
    ];
    return { read: tracer.read, unread, held };
  } finally {
    await objects.close();
  }
}

/** Reads every object of a folder, and returns those that hold the text. */
async function heldIn(fs: Fs, folder: string, tracer: Tracer): Promise<string[]> {
  const ids = [...idsIn(await storedIn(fs, folder))];
  for (const oid of ids) await tracer.leads(oid);
  return ids.filter(oid => tracer.holding.has(oid));
}

function alternate(folder: string): Holder {
  const where = folder.replace(/(\/\.git)?\/objects$/, '');
  return { kind: 'alternate', name: folder, command: `vedit -C ${shellWord(where)} purge ...` };
}

/** Finds all that lead to the text; each is named once. */
async function holders(
  context: Context,
  tracer: Tracer,
  paths: readonly string[],
): Promise<{ roots: Root[]; reached: Set<string> }> {
  const own = await ownRefs(context);
  const reached = new Set<string>();
  const roots = new Map<string, Root>();
  for (const root of await otherRoots(context, own, paths)) {
    if (!(await tracer.leads(root.oid))) continue;
    roots.set(`${root.kind} ${root.name}`, root);
    await tracer.waysFrom(root.oid, reached);
  }
  for (const { name, oid } of own) {
    const rest = await tracer.waysFrom(oid);
    // What a branch has is below the history too, and is told once.
    const isMore = [...rest].some(one => tracer.holding.has(one) && !reached.has(one));
    if (isMore)
      roots.set(name, { kind: 'ref', name, command: 'vedit purge ... (again; names of files stay)', oid });
    for (const one of rest) reached.add(one);
  }
  return { roots: [...roots.values()], reached };
}

/** Lists the paths of the trail as it is now, too: what a person wrote into one of them is in no history yet. */
async function allPaths(context: Context, paths: readonly string[]): Promise<Set<string>> {
  const { tree } = await openTrail(context);
  return new Set([...paths, ...(await diffTrees(context.objects, tree, null)).map(({ path }) => path)]);
}

/**
 * Finds files of the work tree that hold the text: the next edit of one would record it again. Adds those that cannot be read
 * to `unread`.
 */
async function filesHolding(
  context: Context,
  { text, path }: What,
  paths: Iterable<string>,
  unread: string[],
): Promise<Holder[]> {
  const { fs, repo } = context;
  const held: Holder[] = [];
  for (const name of repo.workDir === null ? [] : paths) {
    const shown = fromTrail(context, name) ?? name;
    const bytes = await fileAt(fs, `${repo.workDir}/${name}`).catch(error => {
      unread.push(`${shown}: ${failureWords(error)}`);
      return null;
    });
    if (!bytes) continue;
    const isHeld = text?.isIn(bytes) ?? (path !== null && latin1(bytes).trim() !== '');
    const remove = `rm -f -- ${shellWord(name)}`;
    const command =
      path !== null ? remove : `${remove} # the whole file; or take the text out with an editor`;
    if (isHeld) held.push({ kind: 'file', name: shown, command });
  }
  return held;
}

async function fileAt(fs: Fs, path: string): Promise<Uint8Array | null> {
  const stat = await fs.lstat(path);
  return stat?.type === 'file' ? orNull(fs.readFile(path)) : null;
}

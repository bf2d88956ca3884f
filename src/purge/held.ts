/** Names what still holds the text, and is not the engine's: for the answer, with the command that takes it away there. */

import { latin1 } from '../bytes.ts';
import { shellWord } from '../c-quote.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { failureWords } from '../fs/failures.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import type { What } from './rewrite.ts';
import { type Holder, otherRoots, ownRefs, type Root } from './roots.ts';
import type { Tracer } from './tracer.ts';

/** The places that hold the text, and the objects and files that could not be read, each with why. */
export interface Held {
  held: Holder[];
  unread: string[];
}

/** `paths`: the files that the histories had it in. */
export async function heldNow(
  context: Context,
  what: What,
  tracer: Tracer,
  paths: readonly string[],
): Promise<Held> {
  const roots = await holders(context, tracer, paths);
  const unread = [...tracer.unread].map(([oid, why]) => `${oid}: ${why}`);
  const files = what.path === null ? await allPaths(context, paths) : paths;
  const held = await filesHolding(context, what, files, unread);
  return { held: [...held, ...roots.map(({ kind, name, command }) => ({ kind, name, command }))], unread };
}

/** Finds all that lead to the text; each is named once. */
async function holders(context: Context, tracer: Tracer, paths: readonly string[]): Promise<Root[]> {
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
  return [...roots.values()];
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

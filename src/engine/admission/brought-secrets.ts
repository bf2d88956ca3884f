/**
 * Tells which keys a way back or a merge brings into history, and which are there already: what the trail had once, what
 * both sides of a merge have in common, and what a person committed with git is no news.
 */

import { mergeBases } from '../../git/merge-base.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { isMerge, isWayBack } from '../../operations.ts';
import { aboutPath } from '../../trail/message.ts';
import { readEntry } from '../../trail/walk.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { About } from './about.ts';
import { type AddedSecret, textOf } from './added-secrets.ts';

/** The keys that would be new, and whether the trail that they come from allows a kind in a file. */
interface Anew {
  found: AddedSecret[];
  allows: (kind: string, path: string) => boolean;
}

export async function anew(about: About, found: AddedSecret[]): Promise<Anew> {
  const { snapshot, request } = about;
  const none = { found, allows: () => false };
  if (isWayBack(request.op) && (await isOfTrail(about)))
    return { ...none, found: found.filter(({ isThere }) => isThere) };
  const last = isMerge(request.op) ? about.planned.meta?.merges?.split('..').at(-1) : undefined;
  if (last === undefined) return none;
  const { trees, allowed } = await broughtBy(snapshot, last);
  const left: AddedSecret[] = [];
  for (const one of found) if (one.isThere || !(await isIn(snapshot, trees, one))) left.push(one);
  const allows = (kind: string, path: string): boolean =>
    allowed.has(aboutPath(kind, toTrail(snapshot.context, path)));
  return { found: left, allows };
}

/** True where what the change brings back was on the trail: only a restore may name a commit that was not. */
async function isOfTrail({ snapshot, planned }: About): Promise<boolean> {
  const { restores } = planned.meta ?? {};
  const { parent } = snapshot.trail;
  return (
    restores === undefined || (parent !== null && isAncestor(snapshot.context.objects, restores, parent))
  );
}

/** The trees that were committed with git, or that both sides know, and what the edits that come in allow. */
async function broughtBy(
  { context: { objects }, trail: { parent } }: Snapshot,
  last: string,
): Promise<{ trees: Set<string>; allowed: Set<string> }> {
  const [trees, allowed] = [new Set<string>(), new Set<string>()];
  for (const base of parent === null ? [] : await mergeBases(objects, parent, last))
    trees.add((await readEntry(objects, base)).tree);
  for (const commit of await revList(objects, last, parent)) {
    const { meta, tree } = await readEntry(objects, commit);
    if (meta === null) trees.add(tree);
    for (const one of meta?.allowsSecrets ?? []) allowed.add(one);
  }
  return { trees, allowed };
}

async function isIn(
  snapshot: Snapshot,
  trees: Iterable<string>,
  { path, text }: AddedSecret,
): Promise<boolean> {
  const looked = new Set<string>();
  for (const tree of trees) {
    const entry = await lookup(snapshot.context.objects, tree, toTrail(snapshot.context, path));
    if (!entry?.mode.startsWith('100') || looked.has(entry.oid)) continue;
    looked.add(entry.oid);
    if ((await textOf(snapshot, entry)).includes(text)) return true;
  }
  return false;
}

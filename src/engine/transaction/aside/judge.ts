/** Judges what is set aside until its cause is gone. */

import { parseCommit } from '../../../git/objects/commit.ts';
import { lookup } from '../../../git/objects/tree.ts';
import { readHead, readRef } from '../../../git/refs/refs.ts';
import { trailHome } from '../../../history/head.ts';
import { pathName } from '../../../wording.ts';
import type { Context } from '../../context.ts';
import type { Side } from '../journal/record.ts';
import { recoverWorkTree } from '../recovery/recover-work-tree.ts';
import { contextOfWorkTree, type WorkTreeContext } from '../recovery/work-tree.ts';
import { endNote, exactOf, type KeptNote, reasonOf, writeNote } from './note.ts';

/** Notes of other work trees are judged so often at most, in milliseconds. */
const OTHERS = 5_000;

/** Puts in place what can be of these notes, with the lock held. Answers what to tell people. */
export async function judgeAsides(context: Context, notes: readonly KeptNote[]): Promise<string[]> {
  const { asides, repo } = context;
  const told: string[] = [];
  const isDue = performance.now() - asides.judged >= OTHERS;
  for (const note of notes) {
    const isOwn = note.records[0]!.worktree === repo.worktree;
    if (!isOwn && !isDue) continue;
    if (!isOwn) asides.judged = performance.now();
    told.push(...(await judgeNote(context, note)));
  }
  return told;
}

async function judgeNote(context: Context, note: KeptNote): Promise<string[]> {
  const last = note.records.at(-1)!;
  const place = await contextOfWorkTree(context, last);
  const open = place && (await openPaths(context, place, note));
  if (!open || open.size === 0) {
    await endNote(context, note);
    return [];
  }
  if (place.unseen !== undefined || (await isAsleep(context, place, note))) return [];
  const before = await versionsAt(place, open.keys());
  const objects = exactOf(note);
  const frames = note.records.map(data => ({ data, objects }));
  const { left } = await recoverWorkTree(context, 'other', frames, {
    isOut: () => false,
    aside: new Set(open.keys()),
  });
  const now = await versionsAt(place, open.keys());
  if (left.size === 0) await endNote(context, note);
  else await writeNote(context, { ...note, paths: [...left.keys()], ...reasonOf([...left.values()][0]) });
  return [...open].flatMap(([path, after]) => {
    if (left.has(path)) return [];
    const name = pathName(path);
    if (now.get(path) !== before.get(path)) return [`${name} was set aside, and holds its newest edit now.`];
    const isAfter = [after?.oid, ...last.exact].some(oid => (oid ?? null) === now.get(path));
    return isAfter
      ? []
      : [`${name} was set aside, and somebody gave it another text meanwhile, which stays.`];
  });
}

/** Finds the paths of a note at which the trail still has what the note says, each with that. */
async function openPaths(
  { objects }: Context,
  { repo }: WorkTreeContext,
  note: KeptNote,
): Promise<Map<string, Side>> {
  const open = new Map<string, Side>();
  const tip = await readRef(repo, note.ref);
  const tree = tip && parseCommit((await objects.read(tip, 'commit')).content).tree;
  for (const path of note.paths) {
    const name = note.records[0]!.prefix + path;
    const after = note.records.flatMap(one => one.paths).findLast(one => one.path === name)!.after;
    const head = tree ? await lookup(objects, tree, name) : null;
    if (tree && head?.oid === after?.oid && head?.mode === after?.mode) open.set(path, after);
  }
  return open;
}

/** True while another branch is checked out in the note's work tree: then the note waits. */
async function isAsleep(context: Context, { repo }: WorkTreeContext, { ref }: KeptNote): Promise<boolean> {
  const name = repo.worktree === context.repo.worktree ? context.trailName : undefined;
  return trailHome(repo, await readHead(repo), name).ref !== ref;
}

/** The versions of files as they are; `undefined` of those that cannot be read. */
async function versionsAt(
  { store }: WorkTreeContext,
  paths: Iterable<string>,
): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const path of paths)
    await (store.entry ? store.entry(path) : store.read(path)).then(
      file => found.set(path, file?.version ?? null),
      () => {},
    );
  return found;
}

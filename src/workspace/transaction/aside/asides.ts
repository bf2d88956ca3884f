/** The paths that are set aside: each is judged until its cause is gone, and a call about it is refused meanwhile. */

import { EditError } from '../../../errors.ts';
import { orNull } from '../../../fs/fs.ts';
import { parseCommit } from '../../../git/objects/commit.ts';
import { lookup } from '../../../git/objects/tree.ts';
import { readHead, readRef } from '../../../git/refs/refs.ts';
import { trailHome } from '../../../trail/head.ts';
import { ifTool, pathName, toolName } from '../../../wording.ts';
import type { Context } from '../../context.ts';
import type { Side } from '../journal/record.ts';
import { type Place, placeOf } from '../recovery/place.ts';
import { recoverPlace } from '../recovery/recover-place.ts';
import {
  asideFolder,
  endNote,
  exactOf,
  type KeptNote,
  type Note,
  parseNote,
  reasonOf,
  writeNote,
} from './note.ts';

/** Notes of other work trees are judged so often at most, in milliseconds. */
const OTHERS = 5_000;

/** What is set aside in a repository, as one process knows it. */
export class Asides {
  #notes: readonly KeptNote[] = [];
  #state = '';
  #judged = Number.NEGATIVE_INFINITY;

  /** One lstat as a rule. Throws STORE_FAILED. */
  async all(context: Pick<Context, 'fs' | 'folder'>): Promise<readonly KeptNote[]> {
    const { fs } = context;
    const folder = asideFolder(context);
    const stat = await orNull(fs.lstat(folder));
    const state = stat?.type === 'directory' ? `${stat.ino} ${stat.mtimeNs}` : '';
    if (state === '') return [];
    const notes: KeptNote[] = [];
    // A write in the same tick of the clock does not show.
    const isKnown = state === this.#state && Date.now() - Number(stat!.mtimeNs / 1_000_000n) > 2_500;
    if (isKnown) return this.#notes;
    for (const file of ((await orNull(fs.readdir(folder))) ?? [])
      .filter(name => name.endsWith('.json'))
      .sort()) {
      const bytes = await orNull(fs.readFile(`${folder}/${file}`));
      const note = bytes && parseNote(file, bytes);
      if (note) notes.push(note);
    }
    this.#state = state;
    this.#notes = notes;
    return notes;
  }

  /** By path of the trail, the notes of this work tree for a trail. */
  async of(context: Context, ref: string): Promise<ReadonlyMap<string, KeptNote>> {
    const { worktree } = context.repo;
    const own = (await this.all(context)).filter(
      note => note.ref === ref && note.records[0]!.worktree === worktree,
    );
    return new Map(own.flatMap(note => note.paths.map(path => [note.records[0]!.prefix + path, note])));
  }

  /** Puts in place what can be, with the lock held. Answers what to tell people. */
  async judge(context: Context): Promise<string[]> {
    const told: string[] = [];
    const isDue = performance.now() - this.#judged >= OTHERS;
    for (const note of await this.all(context)) {
      const isOwn = note.records[0]!.worktree === context.repo.worktree;
      if (!isOwn && !isDue) continue;
      if (!isOwn) this.#judged = performance.now();
      told.push(...(await judgeNote(context, note)));
    }
    return told;
  }
}

async function judgeNote(context: Context, note: KeptNote): Promise<string[]> {
  const last = note.records.at(-1)!;
  const place = await placeOf(context, last);
  const open = place && (await openPaths(context, place, note));
  if (!open || open.size === 0) {
    await endNote(context, note);
    return [];
  }
  if (place.unseen !== undefined || (await isAsleep(context, place, note))) return [];
  const before = await versionsAt(place, open.keys());
  const objects = exactOf(note);
  const frames = note.records.map(data => ({ data, objects }));
  const { left } = await recoverPlace(context, 'other', frames, {
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

/** The paths of which the trail still has what the note says, with that. */
async function openPaths({ objects }: Context, { repo }: Place, note: KeptNote): Promise<Map<string, Side>> {
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

/** Another branch is checked out there. */
async function isAsleep(context: Context, { repo }: Place, { ref }: KeptNote): Promise<boolean> {
  const name = repo.worktree === context.repo.worktree ? context.trailName : undefined;
  return trailHome(repo, await readHead(repo), name).ref !== ref;
}

/** The versions of files as they are; `undefined` of those that cannot be read. */
async function versionsAt({ store }: Place, paths: Iterable<string>): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const path of paths)
    await (store.entry ? store.entry(path) : store.read(path)).then(
      file => found.set(path, file?.version ?? null),
      () => {},
    );
  return found;
}

/** A path that waits, as status and doctor tell it. */
export interface SetAside {
  path: string;
  /** The id of the linked work tree; `null`: the main one. */
  work_tree: string | null;
  trail: string;
  commit: string | null;
  why: string;
  since: string;
  message: string;
}

/** For status and doctor. Paths of other work trees are named as git names them. */
export function setAsideOf(
  context: Pick<Context, 'repo' | 'prefix'>,
  notes: readonly KeptNote[],
): SetAside[] {
  return notes.flatMap(note => {
    const { worktree, prefix, new: commit } = note.records.at(-1)!;
    const isOwn = worktree === context.repo.worktree && prefix === context.prefix;
    const where =
      worktree === context.repo.worktree
        ? ''
        : ` Work tree: ${worktree ?? 'the main one'}; where it was removed, git worktree prune ends it.`;
    return note.paths.map(path => ({
      path: isOwn ? path : prefix + path,
      work_tree: worktree,
      trail: note.ref,
      commit,
      why: note.why,
      since: note.since,
      message: `${waitingWords(note, isOwn ? path : prefix + path)}${where}`,
    }));
  });
}

/** What is told of a path that waits, and what to do. */
export function waitingWords(note: Note, path: string): string {
  const commit = note.records.at(-1)!.new?.slice(0, 12);
  const out = ifTool('undo', `, or take the edit back (${toolName('undo')})`);
  return `${pathName(path)} is set aside: its newest edit (${commit}) is in history and not in the file (${note.why}). As soon as that cause is gone the next call puts it in place. Remove the cause${out}; what leaves the file as it is now is done.`;
}

/** The refusal of a call about a path that waits. */
export function isSetAside(note: Note, path: string): EditError {
  const { cause, since } = note;
  const commit = note.records.at(-1)!.new;
  const message = `${waitingWords(note, path)} Nothing was changed.`;
  return new EditError('STORE_FAILED', message, { path, cause, set_aside: since, commit });
}

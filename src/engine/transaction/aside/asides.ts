/** The paths that are set aside, as one process knows them, and what is told of them. */

import { EditError } from '../../../errors.ts';
import { isPassing, orNull } from '../../../fs/fs.ts';
import type { LooseObject } from '../../../git/objects/loose.ts';
import type { Repository } from '../../../git/repository/repository.ts';
import type { Store, StoreChange, StoredFile } from '../../../stores/store.ts';
import { ifTool, pathName } from '../../../wording.ts';
import type { ChangeRecord } from '../journal/record.ts';
import { asideFolder, type Home, type KeptNote, type Note, parseNote, setAside } from './note.ts';

interface Where {
  readonly repo: Pick<Repository, 'worktree'>;
  readonly prefix: string;
}

export class Asides {
  #notes: readonly KeptNote[] = [];
  #state = '';
  /** When the notes of other work trees were judged last, in monotonic time. */
  judged: number = Number.NEGATIVE_INFINITY;

  /** Reads all notes: one lstat as a rule. Throws STORE_FAILED. */
  async all(context: Home): Promise<readonly KeptNote[]> {
    const { fs } = context;
    const folder = asideFolder(context);
    const stat = await fs.lstat(folder);
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
  async of(context: Home & Pick<Where, 'repo'>, ref: string): Promise<ReadonlyMap<string, KeptNote>> {
    const { worktree } = context.repo;
    const own = (await this.all(context)).filter(
      note => note.ref === ref && note.records[0]!.worktree === worktree,
    );
    return new Map(own.flatMap(note => note.paths.map(path => [note.records[0]!.prefix + path, note])));
  }
}

/**
 * Sets aside what of a change is not in place: it waits for its path alone, and everything else goes on. That helps where somebody
 * removed the engine's folder with all that was staged, too. Answers by path what is to be told of it; throws the error where all
 * is in place, and something behind it failed.
 */
export async function setAsideUnplaced(
  context: Home & { store: Pick<Store, 'read' | 'entry'>; now(): Date },
  record: ChangeRecord,
  { changes, exact }: { changes: readonly StoreChange[]; exact: readonly LooseObject[] },
  error: unknown,
): Promise<Map<string, string>> {
  if (isPassing(error)) throw error;
  const { store } = context;
  const paths = new Map<string, unknown>();
  for (const change of changes) {
    const { path } = change;
    const read = store.entry ? store.entry(path) : store.read(path);
    const isPlaced = await read.then(
      now => isAsChanged(now, change),
      () => false,
    );
    if (!isPlaced) paths.set(path, error);
  }
  if (paths.size === 0) throw error;
  const notes = await setAside(context, { records: [record], paths, objects: exact });
  return new Map(notes.flatMap(note => note.paths.map(path => [path, waitingWords(note, path)] as const)));
}

/** True where a file is as a change leaves it. Its mode tells where only that changes; some disks have none. */
function isAsChanged(now: StoredFile | null, { before, after }: StoreChange): boolean {
  if ((now?.version ?? null) !== (after?.version ?? null)) return false;
  return before?.version !== after?.version || before?.mode === after?.mode || now?.mode !== before?.mode;
}

/** A path that waits, as status and doctor tell it. */
export interface PathAside {
  path: string;
  /** The id of the linked work tree; `null`: the main one. */
  work_tree: string | null;
  trail: string;
  commit: string | null;
  why: string;
  since: string;
  message: string;
}

/** Lists the paths that wait, for status and doctor. Those of other work trees are named as git names them. */
export function setAsideOf(context: Where, notes: readonly KeptNote[]): PathAside[] {
  return notes.flatMap(note => {
    const { worktree, prefix, new: commit } = note.records.at(-1)!;
    const isHere = worktree === context.repo.worktree;
    const name = worktree ?? 'the main one';
    const where = isHere ? '' : ` Work tree: ${name}; where it was removed, git worktree prune ends it.`;
    return note.paths.map(one => {
      const path = isHere && prefix === context.prefix ? one : prefix + one;
      const { ref: trail, why, since } = note;
      const message = `${waitingWords(note, path)}${where}`;
      return { path, work_tree: worktree, trail, commit, why, since, message };
    });
  });
}

/** Returns the words about a path that waits, and what to do. */
export function waitingWords(note: Note, path: string): string {
  const commit = note.records.at(-1)!.new.slice(0, 12);
  const out = ifTool('undo', tool => `, or take the edit back (${tool})`);
  return `${pathName(path)} is set aside: its newest edit (${commit}) is in history and not in the file (${note.why}). As soon as that cause is gone the next call puts it in place. Remove the cause${out}: until then only calls that leave the file as it is now are done.`;
}

/** Creates the error that refuses a call about a path that waits. */
export function isSetAside(note: Note, path: string): EditError {
  const { cause, since } = note;
  const commit = note.records.at(-1)!.new;
  const message = `${waitingWords(note, path)} Nothing was changed.`;
  return new EditError('STORE_FAILED', message, { path, cause, set_aside: since, commit });
}

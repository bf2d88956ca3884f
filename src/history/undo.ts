/**
 * Finds the edits that the next undo or redo is about. It works like Ctrl-Z: undo takes the newest edit that is not undone;
 * redo puts back the one undone last, and a new edit ends what can be put back.
 *
 *     edit A - edit B - undo B - undo A - redo A        undo: A      redo: B
 */

import { isBelow } from './changed-paths.ts';
import { isEdit, type TrailEntry } from './walk.ts';

/** The edits of one session or turn, or without one those of the whole trail; and of which file or folder. */
export interface UndoScope {
  session?: string | undefined;
  turn?: string | undefined;
  /** As the trail records it. */
  path?: string | undefined;
  /** Edits that somebody undid and that stand in the files all the same: git brought them back. They count as not undone. */
  stands?: ReadonlySet<string> | undefined;
}

/** Yields the edits in scope, newest first, and whether each is undone. */
async function* editsIn(
  entries: AsyncIterable<TrailEntry>,
  scope: UndoScope,
): AsyncGenerator<{ entry: TrailEntry; isUndone: boolean }> {
  const state = new UndoState();
  for await (const entry of entries) {
    state.note(entry);
    if (isEdit(entry) && inScope(entry, scope)) yield { entry, isUndone: isGone(entry, state, scope) };
  }
}

function isGone({ commit }: TrailEntry, state: UndoState, { stands }: UndoScope): boolean {
  return state.isUndone(commit) && !stands?.has(commit);
}

/** Finds the `count` newest edits that are not undone, newest first; fewer when there are no more. `undone`: those between. */
export async function findUndoable(
  entries: AsyncIterable<TrailEntry>,
  count: number,
  scope: UndoScope,
  undone: TrailEntry[] = [],
): Promise<TrailEntry[]> {
  const found: TrailEntry[] = [];
  for await (const { entry, isUndone } of editsIn(entries, scope)) {
    (isUndone ? undone : found).push(entry);
    if (found.length === count) break;
  }
  return found;
}

/** Finds the ids of the `count` edits undone last and not put back, in the order in which redo puts them back. */
export async function findRedoable(
  entries: AsyncIterable<TrailEntry>,
  count: number,
  scope: UndoScope,
): Promise<string[]> {
  const state = new UndoState();
  const found: string[] = [];
  for await (const entry of entries) {
    const undone = state.note(entry);
    if (!inScope(entry, scope)) continue;
    if (isEdit(entry) && !isGone(entry, state, scope)) break;
    found.push(...undone.filter(id => !scope.stands?.has(id)).reverse());
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/** Finds the turn of the newest edit that names one and is not undone. */
export async function newestTurn(
  entries: AsyncIterable<TrailEntry>,
  scope: UndoScope,
): Promise<string | null> {
  for await (const { entry, isUndone } of editsIn(entries, scope))
    if (!isUndone && entry.meta?.turn !== undefined) return entry.meta.turn;
  return null;
}

function inScope(entry: TrailEntry, scope: UndoScope): boolean {
  const { session, turn, path } = scope;
  if (turn !== undefined && entry.meta?.turn !== turn) return false;
  if (session !== undefined && entry.meta?.session !== session) return false;
  return path === undefined || (entry.meta?.paths.some(changed => isBelow(changed, path)) ?? false);
}

/**
 * Remembers what is known of each edit when the trail is read from its newest commit backwards: the newest word counts.
 */
export class UndoState {
  readonly #undone = new Map<string, boolean>();

  /** Takes in one commit; answers the edits that it undid and that were not put back since. */
  note(entry: TrailEntry): string[] {
    // A revert that was itself taken back has undone nothing.
    if (this.isUndone(entry.commit)) return [];
    for (const id of entry.meta?.redoes ?? []) this.#decide(id, false);
    return (entry.meta?.undoes ?? []).filter(id => this.#decide(id, true));
  }

  isUndone(commit: string): boolean {
    return this.#undone.get(commit) ?? false;
  }

  #decide(id: string, undone: boolean): boolean {
    if (this.#undone.has(id)) return false;
    this.#undone.set(id, undone);
    return true;
  }
}

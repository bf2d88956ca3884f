/**
 * Which edits had been taken back when HEAD moved. Trail and moves of HEAD are read together, the newest first: a move is
 * known by its number, and what is noted when so many moves are known was done before them and after the next.
 */

import type { TrailEntry } from '../walk.ts';

interface Event {
  /** How many moves of HEAD are newer. */
  moves: number;
  /** How many moves are newer than the rollback that took this back; 0 when none did. */
  until: number;
  undone: boolean;
}

/** A rollback or restore: it replaced what was done to the path after the commit `since`. */
interface Replaced {
  moves: number;
  since: string;
  /** True when that commit is one of the trail, so that all edits since then were taken back. */
  takesBack: boolean;
}

export class TakenBack {
  /** By edit, the newest first. */
  readonly #events = new Map<string, Event[]>();
  readonly #replaced = new Map<string, Replaced[]>();
  /** Where rollbacks and restores went back to, with their paths. */
  readonly #ends = new Map<string, Set<string>>();

  /** The next older commit is this one: what went back to it ends here. */
  reach(commit: string): void {
    if (this.#ends.size === 0) return;
    for (const path of this.#ends.get(commit) ?? []) {
      const left = this.#replaced.get(path)!.filter(one => one.since !== commit);
      this.#replaced.set(path, left);
    }
    this.#ends.delete(commit);
  }

  /** True when none of these older commits is one that something went back to. */
  reachesNone(rows: ReadonlyArray<{ commit: string }>): boolean {
    return this.#ends.size === 0 || !rows.some(({ commit }) => this.#ends.has(commit));
  }

  /** Takes in what that commit, which was not taken back itself, took back. `takesBack`: see Replaced. */
  note(entry: TrailEntry, moves: number, takesBack: boolean): void {
    if (!entry.meta) return;
    const { undoes = [], redoes = [], restores, paths } = entry.meta;
    const until = this.#rolledBackAt(entry) ?? 0;
    for (const id of undoes) this.#add(id, { moves, until, undone: true });
    for (const id of redoes) this.#add(id, { moves, until, undone: false });
    for (const path of restores === undefined ? [] : paths) {
      const known = this.#replaced.get(path) ?? [];
      known.push({ moves, since: restores!, takesBack });
      this.#replaced.set(path, known);
      this.#ends.set(restores!, (this.#ends.get(restores!) ?? new Set()).add(path));
    }
  }

  /** True when the edit was undone, and not put back, before that move of HEAD. */
  isUndone(commit: string, move: number): boolean {
    const isThen = ({ moves, until }: Event): boolean => moves > move && move >= until;
    return this.#events.get(commit)?.find(isThen)?.undone ?? false;
  }

  /** True when the path was put back to what it was before the last reached commit, before that move of HEAD. */
  isReplaced(path: string, move: number): boolean {
    return this.#replaced.get(path)?.some(one => one.moves > move) ?? false;
  }

  /** True when rollbacks or restores took back all that the last reached commit did. */
  isRolledBack(entry: TrailEntry): boolean {
    return this.#rolledBackAt(entry) !== null;
  }

  /** How many moves are newer than the first rollback or restore after which nothing of it was left. */
  #rolledBackAt({ meta }: TrailEntry): number | null {
    if (this.#replaced.size === 0) return null;
    const firsts = (meta?.paths ?? []).map(path => this.#replaced.get(path)?.findLast(one => one.takesBack));
    const moves = firsts.map(one => one?.moves ?? -1);
    return moves.length === 0 || moves.includes(-1) ? null : Math.min(...moves);
  }

  #add(id: string, event: Event): void {
    const known = this.#events.get(id) ?? [];
    known.push(event);
    this.#events.set(id, known);
  }
}

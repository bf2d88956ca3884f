/**
 * Finds where the text of a way back comes from. Undo and revert bring back what was there before the edits that they take back,
 * redo what those edits wrote, rollback and restore what a commit held, a command what one before it took out. Such lines are
 * not the work of who brings them back.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isOutside, isRollback, isShell, isSync } from '../../operations.ts';
import { fileAt } from '../steps.ts';
import { readEntryOrNull, type TrailEntry, walkRows } from '../walk.ts';
import type { Ancestry } from './ancestry.ts';

export interface Source {
  entry: TrailEntry;
  /**
   * True for a source whose file, where the undo or restore left exactly that, is where all of its lines come from. Of another
   * source, only lines that were brought back are looked for.
   */
  whole: boolean;
  /** True when nothing comes from there but the file as it is there. */
  onlySame?: true;
}

/** The most commits of others that are looked through for lines that a rollback kept. */
const OTHERS = 200;
/** The most commits that are looked through for an earlier command. */
const COMMANDS = 1_000;

export class BroughtBack {
  readonly #objects: ObjectDatabase;
  readonly #ancestry: Ancestry;

  constructor(objects: ObjectDatabase, ancestry: Ancestry) {
    this.#objects = objects;
    this.#ancestry = ancestry;
  }

  /** The likeliest first; a commit that brings nothing back has none. Each is read when it is asked for. */
  async *sourcesOf(entry: TrailEntry, path: string): AsyncGenerator<Source> {
    const { op, undoes = [], redoes = [], restores, unrejects, head } = entry.meta ?? {};
    yield* this.#fromEdits(entry, undoes, path, 'before');
    yield* this.#fromEdits(entry, unrejects === undefined ? [] : [unrejects], path, 'before');
    yield* this.#fromEdits(entry, redoes, path, 'after');
    const then = restores === undefined ? null : await readEntryOrNull(this.#objects, restores);
    if (then) yield* this.#fromCommit(entry, then);
    if (then && isRollback(op)) yield* this.#ofOthers(this.#ancestry.between(entry, then), path);
    if (isShell(op)) yield* this.#beforeCommand(entry, path);
    if (isOutside(op) && head !== undefined) yield* this.#localRestore(entry, head, path);
  }

  /** The last one in the list, the oldest that was undone or the last that was put back, left the path as it is now. */
  async *#fromEdits(
    entry: TrailEntry,
    oids: readonly string[],
    path: string,
    side: 'before' | 'after',
  ): AsyncGenerator<Source> {
    for (const oid of [...oids].reverse()) {
      const edit = await readEntryOrNull(this.#objects, oid);
      if (!edit?.meta?.paths.includes(path)) continue;
      const held = side === 'after' ? edit.commit : edit.parents[0];
      const source = held === undefined ? null : await readEntryOrNull(this.#objects, held);
      if (!source) continue;
      // Only to know where it stands: the edit is below.
      await this.#ancestry.isBelow(entry, source);
      yield { entry: source, whole: oid === oids.at(-1) };
    }
  }

  /** Yields the edits that a commit of the person holds, of which the trail may know more. */
  async *#fromCommit(entry: TrailEntry, then: TrailEntry): AsyncGenerator<Source> {
    const whole = await this.#ancestry.isBelow(entry, then);
    const sync = whole ? null : this.#ancestry.syncOf(then.commit);
    const joined = sync && (await readEntryOrNull(this.#objects, sync));
    if (joined) yield { entry: joined, whole: true };
    yield { entry: then, whole };
  }

  /** Yields the commits of others since then: a rollback keeps what they wrote, also where an edit that it takes back had deleted it. */
  async *#ofOthers(since: readonly string[], path: string): AsyncGenerator<Source> {
    let left = OTHERS;
    for (const oid of since) {
      const entry = await readEntryOrNull(this.#objects, oid);
      if (!entry || !mayHoldOthers(entry, path)) continue;
      yield { entry, whole: false };
      if (--left === 0) return;
    }
  }

  /** Yields what was there before the newest earlier command that changed the file: `git stash pop` brings back what `git stash` took. */
  async *#beforeCommand(entry: TrailEntry, path: string): AsyncGenerator<Source> {
    const [below = null] = entry.parents;
    for await (const rows of walkRows(this.#objects, below, { ownOnly: true, limit: COMMANDS })) {
      const command = rows.find(row => isShell(row.op) && row.paths.includes(path));
      const source = command?.parent && (await readEntryOrNull(this.#objects, command.parent));
      if (!source) continue;
      await this.#ancestry.isBelow(entry, source);
      return yield { entry: source, whole: true };
    }
  }

  /** A file that a person took back to what is committed, with git checkout or git restore. */
  async *#localRestore(entry: TrailEntry, head: string, path: string): AsyncGenerator<Source> {
    const committed = await readEntryOrNull(this.#objects, head);
    if (!committed) return;
    const [now, then] = await Promise.all(
      [entry, committed].map(({ tree }) => fileAt(this.#objects, tree, path)),
    );
    if (now?.oid !== then?.oid) return;
    for await (const source of this.#fromCommit(entry, committed)) yield { ...source, onlySame: true };
  }
}

function mayHoldOthers({ meta }: TrailEntry, path: string): boolean {
  return !meta || isSync(meta.op) || (isOutside(meta.op) && meta.paths.includes(path));
}

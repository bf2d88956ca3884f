/** What became of each edit of the trail: the one place that decides whether it was taken back, and whether it has landed. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isRollback } from '../../operations.ts';
import type { Declarable } from '../landing/lands.ts';
import { rowOf } from '../rows.ts';
import type { RowsSummary } from '../rows-summary.ts';
import { readEntryOrNull, type TrailEntry, type TrailRow } from '../walk.ts';
import { Committed, type Holder } from './committed.ts';
import { TakenBack } from './taken-back.ts';
import { UndoState } from './undo.ts';

export interface EditState {
  /** True when a later undo or revert names it, so that neither counts where both are at hand. */
  undone: boolean;
  /** True when it was taken back, also by a rollback or restore. */
  takenBack: boolean;
  /**
   * The commit of a branch that says it holds the edit, or that has all of its text; its own id where the branch has the
   * edit's own commit. `null`: it has not landed.
   */
  landed: string | null;
  /** True when a commit says so. */
  declared: boolean;
  /** Of its paths, those at which the branch has its text. */
  held: ReadonlyMap<string, Pick<Holder, 'whole'>>;
}

/** One for very many states. */
const NO_HOLDERS: EditState['held'] = new Map();

/** The commit that says to hold an edit; asked for every commit of the trail, the newest first. */
export type Declared = (commit: Declarable) => Promise<string | null> | string | null;

export interface EditStatesOptions {
  declared: Declared;
  /** Passes many commits of which nobody asks, where none of them is said to have landed; see Landings.pass. */
  declaresNone?: (rows: readonly TrailRow[], oldest: number) => boolean;
  /** The newest commit of the branch beside which the trail lies; `null` where the trail is the branch. */
  beside: string | null;
}

export class EditStates {
  readonly #objects: ObjectDatabase;
  readonly #declared: Declared;
  readonly #declaresNone: EditStatesOptions['declaresNone'];
  readonly #state = new UndoState();
  /** Without undos that a rollback took back. */
  readonly #effective = new UndoState();
  readonly #takenBack = new TakenBack();
  readonly #committed: Committed | null;

  constructor(objects: ObjectDatabase, { declared, declaresNone, beside }: EditStatesOptions) {
    this.#objects = objects;
    this.#declared = declared;
    this.#declaresNone = declaresNone;
    this.#committed = beside === null ? null : new Committed(objects, beside, this.#takenBack);
  }

  /**
   * To be asked for every commit of the trail, the newest first; or `pass` be told of it where its state and those of older
   * commits of its paths are not wanted. `row` is that of the entry, where it is at hand.
   */
  of(entry: TrailEntry, row: TrailRow = rowOf(entry)): Promise<EditState> {
    return this.#next(entry, row, true);
  }

  pass(row: TrailRow): Promise<void> | void {
    const isMove = this.#committed?.isMove(row) ?? false;
    if (!row.isPlain || isMove) return this.#passEntry(row);
    // It says nothing of other commits.
    this.#takenBack.reach(row.commit);
    const declared = this.#declared(row);
    if (declared instanceof Promise) return declared.then(() => {});
  }

  /** As `pass` for each of them, where what is known of them as a whole is enough. False: nothing was done. */
  passAll(rows: readonly TrailRow[], known: RowsSummary): boolean {
    if (!known.isPlain || !this.#declaresNone) return false;
    const isMove = this.#committed && [...known.heads].some(head => this.#committed!.isMove({ head }));
    return !isMove && this.#takenBack.reachesNone(rows) && this.#declaresNone(rows, known.oldest);
  }

  async #passEntry(row: TrailRow): Promise<void> {
    await this.#next(await row.entry(), row, false);
  }

  /** Waiting costs more than all else, and of most commits nothing has to be waited for. */
  async #next(entry: TrailEntry, row: TrailRow, isWanted: boolean): Promise<EditState> {
    this.#state.note(entry);
    this.#takenBack.reach(entry.commit);
    const undone = this.#state.isUndone(entry.commit);
    const isRolledBack = this.#takenBack.isRolledBack(entry);
    if (!isRolledBack) this.#effective.note(entry);
    const takenBack = isRolledBack || this.#effective.isUndone(entry.commit);
    const saying = this.#declared(row);
    const declared = saying instanceof Promise ? await saying : saying;
    if (!isWanted) await this.#committed?.pass(entry);
    const finding = isWanted ? this.#committed?.of(entry) : undefined;
    const holders = finding instanceof Promise ? await finding : finding;
    const isRollback = entry.meta?.restores !== undefined && (await this.#isRollback(entry));
    if (!undone) this.#takenBack.note(entry, this.#committed?.moves ?? 0, isRollback);
    const landed = declared ?? (holders ? lastOf(entry, holders) : null);
    return { undone, takenBack, landed, declared: declared !== null, held: holders ?? NO_HOLDERS };
  }

  /** A restore from a commit of the person may bring back what edits did, as that commit has it. */
  async #isRollback({ meta }: TrailEntry): Promise<boolean> {
    if (meta?.restores === undefined) return false;
    return isRollback(meta.op) || Boolean((await readEntryOrNull(this.#objects, meta.restores))?.meta);
  }
}

/** All paths must be held; of several commits, the one that came last completed it. */
function lastOf({ meta }: TrailEntry, holders: ReadonlyMap<string, Holder>): string | null {
  if (!meta || holders.size < meta.paths.length || holders.size === 0) return null;
  return [...holders.values()].reduce((last, one) => (one.move < last.move ? one : last)).commit;
}

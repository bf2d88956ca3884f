/** What became of edits, found while the trail is read from its newest commit backwards. */

import { isMerge, isWork } from '../../operations.ts';
import type { TrailHead } from '../../trail/head.ts';
import { EditStates } from '../../trail/history/edit-states.ts';
import { setAside } from '../../trail/message.ts';
import { walkRows } from '../../trail/rows.ts';
import { type RowsSummary, summaryOf } from '../../trail/rows-summary.ts';
import { readEntry, type TrailEntry, type TrailRow } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import { openLandings } from './log/landed.ts';
import { TakenBackByHand } from './log/taken-back-by-hand.ts';

/** What became of an edit since, as the log says it. */
export interface LoggedState {
  undone: boolean;
  landed: string | null;
  taken_back?: true;
  /** The merges of hosts that share the trail that put it aside, at one path or more. */
  put_aside?: string[];
}

export const OPEN_STATE: LoggedState = { undone: false, landed: null };

/** Tells what became of edits while the trail is read from its newest commit backwards: each is to be asked for or passed. */
export class EditStateReader {
  readonly #states: EditStates;
  readonly #byHand: TakenBackByHand;
  /** By edit. */
  readonly #aside = new Map<string, Set<string>>();

  private constructor(states: EditStates, byHand: TakenBackByHand) {
    this.#states = states;
    this.#byHand = byHand;
  }

  static async of(context: Context, trail: TrailHead): Promise<EditStateReader> {
    const landings = await openLandings(context, trail);
    const beside = trail.checkedOut ? null : trail.head;
    const states = new EditStates(context.objects, {
      declared: commit => landings.of(commit),
      declaresNone: (rows, oldest) => landings.pass(rows, oldest),
      beside,
    });
    return new EditStateReader(states, await TakenBackByHand.of(context, trail));
  }

  /** Where the state of the commit is not wanted, nor that of older commits of its paths. */
  pass(row: TrailRow): Promise<void> | void {
    if (isMerge(row.op)) return this.#passMerge(row);
    return this.#byHand.hasAll ? this.#states.pass(row) : this.#passNew(row);
  }

  /** The same of many in a row; `known` of them as a whole, or of more than them. */
  async passAll(rows: readonly TrailRow[], known: RowsSummary | undefined): Promise<void> {
    if (rows.length === 0) return;
    if (known && this.#byHand.hasAll && this.#states.passAll(rows, known)) return;
    for (const row of rows) {
      // Most need not be waited for, and waiting costs more than all else.
      const passing = this.pass(row);
      if (passing) await passing;
    }
  }

  async of(row: TrailRow): Promise<{ entry: TrailEntry; state: LoggedState }> {
    const entry = await row.entry();
    this.#noteAside(entry);
    if (!this.#byHand.hasAll) await this.#byHand.note(entry);
    const { takenBack: undone, landed } = await this.#states.of(entry, row);
    const isOpen = isOwnWork(entry) && !undone && landed === null;
    const isTakenBack = isOpen && !this.#byHand.hasAll && (await this.#byHand.has(entry));
    const state: LoggedState = { undone, landed };
    if (isTakenBack) state.taken_back = true;
    const aside = this.#aside.get(entry.commit);
    if (aside) state.put_aside = [...aside];
    return { entry, state };
  }

  #noteAside({ commit, meta }: TrailEntry): void {
    for (const { commit: edit } of (meta?.setsAside ?? []).map(setAside)) {
      this.#aside.set(edit, (this.#aside.get(edit) ?? new Set()).add(commit));
    }
  }

  async #passMerge(row: TrailRow): Promise<void> {
    this.#noteAside(await row.entry());
    await (this.#byHand.hasAll ? this.#states.pass(row) : this.#passNew(row));
  }

  async #passNew(row: TrailRow): Promise<void> {
    await this.#byHand.note(await row.entry());
    await this.#states.pass(row);
  }
}

/** What an agent did, in whatever way. */
function isOwnWork({ meta }: TrailEntry): boolean {
  return isWork(meta?.op);
}

export function trailRows(
  { objects }: Context,
  { tip, checkedOut }: TrailHead,
): AsyncGenerator<readonly TrailRow[]> {
  return walkRows(objects, tip, { ownOnly: !checkedOut, joined: 'shared' });
}

/** Reads the trail down to the commit. */
export async function editStateOf(context: Context, trail: TrailHead, commit: string): Promise<LoggedState> {
  const paths = new Set((await readEntry(context.objects, commit)).meta?.paths);
  const states = await EditStateReader.of(context, trail);
  for await (const rows of trailRows(context, trail)) {
    const known = summaryOf(rows);
    let passed = 0;
    for (const at of known?.placesOf(commit, paths) ?? placesOf(rows, commit, paths)) {
      await states.passAll(rows.slice(passed, at), known);
      const { state } = await states.of(rows[at]!);
      if (rows[at]!.commit === commit) return state;
      passed = at + 1;
    }
    await states.passAll(rows.slice(passed), known);
  }
  return OPEN_STATE;
}

function placesOf(rows: readonly TrailRow[], commit: string, paths: ReadonlySet<string>): number[] {
  const isAsked = (row: TrailRow): boolean =>
    row.commit === commit || row.paths.some(path => paths.has(path));
  return rows.flatMap((row, at) => (isAsked(row) ? at : []));
}

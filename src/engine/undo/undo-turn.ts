/** Undo of a turn: all that an agent did for one prompt is taken back by its lines, as one change. */

import { EditError } from '../../errors.ts';
import { findUndoable, newestTurn, type UndoScope } from '../../history/undo.ts';
import type { TrailEntry } from '../../history/walk.ts';
import { counted } from '../../text/words.ts';
import { fieldName, shortId } from '../../wording.ts';
import type { SinceBase } from '../change/base/since-base.ts';
import type { Planned } from '../change/planned.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { findTurn, LATEST } from '../trails/turns.ts';
import type { StepConflict } from './back-conflict.ts';
import type { UndoOptions } from './back-fields.ts';
import { planNewest, planOf, recordedScope, takenOut, walk } from './undo.ts';
import { UndoPlan } from './undo-plan.ts';

interface TurnScope extends UndoScope {
  /** Its id, the start of it, or `latest`: the newest of which something is not undone. */
  turn: string;
  /** Where later changes hold some of its edits, the others all the same. */
  rest?: boolean | undefined;
}

/** Plans taking back, or putting back, the newest edits, as many as are asked for, or those of a turn. */
export function planUndo(
  snapshot: Snapshot,
  word: 'undo' | 'redo',
  { count = 1, turn, rest, session, path }: UndoOptions & UndoScope,
  since: SinceBase | null,
): Promise<Planned> {
  if (turn === undefined) return planNewest(snapshot, word, count, { session, path }, since);
  return planTurn(snapshot, { turn, rest, session, path }, since);
}

/**
 * Takes back what is not undone of a turn, the newest edit first. Throws INVALID_INPUT for a turn that there is not,
 * NO_CHANGE where nothing of it is left, and refuses as CONFLICT, with the places, where later changes hold any of it.
 */
async function planTurn(
  snapshot: Snapshot,
  { turn: given, rest = false, ...wanted }: TurnScope,
  since: SinceBase | null,
): Promise<Planned> {
  const within = await recordedScope(snapshot, wanted);
  const scope = { ...within, turn: await turnOf(snapshot, given, within) };
  const choose = async (trail: AsyncIterable<TrailEntry>): Promise<TrailEntry[]> =>
    findUndoable(trail, Number.POSITIVE_INFINITY, scope);
  await since?.checkChoice(async trail => (await choose(trail)).map(({ commit }) => commit));
  const edits = await choose(walk(snapshot));
  if (edits.length === 0) throw nothingLeft(`turn ${scope.turn}`);
  const { undoPlan, isHeld, held } = await undoPart(snapshot, edits, rest);
  if (isHeld) return rest ? undoPlan.plan() : withRest(await undoPlan.plan(), edits.length, held);
  if (undoPlan.changesNothing)
    throw await takenOut(
      snapshot,
      edits.map(({ commit }) => commit),
    );
  const plan = await planOf(snapshot, undoPlan, 'undo');
  return { ...plan, notes: [...(plan.notes ?? []), ...held.map(stayingWords)] };
}

async function turnOf(snapshot: Snapshot, given: string, scope: UndoScope): Promise<string> {
  if (given !== LATEST) return findTurn(snapshot.context, given, scope.session);
  const turn = await newestTurn(walk(snapshot), scope);
  if (turn !== null) return turn;
  await findTurn(snapshot.context, given, scope.session);
  throw nothingLeft('any turn');
}

interface PartialUndo {
  undoPlan: UndoPlan;
  /** The places of those edits that later changes hold, and whether the plan still has any. */
  held: StepConflict[];
  isHeld: boolean;
}

/** `rest`: without the edits that are held, as long as there are others. */
async function undoPart(
  snapshot: Snapshot,
  edits: readonly TrailEntry[],
  rest: boolean,
): Promise<PartialUndo> {
  const held: StepConflict[] = [];
  for (let left = edits; ; ) {
    const undoPlan = new UndoPlan(snapshot, 'out');
    await undoPlan.read(left);
    for (const entry of left) await undoPlan.add(entry);
    const { conflicts } = await undoPlan.files();
    held.push(...conflicts);
    const stay = new Set(conflicts.map(({ commit }) => commit));
    const others = left.filter(({ commit }) => !stay.has(commit));
    if (stay.size === 0 || !rest || others.length === 0) return { undoPlan, held, isHeld: stay.size > 0 };
    left = others;
  }
}

/** Adds the way to the rest of the turn to the refusal. */
function withRest(plan: Planned, edits: number, held: readonly StepConflict[]): Planned {
  const { paths, error } = plan.conflict!;
  const stay = new Set(held.map(({ commit }) => commit)).size;
  const hint = `Of ${counted(edits, 'edit')} of the turn, ${stay} cannot be taken back. With ${fieldName('rest')} the others are.`;
  const { data } = error as EditError & { code: 'CONFLICT' };
  const message = stay < edits ? `${error.message}\n${hint}` : error.message;
  return { ...plan, conflict: { paths, error: new EditError('CONFLICT', message, data as never) } };
}

function stayingWords({ path, commit, regions }: StepConflict): string {
  const [first] = regions;
  const where = first ? `:${first.start_line}` : '';
  return `${shortId(commit)} stays: ${path}${where} was changed after it`;
}

function nothingLeft(turn: string): EditError {
  return new EditError('NO_CHANGE', `Nothing of ${turn} is left to undo here.`, { available: 0 });
}

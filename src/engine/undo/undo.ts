/**
 * Undo, of edits or of all that an agent did for one prompt, redo and revert: file changes planned out of history, published like
 * any edit.
 */

import { EditError } from '../../errors.ts';
import { findRedoable, findUndoable, newestTurn, type UndoScope } from '../../history/undo.ts';
import { readEntry, type TrailEntry, walkRows, walkTrail } from '../../history/walk.ts';
import type { Direction } from '../../line/files-back.ts';
import { isHead } from '../../operations.ts';
import { counted } from '../../text/words.ts';
import { fieldName, ifTool, pathName, shortId } from '../../wording.ts';
import type { EditAbout } from '../answer.ts';
import type { SinceBase } from '../change/base/since-base.ts';
import type { Planned } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import { checkPathOnTrail } from '../files/missing.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { logEntry } from '../log-entry.ts';
import { statusWords } from '../status/status-words.ts';
import { editStatuses } from '../status/statuses.ts';
import { findTurn, LATEST } from '../trails/turns.ts';
import type { StepConflict } from './back-conflict.ts';
import type { UndoOptions } from './back-fields.ts';
import { UndoPlan } from './undo-plan.ts';

/** The differences between an undo and a redo. */
interface Way {
  /** The first edits that it is about, newest first, so many at most. */
  choose(trail: AsyncIterable<TrailEntry>, most: number, scope: UndoScope): Promise<string[]>;
  direction: Direction;
  meta(commits: string[]): NonNullable<Planned['meta']>;
}

const WAYS: Readonly<Record<'undo' | 'redo', Way>> = {
  undo: {
    choose: async (...query) => (await findUndoable(...query)).map(entry => entry.commit),
    direction: 'out',
    meta: undoes => ({ undoes }),
  },
  redo: { choose: findRedoable, direction: 'again', meta: redoes => ({ redoes }) },
};

/** Adds what the answer says of the edits to the plan of taking them back, or of putting them there again. */
async function planOf(snapshot: Snapshot, undoPlan: UndoPlan, word: 'undo' | 'redo'): Promise<Planned> {
  const plan = await undoPlan.plan();
  const edits = await editsOf(snapshot, undoPlan.edits);
  const notes = [...(plan.notes ?? []), ...(word === 'undo' ? landedNotes(edits) : [])];
  return { ...plan, edits, notes, meta: WAYS[word].meta(edits.map(({ commit }) => commit)) };
}

/** Tells of the edits for an answer: what each was, whose, and why, and where it had landed. */
async function editsOf(snapshot: Snapshot, entries: readonly TrailEntry[]): Promise<EditAbout[]> {
  // Where HEAD is as it was when they were made, none can have landed.
  const landable = entries.filter(({ meta }) => meta?.head !== snapshot.trail.head);
  const statuses = await editStatuses(snapshot, snapshot.trail.checkedOut ? [] : landable);
  return entries.map(entry => {
    const { commit, subject, reason, author, agent, session, time } = logEntry(entry);
    const landed_in = statuses.get(commit)?.landed_in ?? null;
    return { commit, subject, reason, author, agent, session, time, landed_in };
  });
}

/** Says of each edit that had landed where it did: HEAD has it until what takes it back lands too. */
function landedNotes(edits: readonly EditAbout[]): string[] {
  return edits.flatMap(({ commit, landed_in: at }) =>
    at === null
      ? []
      : [`${commit.slice(0, 12)} had landed in ${at.slice(0, 12)}: HEAD has it until this lands too`],
  );
}

/**
 * Takes back the newest `count` edits in scope of which something is in the files, or puts back those undone last. Throws
 * NO_CHANGE when there are fewer; with `since`, STALE when these are not the edits of then.
 */
export async function planNewest(
  snapshot: Snapshot,
  word: 'undo' | 'redo',
  count: number,
  wanted: UndoScope,
  since: SinceBase | null = null,
): Promise<Planned> {
  const { choose, direction } = WAYS[word];
  const within = await recordedScope(snapshot, wanted);
  const plan = new UndoPlan(snapshot, direction);
  const { objects } = snapshot.context;
  let looked = 0;
  for (let most = count; ; most *= 2) {
    const scope = { ...within, stands: await standingAgain(snapshot, most, within) };
    await since?.checkChoice(trail => choose(trail, most, scope));
    const found = await choose(walk(snapshot), most, scope);
    if (found.length === 0 && scope.path !== undefined) await checkPathOnTrail(snapshot, scope.path);
    if (found.length < count) throw tooFew(word, found.length, count, scope);
    const next = await Promise.all(found.slice(looked).map(commit => readEntry(objects, commit)));
    // Of further ones, nobody knows yet how many it takes.
    if (looked === 0) await plan.read(next);
    looked = found.length;
    for (const entry of next) {
      await plan.add(entry);
      if (plan.edits.length < count) continue;
      if (plan.changesNothing) throw cancelledOut(word, count);
      return planOf(snapshot, plan, word);
    }
    if (found.length < most) break;
  }
  if (plan.edits.length === 0) throw await takenOut(snapshot, [...plan.passedOver.keys()].slice(0, count));
  throw tooFewHere(word, plan.edits.length, plan.passedOver);
}

/** The edits that are undone and stand in the files again, among those down to the `count` newest that are not undone. */
export async function standingAgain(
  snapshot: Snapshot,
  count: number,
  scope: UndoScope,
): Promise<ReadonlySet<string>> {
  const undone: TrailEntry[] = [];
  await findUndoable(walk(snapshot), count, scope, undone);
  return standingOf(snapshot, undone);
}

/** Those of some edits that stand in the files, as log says. */
export async function standingOf(
  snapshot: Snapshot,
  edits: readonly TrailEntry[],
): Promise<ReadonlySet<string>> {
  const statuses = await editStatuses(snapshot, edits);
  return new Set([...statuses].flatMap(([id, { now }]) => (now === 'open' || now === 'landed' ? [id] : [])));
}

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
  const ofTurn = { ...within, turn: await turnOf(snapshot, given, within) };
  const scope = { ...ofTurn, stands: await standingAgain(snapshot, Number.POSITIVE_INFINITY, ofTurn) };
  const choose = async (trail: AsyncIterable<TrailEntry>): Promise<TrailEntry[]> =>
    findUndoable(trail, Number.POSITIVE_INFINITY, scope);
  await since?.checkChoice(async trail => (await choose(trail)).map(({ commit }) => commit));
  const edits = await choose(walk(snapshot));
  if (edits.length === 0) throw nothingLeft(`turn ${scope.turn}`);
  const { undoPlan, isHeld, held } = await undoPart(snapshot, edits, rest);
  if (isHeld) return rest ? undoPlan.plan() : withRest(await undoPlan.plan(), edits.length, held);
  if (undoPlan.changesNothing) throw await takenOut(snapshot, edits);
  const plan = await planOf(snapshot, undoPlan, 'undo');
  return { ...plan, notes: [...(plan.notes ?? []), ...held.map(stayingWords)] };
}

async function turnOf(snapshot: Snapshot, given: string, scope: UndoScope): Promise<string> {
  if (given !== LATEST) return findTurn(snapshot.context, given, scope.session);
  const turn = await newestTurn(walk(snapshot), {
    ...scope,
    stands: await standingAgain(snapshot, 1, scope),
  });
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

/** With the path as the trail records it, where the caller gave one. */
async function recordedScope(snapshot: Snapshot, { session, path }: UndoScope): Promise<UndoScope> {
  if (path === undefined) return { session };
  return { session, path: toTrail(snapshot.context, await snapshot.resolveFolder(path)) || undefined };
}

/** Takes one edit out of the middle of history by its own lines, keeping all later ones. */
export async function planRevert(snapshot: Snapshot, spec: string): Promise<Planned> {
  const commit = await snapshot.commit(spec);
  const entry = await entryOnTrail(snapshot, commit);
  if (!entry.meta || isHead(entry.meta.op)) throw noEdit(commit, entry.meta?.head);
  const plan = await UndoPlan.of(snapshot, [entry]);
  if (plan.changesNothing) throw await takenOut(snapshot, [entry]);
  return planOf(snapshot, plan, 'undo');
}

/** Finds the trail's commit with this id. Throws INVALID_INPUT. */
async function entryOnTrail({ context, trail }: Snapshot, commit: string): Promise<TrailEntry> {
  const options = { ownOnly: !trail.checkedOut };
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) {
    const row = rows.find(one => one.commit === commit);
    if (row) return row.entry();
  }
  throw noEdit(commit);
}

/** `head`: the commit of the branch that the history took in there. */
function noEdit(commit: string, head?: string): EditError {
  const what =
    head === undefined
      ? 'not an edit of this history'
      : `where ${shortId(head)} of your branch came in, not an edit`;
  const revert = head === undefined ? '' : ` To take that commit back, use git revert ${shortId(head)}.`;
  const log = ifTool('log', tool => ` ${tool} lists the edits.`);
  return new EditError('INVALID_INPUT', `${shortId(commit)} is ${what}.${revert}${log}`, { commit });
}

export function walk({ context, trail }: Snapshot): AsyncGenerator<TrailEntry> {
  return walkTrail(context.objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut });
}

/** Refuses to take back edits of which the files hold nothing any more, and says what became of each. */
async function takenOut(snapshot: Snapshot, entries: readonly TrailEntry[]): Promise<EditError> {
  const statuses = await editStatuses(snapshot, entries);
  const told = entries.map(({ commit, meta }) => {
    const words = statusWords({ op: meta?.op ?? null, status: statuses.get(commit)! });
    return `${shortId(commit)}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;
  });
  const isByHand = [...statuses.values()].some(({ now }) => now === 'taken out by hand');
  const back = isByHand
    ? ifTool('restore', tool => ` ${tool} brings back what was taken out by hand, if that was not meant.`)
    : '';
  const message = `Nothing would change: the files hold nothing any more of ${told.join(', ')}.${back}`;
  return new EditError('NO_CHANGE', message, {});
}

/** Refuses to take back more edits than the files have anything of. `others`: what became of those. */
function tooFewHere(word: 'undo' | 'redo', here: number, others: ReadonlyMap<TrailEntry, string>): EditError {
  const why = [...others].map(([{ commit }, where]) => `${commit.slice(0, 12)} (${where})`).join(', ');
  const message = `Only ${here} of these edits ${here === 1 ? 'is' : 'are'} here, to ${word}. Passed over: ${why}. Nothing was changed. Ask for ${here}.`;
  return new EditError('NO_CHANGE', message, { available: here });
}

/** To go on to an edit that nobody asked for would be a guess. */
function cancelledOut(word: 'undo' | 'redo', count: number): EditError {
  return new EditError(
    'NO_CHANGE',
    `These ${count} edits together leave the files as they are: one made what another took away. Nothing was changed. Ask to ${word} fewer, or more.`,
    { available: count },
  );
}

function tooFew(word: 'undo' | 'redo', found: number, wanted: number, scope: UndoScope): EditError {
  const whose = scope.session === undefined ? 'The history' : 'This session';
  const where = scope.path === undefined ? '' : ` in ${pathName(scope.path)}`;
  const what = found === 0 ? `nothing to ${word}${where}` : `only ${found} to ${word}${where}, not ${wanted}`;
  const hint =
    found > 0
      ? ` Ask for ${found}.`
      : word === 'redo'
        ? ' A new edit after an undo ends what can be put back.'
        : '';
  return new EditError('NO_CHANGE', `${whose} has ${what}.${hint}`, { available: found });
}

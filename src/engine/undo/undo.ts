/** Undo, redo and revert: file changes planned out of history, published like any edit. */

import { EditError } from '../../errors.ts';
import { findRedoable, findUndoable, type UndoScope, UndoState } from '../../history/undo.ts';
import { readEntry, type TrailEntry, walkRows, walkTrail } from '../../history/walk.ts';
import type { Direction } from '../../line/files-back.ts';
import { isHead } from '../../operations.ts';
import { ifTool, pathName, shortId } from '../../wording.ts';
import type { EditAbout } from '../answer.ts';
import type { SinceBase } from '../change/base/since-base.ts';
import type { Planned } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import { checkPathOnTrail } from '../files/missing.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { logEntry } from '../log-entry.ts';
import { statusWords } from '../status/status-words.ts';
import { editStatuses } from '../status/statuses.ts';
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
export async function planOf(
  snapshot: Snapshot,
  undoPlan: UndoPlan,
  word: 'undo' | 'redo',
): Promise<Planned> {
  const commits = undoPlan.edits.map(({ commit }) => commit);
  const plan = await undoPlan.plan();
  const edits = await editsOf(snapshot, commits);
  const notes = [...(plan.notes ?? []), ...(word === 'undo' ? landedNotes(edits) : [])];
  return { ...plan, edits, notes, meta: WAYS[word].meta(commits) };
}

/** Tells of the edits for an answer: what each was, whose, and why, and where it had landed. */
async function editsOf(snapshot: Snapshot, commits: readonly string[]): Promise<EditAbout[]> {
  const { objects } = snapshot.context;
  const entries = await Promise.all(commits.map(commit => readEntry(objects, commit)));
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
  const scope = await recordedScope(snapshot, wanted);
  const plan = new UndoPlan(snapshot, direction);
  const { objects } = snapshot.context;
  let looked = 0;
  for (let most = count; ; most *= 2) {
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

/** With the path as the trail records it, where the caller gave one. */
export async function recordedScope(snapshot: Snapshot, { session, path }: UndoScope): Promise<UndoScope> {
  if (path === undefined) return { session };
  return { session, path: toTrail(snapshot.context, await snapshot.resolveFolder(path)) || undefined };
}

/** Takes one edit out of the middle of history by its own lines, keeping all later ones. */
export async function planRevert(snapshot: Snapshot, spec: string): Promise<Planned> {
  const commit = await snapshot.commit(spec);
  const { entry, undone } = await entryOnTrail(snapshot, commit);
  if (!entry.meta || isHead(entry.meta.op)) throw noEdit(commit);
  if (undone) throw new EditError('NO_CHANGE', `${commit.slice(0, 12)} is undone already.`, { commit });
  const plan = await UndoPlan.of(snapshot, [entry]);
  if (plan.changesNothing) throw await takenOut(snapshot, [commit]);
  return planOf(snapshot, plan, 'undo');
}

/** Plans taking one commit out of the files, by its own lines. */
export async function planTakenOut(
  snapshot: Snapshot,
  entry: TrailEntry,
  meta: NonNullable<Planned['meta']>,
): Promise<Planned> {
  const plan = await UndoPlan.of(snapshot, [entry]);
  return { ...(await plan.plan()), meta };
}

/** Finds the trail's commit with this id, and whether a later one took it back. Throws INVALID_INPUT. */
async function entryOnTrail(
  snapshot: Snapshot,
  commit: string,
): Promise<{ entry: TrailEntry; undone: boolean }> {
  const { context, trail } = snapshot;
  const state = new UndoState();
  const options = { ownOnly: !trail.checkedOut };
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) {
    for (const row of rows) {
      // Plain ones say nothing of others.
      if (!row.isPlain) state.note(await row.entry());
      if (row.commit === commit) return { entry: await row.entry(), undone: state.isUndone(commit) };
    }
  }
  throw noEdit(commit);
}

function noEdit(commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${commit.slice(0, 12)} is not an edit of this history.${ifTool('log', tool => ` ${tool} lists those that are.`)}`,
    { commit },
  );
}

export function walk({ context, trail }: Snapshot): AsyncGenerator<TrailEntry> {
  return walkTrail(context.objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut });
}

/** Refuses to take back edits of which the files hold nothing any more, and says what became of each. */
export async function takenOut(snapshot: Snapshot, commits: readonly string[]): Promise<EditError> {
  const { objects } = snapshot.context;
  const entries = await Promise.all(commits.map(commit => readEntry(objects, commit)));
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

/** Refuses to take back more edits than the files have anything of. `others`: by id, what became of them. */
function tooFewHere(word: 'undo' | 'redo', here: number, others: ReadonlyMap<string, string>): EditError {
  const why = [...others].map(([id, where]) => `${id.slice(0, 12)} (${where})`).join(', ');
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

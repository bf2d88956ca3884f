/** Undo, redo, revert and restore: file changes planned out of history, published like any edit. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isSync } from '../../operations.ts';
import { findRedoable, findUndoable, type UndoScope, UndoState } from '../../trail/history/undo.ts';
import { walkRows } from '../../trail/rows.ts';
import { summaryOf } from '../../trail/rows-summary.ts';
import { type Recorded, redoSteps, type Step, undoSteps } from '../../trail/steps.ts';
import {
  readEntry,
  readEntryOrNull,
  type TrailEntry,
  type WalkOptions,
  walkTrail,
} from '../../trail/walk.ts';
import { ifTool, pathName, toolName } from '../../wording.ts';
import type { EditAbout } from '../answer.ts';
import type { SinceBase } from '../change/base/since-base.ts';
import type { Planned } from '../change/draft.ts';
import { type Context, toTrail } from '../context.ts';
import { checkPathOnTrail, notHeld } from '../files/missing.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { knownElsewhere, withElsewhere } from '../trails/elsewhere.ts';
import { WayBack } from './way-back.ts';

/** What an undo and a redo do differently. */
interface Direction {
  /** The first edits that it is about, newest first, so many at most. */
  choose(trail: AsyncIterable<TrailEntry>, most: number, scope: UndoScope): Promise<string[]>;
  steps: typeof undoSteps;
  meta(commits: string[]): NonNullable<Planned['meta']>;
}

const DIRECTIONS: Readonly<Record<'undo' | 'redo', Direction>> = {
  undo: {
    choose: async (...query) => (await findUndoable(...query)).map(entry => entry.commit),
    steps: undoSteps,
    meta: undoes => ({ undoes }),
  },
  redo: { choose: findRedoable, steps: redoSteps, meta: redoes => ({ redoes }) },
};

/**
 * Takes back the newest `count` edits in scope, or puts back those undone last; and where none of them changes the files
 * any more, the newest one besides that does. Throws NO_CHANGE when there are fewer; with `since`, STALE when
 * these are not the edits of then.
 */
export async function planNewest(
  snapshot: Snapshot,
  word: 'undo' | 'redo',
  count: number,
  wanted: UndoScope,
  since: SinceBase | null = null,
): Promise<Planned> {
  const { choose, steps, meta } = DIRECTIONS[word];
  const { objects } = snapshot.context;
  const scope = await recordedScope(snapshot, wanted);
  const { plan, commits } = await newestOf(snapshot, word, {
    count,
    scope,
    since,
    choose: (trail, most) => choose(trail, most, scope),
    steps: async commit => steps(objects, await readEntry(objects, commit)),
  });
  return { ...plan, meta: meta(commits), edits: await editsOf(snapshot, commits) };
}

/** The plan, or its refusal, with the trails that know of work in the files of which this one knows nothing. */
export async function namingElsewhere(snapshot: Snapshot, plan: () => Promise<Planned>): Promise<Planned> {
  const { context, trail } = snapshot;
  const planned = await plan().catch(async error => {
    throw await withElsewhere(context, trail, error);
  });
  const notes = (await knownElsewhere(context, trail)).map(one => one.message);
  return notes.length === 0 ? planned : { ...planned, notes: [...(planned.notes ?? []), ...notes] };
}

/** The edits for an answer: what each was, whose, and why. */
async function editsOf({ context }: Snapshot, commits: readonly string[]): Promise<EditAbout[]> {
  const entries = await Promise.all(commits.map(commit => readEntry(context.objects, commit)));
  return entries.map(({ commit, subject, reason, author, time, meta }) => ({
    commit,
    subject,
    reason,
    author: author.name,
    agent: meta?.agent ?? null,
    session: meta?.session ?? null,
    time: new Date(time * 1000).toISOString(),
  }));
}

interface Newest {
  count: number;
  scope: UndoScope;
  since: SinceBase | null;
  /** The first edits that it is about, so many at most. */
  choose(trail: AsyncIterable<TrailEntry>, most: number): Promise<string[]>;
  steps(commit: string): Promise<Step[]>;
}

/** Edits that the files tell nothing of are passed over, so that the same call again does not come to them again. */
async function newestOf(
  snapshot: Snapshot,
  word: 'undo' | 'redo',
  { count, scope, since, choose, steps }: Newest,
): Promise<{ plan: Planned; commits: string[] }> {
  if (!Number.isInteger(count) || count < 1) throw noCount(word);
  // A session's edits are found wherever they came in; to the trail as a whole, a merge of a peer is one edit.
  const joined = scope.session === undefined ? 'shared' : 'all';
  const way = new WayBack(snapshot);
  const commits: string[] = [];
  for (let most = count; ; most *= 2) {
    await since?.checkChoice(trail => choose(trail, most), joined);
    const found = await choose(walk(snapshot, joined), most);
    if (found.length === 0 && scope.path !== undefined) await checkPathOnTrail(snapshot, scope.path);
    if (found.length < count) throw tooFew(word, found.length, count, scope);
    for (const commit of found.slice(commits.length)) {
      await way.take(await steps(commit));
      commits.push(commit);
      if (commits.length < count || !way.isInFiles) continue;
      if (way.changesNothing) throw cancelledOut(word, count);
      return { plan: way.plan(word), commits };
    }
    if (found.length < most) break;
  }
  const only = new WayBack(snapshot);
  const first = commits.slice(0, count);
  for (const commit of first) await only.take(await steps(commit));
  return { plan: only.plan(word), commits: first };
}

/** With the path as the trail records it, where the caller gave one. */
async function recordedScope(snapshot: Snapshot, { session, path }: UndoScope): Promise<UndoScope> {
  if (path === undefined) return { session };
  return { session, path: toTrail(snapshot.context, await snapshot.resolveFolder(path)) || undefined };
}

/** Takes one edit out of the middle of history by three-way merge, keeping all later ones. */
export async function planRevert(snapshot: Snapshot, spec: string): Promise<Planned> {
  const { context } = snapshot;
  const commit = await snapshot.commit(spec);
  const { entry, undone } = await entryOnTrail(snapshot, commit);
  if (!entry.meta || isSync(entry.meta.op)) throw noEdit(commit);
  if (undone) throw new EditError('NO_CHANGE', `${commit.slice(0, 12)} is undone already.`, { commit });
  const way = new WayBack(snapshot);
  await way.take(await undoSteps(context.objects, entry));
  return { ...way.plan('undo'), meta: { undoes: [commit] }, edits: await editsOf(snapshot, [commit]) };
}

/** Files become what they were in `commit`; what somebody changed since outside the engine is kept or a conflict. */
export async function planRestore(
  snapshot: Snapshot,
  given: readonly string[],
  spec: string,
): Promise<Planned> {
  const { context } = snapshot;
  const commit = await snapshot.commit(spec);
  const { tree } = await readEntry(context.objects, commit);
  const steps: Step[] = [];
  for (const one of new Set(given)) {
    const path = await snapshot.resolve(one);
    const to = await lookup(context.objects, tree, toTrail(context, path));
    if (!to) throw await notHeld(snapshot, path, commit);
    steps.push({ path: toTrail(context, path), from: await replaceable(snapshot, path), to, commit });
  }
  return planSteps(snapshot, steps, { restores: commit });
}

/** What a restore may write over: a file that was deleted or taken back to HEAD's holds nothing that could be lost. */
async function replaceable(snapshot: Snapshot, path: string): Promise<Recorded> {
  const { context, trail, conversion } = snapshot;
  const present = await snapshot.file(path);
  if (!present) return null;
  const head = trail.head && (await readEntry(context.objects, trail.head)).tree;
  const committed = head ? await lookup(context.objects, head, toTrail(context, path)) : null;
  const isCommitted = committed !== null && (await conversion.isRecorded(path, present, committed));
  return isCommitted ? committed : snapshot.recorded(path);
}

const NO_PATHS: ReadonlySet<string> = new Set();

/** The trail's commit with this id, and whether a later one took it back. Throws INVALID_INPUT. */
async function entryOnTrail(
  snapshot: Snapshot,
  commit: string,
): Promise<{ entry: TrailEntry; undone: boolean }> {
  const { context, trail } = snapshot;
  const state = new UndoState();
  const options = { ownOnly: !trail.checkedOut, joined: 'all' as const };
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) {
    const known = summaryOf(rows);
    if (known?.isPlain && known.placesOf(commit, NO_PATHS).length === 0) continue;
    for (const row of rows) {
      // Plain ones say nothing of others.
      if (!row.isPlain) state.note(await row.entry());
      if (row.commit === commit) return { entry: await row.entry(), undone: state.isUndone(commit) };
    }
  }
  // An edit of another clone's trail that was merged is one of this trail too.
  const entry = await readEntryOrNull(context.objects, commit);
  const isMerged = entry?.meta && trail.tip && (await isMergedIn(context.objects, commit, trail.tip));
  if (entry && isMerged) return { entry, undone: state.isUndone(commit) };
  throw noEdit(commit);
}

/** True for an edit in the history of the trail that HEAD's own history does not have. */
async function isMergedIn(objects: Context['objects'], commit: string, tip: string): Promise<boolean> {
  const head = (await readEntry(objects, tip)).meta?.head;
  if (!(await isAncestor(objects, commit, tip))) return false;
  return head === undefined || !(await isAncestor(objects, commit, head));
}

function noEdit(commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${commit.slice(0, 12)} is not an edit of this trail.${ifTool('log', ` ${toolName('log')} lists those that are.`)}`,
    { commit },
  );
}

export function walk(
  snapshot: Snapshot,
  joined: WalkOptions['joined'] = 'shared',
): AsyncGenerator<TrailEntry> {
  const { context, trail } = snapshot;
  return walkTrail(context.objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut, joined });
}

/** The plan of steps that are about one commit. */
export async function planSteps(
  snapshot: Snapshot,
  steps: readonly Step[],
  meta: NonNullable<Planned['meta']>,
): Promise<Planned> {
  const way = new WayBack(snapshot);
  await way.take(steps);
  return { ...way.plan(null), meta };
}

function noCount(word: 'undo' | 'redo'): EditError {
  return new EditError(
    'INVALID_INPUT',
    `How many edits to ${word} is a whole number from 1. Leave count out for one.`,
    {
      field: 'count',
    },
  );
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
  const whose = scope.session === undefined ? 'The trail' : 'This session';
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

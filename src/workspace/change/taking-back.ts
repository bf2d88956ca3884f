/** Undo, redo and rollback: file changes planned out of history, published like any edit. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import type { StoredFile } from '../../stores/store.ts';
import { planRollback } from '../../trail/rollback.ts';
import { redoSteps, type Step, undoSteps } from '../../trail/steps.ts';
import { findRedoable, findUndoable, type UndoScope, UndoState } from '../../trail/undo.ts';
import { readEntry, type TrailEntry, walkTrail } from '../../trail/walk.ts';
import { fromTrail, toTrail } from '../context.ts';
import { findCommit } from '../revision.ts';
import type { Snapshot } from '../snapshot.ts';
import { advance, conflictError, type StepConflict } from './advance.ts';
import type { Planned } from './draft.ts';

/** Takes back the newest `count` edits in scope. Throws NO_CHANGE when there are fewer, CONFLICT. */
export async function planUndo(snapshot: Snapshot, count: number, wanted: UndoScope): Promise<Planned> {
  const { objects } = snapshot.context;
  const scope = await recordedScope(snapshot, wanted);
  const entries = await findUndoable(walk(snapshot), count, scope);
  if (entries.length < count) throw tooFew('undo', entries.length, count, scope);
  const steps: Step[] = [];
  for (const entry of entries) steps.push(...(await undoSteps(objects, entry)));
  return planSteps(snapshot, steps, { undoes: entries.map(entry => entry.commit) });
}

/** Puts back the `count` edits undone last. Throws NO_CHANGE when there are fewer, CONFLICT. */
export async function planRedo(snapshot: Snapshot, count: number, wanted: UndoScope): Promise<Planned> {
  const { objects } = snapshot.context;
  const scope = await recordedScope(snapshot, wanted);
  const commits = await findRedoable(walk(snapshot), count, scope);
  if (commits.length < count) throw tooFew('redo', commits.length, count, scope);
  const steps: Step[] = [];
  for (const commit of commits) steps.push(...(await redoSteps(objects, await readEntry(objects, commit))));
  return planSteps(snapshot, steps, { redoes: commits });
}

/** With the path as the trail records it, where the caller gave one. */
async function recordedScope(snapshot: Snapshot, { session, path }: UndoScope): Promise<UndoScope> {
  if (path === undefined) return { session };
  return { session, path: toTrail(snapshot.context, await snapshot.resolve(path)) };
}

/** Takes one edit out of the middle of history by three-way merge, keeping all later ones. */
export async function planRevert(snapshot: Snapshot, spec: string): Promise<Planned> {
  const { context, trail } = snapshot;
  const commit = await findCommit(context, trail, spec);
  const { entry, undone } = await entryOnTrail(snapshot, commit);
  if (!entry.meta || entry.meta.op === 'sync') throw noEdit(commit);
  if (undone) throw new EditError('NO_CHANGE', `${commit.slice(0, 12)} is undone already.`, { commit });
  return planSteps(snapshot, await undoSteps(context.objects, entry), { undoes: [commit] });
}

/** One file becomes what it was in `commit`; what somebody changed since outside the engine is kept or a conflict. */
export async function planRestore(snapshot: Snapshot, given: string, spec: string): Promise<Planned> {
  const { context, trail } = snapshot;
  const commit = await findCommit(context, trail, spec);
  const path = await snapshot.resolve(given);
  const to = await lookup(
    context.objects,
    (await readEntry(context.objects, commit)).tree,
    toTrail(context, path),
  );
  if (!to) {
    throw new EditError(
      'FILE_NOT_FOUND',
      `${commit.slice(0, 12)} has no file ${path}. To remove the file, delete it.`,
      { path, commit },
    );
  }
  const step: Step = { path: toTrail(context, path), from: await snapshot.recorded(path), to, commit };
  return planSteps(snapshot, [step], { restores: commit });
}

/** The paths that the engine touched since `target` become what they were then; `only` limits them. */
export async function planBack(
  snapshot: Snapshot,
  target: string,
  only?: readonly string[],
): Promise<Planned> {
  const { context, trail } = snapshot;
  const commit = await findCommit(context, trail, target);
  const paths = only?.map(path => toTrail(context, path));
  const { steps, outside } = await planRollback(context.objects, trail, commit, paths);
  const notes = [
    ...outside.map(path => `${path} was also changed outside the engine since then; that was kept`),
    'what the files held is still in history, secrets too',
  ];
  return { ...(await planSteps(snapshot, steps, { restores: commit })), notes };
}

/** The trail's commit with this id, and whether a later one took it back. Throws INVALID_INPUT. */
async function entryOnTrail(
  snapshot: Snapshot,
  commit: string,
): Promise<{ entry: TrailEntry; undone: boolean }> {
  const state = new UndoState();
  for await (const entry of walk(snapshot)) {
    state.note(entry);
    if (entry.commit === commit) return { entry, undone: state.isUndone(commit) };
  }
  throw noEdit(commit);
}

function noEdit(commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${commit.slice(0, 12)} is not an edit of this trail. \`log\` lists those that are.`,
    { commit },
  );
}

function walk(snapshot: Snapshot): AsyncGenerator<TrailEntry> {
  const { context, trail } = snapshot;
  return walkTrail(context.objects, trail.oid && trail.parent, { ownOnly: !trail.checkedOut });
}

/** Every step in order on the growing state; those that do not fit refuse them all. */
async function planSteps(
  snapshot: Snapshot,
  steps: readonly Step[],
  meta: NonNullable<Planned['meta']>,
): Promise<Planned> {
  const targets = new Map<string, StoredFile | null>();
  const conflicts: StepConflict[] = [];
  for (const step of steps) {
    const path = fromTrail(snapshot.context, step.path);
    if (path === null) throw outsideWorkspace(step.path);
    const now = targets.has(path) ? targets.get(path)! : await present(snapshot, path);
    const next = await advance(snapshot, path, now, step);
    if ('conflict' in next) conflicts.push(next.conflict);
    else targets.set(path, next.file);
  }
  if (conflicts.length > 0) throw conflictError(conflicts);
  return { targets, moves: [], meta };
}

async function present(snapshot: Snapshot, path: string): Promise<StoredFile | null> {
  return (await snapshot.resolve(path)) === path ? snapshot.file(path) : null;
}

function outsideWorkspace(path: string): EditError {
  return new EditError(
    'OUTSIDE_WORKSPACE',
    `${path} is outside this workspace, so it cannot be changed from here. Open the whole repository.`,
    { path },
  );
}
function tooFew(word: 'undo' | 'redo', found: number, wanted: number, scope: UndoScope): EditError {
  const whose = scope.session === undefined ? 'The trail' : 'This session';
  const where = scope.path === undefined ? '' : ` in ${scope.path}`;
  const what = found === 0 ? `nothing to ${word}${where}` : `only ${found} to ${word}${where}, not ${wanted}`;
  const hint =
    found > 0
      ? ` Ask for ${found}.`
      : word === 'redo'
        ? ' A new edit after an undo ends what can be put back.'
        : '';
  return new EditError('NO_CHANGE', `${whose} has ${what}.${hint}`, { available: found });
}

/** Undo, redo and rollback: file changes planned out of history, published like any edit. */

import { EditError } from '../errors.ts';
import type { StoredFile } from '../stores/store.ts';
import { planRollback } from '../trail/rollback.ts';
import { redoSteps, type Step, undoSteps } from '../trail/steps.ts';
import { findRedoable, findUndoable, type UndoScope } from '../trail/undo.ts';
import { readEntry, type TrailEntry, walkTrail } from '../trail/walk.ts';
import { advance, conflictError, type StepConflict } from './advance.ts';
import { fromTrail } from './context.ts';
import type { Planned } from './draft.ts';
import { findCommit } from './revision.ts';
import type { Snapshot } from './snapshot.ts';

/** Takes back the newest `count` edits in scope. Throws NO_CHANGE when there are fewer, CONFLICT. */
export async function planUndo(snapshot: Snapshot, count: number, scope: UndoScope): Promise<Planned> {
  const { objects } = snapshot.context;
  const entries = await findUndoable(walk(snapshot), count, scope);
  if (entries.length < count) throw tooFew('undo', entries.length, count, scope);
  const steps: Step[] = [];
  for (const entry of entries) steps.push(...(await undoSteps(objects, entry)));
  return planSteps(snapshot, steps, { undoes: entries.map(entry => entry.commit) });
}

/** Puts back the `count` edits undone last. Throws NO_CHANGE when there are fewer, CONFLICT. */
export async function planRedo(snapshot: Snapshot, count: number, scope: UndoScope): Promise<Planned> {
  const { objects } = snapshot.context;
  const commits = await findRedoable(walk(snapshot), count, scope);
  if (commits.length < count) throw tooFew('redo', commits.length, count, scope);
  const steps: Step[] = [];
  for (const commit of commits) steps.push(...(await redoSteps(objects, await readEntry(objects, commit))));
  return planSteps(snapshot, steps, { redoes: commits });
}

/** The paths that the engine touched since `target` become what they were then; `only` limits them. */
export async function planBack(
  snapshot: Snapshot,
  target: string,
  only?: readonly string[],
): Promise<Planned> {
  const { context, trail } = snapshot;
  const commit = await findCommit(context, trail, target);
  const paths = only?.map(path => context.prefix + path);
  const plan = await planRollback(context.objects, trail, commit, paths);
  const lost = plan.steps.filter(step => plan.outside.has(step.path));
  if (lost.length > 0) throw outsideInBetween(lost, plan.outside, commit);
  return planSteps(snapshot, plan.steps, { restores: commit });
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
    const next = await advance(snapshot.context, path, now, step);
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
  const what = found === 0 ? `nothing to ${word}` : `only ${found} to ${word}, not ${wanted}`;
  const hint =
    found > 0
      ? ` Ask for ${found}.`
      : word === 'redo'
        ? ' A new edit after an undo ends what can be put back.'
        : '';
  return new EditError('NO_CHANGE', `${whose} has ${what}.${hint}`, { available: found });
}

function outsideInBetween(
  steps: readonly Step[],
  outside: ReadonlyMap<string, string>,
  target: string,
): EditError {
  const names = steps.map(step => step.path).join(', ');
  return new EditError(
    'CONFLICT',
    `${names} was also changed outside the engine since ${target.slice(0, 12)}; going back would drop that text. Nothing was written. Name other paths, or undo single edits.`,
    {
      conflicts: steps.map(step => ({ path: step.path, commit: outside.get(step.path) })),
    },
  );
}

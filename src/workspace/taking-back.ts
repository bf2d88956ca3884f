/** Undo, redo and rollback: file changes planned out of history, published like any edit. */

import { EditError } from '../errors.ts';
import type { StoredMode } from '../stores/store.ts';
import { planRollback } from '../trail/rollback.ts';
import { type Recorded, redoSteps, type Step, sameRecorded, undoSteps } from '../trail/steps.ts';
import { findRedoable, findUndoable, type UndoScope } from '../trail/undo.ts';
import { readEntry, type TrailEntry, walkTrail } from '../trail/walk.ts';
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

/** Every step in order on the growing state; the first that does not fit refuses them all. */
async function planSteps(
  snapshot: Snapshot,
  steps: readonly Step[],
  meta: NonNullable<Planned['meta']>,
): Promise<Planned> {
  const state = new Map<string, Recorded>();
  for (const step of steps) {
    const path = fromTrail(snapshot.context, step.path);
    if (path === null)
      throw new EditError(
        'OUTSIDE_WORKSPACE',
        `${step.path} is outside this workspace, so it cannot be changed from here. Open the whole repository.`,
        { path: step.path },
      );
    if (!state.has(path)) state.set(path, await present(snapshot, path));
    state.set(path, advance(path, state.get(path)!, step));
  }
  const targets = new Map<string, { bytes: Uint8Array; mode: StoredMode } | null>();
  for (const [path, recorded] of state) targets.set(path, recorded && (await content(snapshot, recorded)));
  return { targets, moves: [], meta };
}

function advance(path: string, now: Recorded, step: Step): Recorded {
  if (sameRecorded(now, step.from)) return step.to;
  if (sameRecorded(now, step.to)) return now;
  const since = step.commit.slice(0, 12);
  throw new EditError(
    'CONFLICT',
    `${path} was changed after ${since}, so taking that back would overwrite the later text. Nothing was written. Edit the file by hand, or undo the later change first.`,
    {
      conflicts: [{ path, commit: step.commit, present: now?.oid ?? null, expected: step.from?.oid ?? null }],
    },
  );
}

async function present(snapshot: Snapshot, path: string): Promise<Recorded> {
  const real = await snapshot.resolve(path);
  const file = real === path ? await snapshot.file(path) : null;
  return file && { mode: file.mode, oid: file.version };
}

async function content(
  snapshot: Snapshot,
  recorded: NonNullable<Recorded>,
): Promise<{ bytes: Uint8Array; mode: StoredMode }> {
  const object = await snapshot.context.objects.read(recorded.oid);
  return { bytes: object.content, mode: recorded.mode === '100755' ? '100755' : '100644' };
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

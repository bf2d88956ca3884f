/** An edit_id that the trail already holds: the first answer again, so that a retry after a lost answer is safe. */

import { redoSteps } from '../../trail/steps.ts';
import { readEntry, type TrailEntry } from '../../trail/walk.ts';
import { answerDone, type Done } from '../answer.ts';
import { type Context, fromTrail } from '../context.ts';
import { type Delta, deltasOf, type Move } from '../deltas.ts';
import { openTrail } from '../open-trail.ts';
import { recordedFile } from '../snapshot.ts';
import { commitOfEditId } from './edit-ids.ts';

/** The answer of the change with this id, or `null` when the trail holds none. `mayWrite`: the engine's lock is held. */
export async function findRepeated(
  context: Context,
  editId: string,
  mayWrite: boolean,
): Promise<Done | null> {
  const trail = await openTrail(context, 'begun');
  const commit = await commitOfEditId(context, trail, editId, mayWrite);
  return commit ? repeatedAnswer(context, trail.ref, await readEntry(context.objects, commit)) : null;
}

async function repeatedAnswer(context: Context, trail: string, entry: TrailEntry): Promise<Done> {
  const deltas = await entryDeltas(context, entry);
  const commits = {
    commit: entry.commit,
    parent: entry.parents[0] ?? null,
    outside: null,
    deltas,
    notes: [],
    subject: entry.subject,
    trail,
  };
  return answerDone(entry.meta!.op, commits, { repeated: true });
}

/** What one commit of the trail changed, file by file. */
export async function entryDeltas(context: Context, entry: TrailEntry): Promise<Delta[]> {
  const changes = [];
  for (const step of await redoSteps(context.objects, entry)) {
    const path = fromTrail(context, step.path);
    if (path === null) continue;
    const before = step.from && (await recordedFile(context, path, step.from));
    const after = step.to && (await recordedFile(context, path, step.to));
    changes.push({ path, before, after });
  }
  return deltasOf(changes, pairMoves(entry.meta?.op, changes));
}

/** A move is a path that went and one that came, in a commit that says so. */
function pairMoves(
  op: string | undefined,
  changes: ReadonlyArray<{ path: string; before: unknown; after: unknown }>,
): Move[] {
  if (op !== 'move' || changes.length !== 2) return [];
  const from = changes.find(change => change.after === null);
  const to = changes.find(change => change.after !== null);
  return from && to ? [{ from: from.path, to: to.path }] : [];
}

/**
 * Git's index when commits land on the checked-out branch: entries of what landed follow the branch, everything else that
 * the user staged stays staged. The same is done after a crash, from what the branch and the index then hold.
 */

import type { Context } from '../engine/context.ts';
import { writeIndexEntries } from '../engine/transaction/index-step.ts';
import type { Landing, StagedEntry } from '../engine/transaction/journal/record.ts';
import { EditError } from '../errors.ts';
import { readIndexEntry } from '../git/index/file.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { readHead } from '../git/refs/refs.ts';
import { type FileStep, type Recorded, sameRecorded } from '../history/steps.ts';
import { treeOf } from '../history/walk.ts';
import { mergeFileOrNone } from '../text/diff/merge.ts';
import type { LandContents, PathContents } from './contents.ts';
import type { LandTarget } from './target.ts';

export interface StagedPlan {
  /** Entries of the index that differ from the branch. */
  staged: StagedEntry[];
  objects: EncodedObject[];
}

/**
 * Plans to keep what the user staged at the paths that land on top of them. Throws CONFLICT where it cannot be joined.
 */
export async function planStaged(
  context: Context,
  target: LandTarget,
  contents: LandContents,
  changes: PathContents,
): Promise<StagedPlan> {
  const plan: StagedPlan = { staged: [], objects: [] };
  const index = target.checkedOut ? await context.index.read() : null;
  for (const [path, to] of index ? changes : []) {
    const from = contents.before.get(path) ?? null;
    const { present, isNew } = stagedAt(index, path);
    if (isNew || sameRecorded(present, from)) continue;
    const joined = await joinOwn(contents, present, { path, from, to });
    plan.staged.push({ path, before: present, after: joined.after });
    if (joined.content) plan.objects.push(await context.codec.encode('blob', joined.content));
  }
  return plan;
}

/**
 * Returns what is staged; an entry of `git add --intent-to-add` holds nothing. Throws CONFLICT for one with a conflict.
 */
function stagedAt(index: Uint8Array | null, path: string): { present: Recorded; isNew: boolean } {
  const entry = readIndexEntry(index, path);
  if (entry && entry.stage > 0) throw inConflict(path);
  if (!entry || entry.intentToAdd) return { present: null, isNew: entry !== null };
  return { present: { mode: entry.mode, oid: entry.oid }, isNew: false };
}

/** The entry of the index after a landing, and its bytes where they may be in no object yet. */
type Joined = { after: StagedEntry['after']; content?: Uint8Array };

/**
 * Joins what a user staged with what lands there; the agents' text is not a change of their own. Throws CONFLICT where the
 * same lines were changed, or what is no text.
 */
async function joinOwn(
  contents: LandContents,
  present: Recorded,
  { path, from, to }: FileStep,
): Promise<Joined> {
  // A move or a deletion of the file that is staged stays so.
  if (present === null && from && to) return { after: null };
  if (present && contents.states.get(path)?.has(present.oid)) return { after: 'branch' };
  const joined = (after: Recorded): Joined => {
    const content = after && contents.made.get(after.oid);
    return content ? { after, content } : { after };
  };
  if (sameRecorded(present, to)) return joined(present);
  if (!present || !from || !to || ![present, from, to].every(one => one.mode.startsWith('100')))
    throw stagedConflict(path);
  const mode = present.mode === from.mode ? to.mode : present.mode;
  if (from.oid === to.oid || present.oid === to.oid) return joined({ mode, oid: present.oid });
  if (present.oid === from.oid) return joined({ mode, oid: to.oid });
  const [old, own, landing] = await Promise.all(
    [from, present, to].map(async ({ oid }) => ({ bytes: await contents.read(oid, path), version: oid })),
  );
  const merged = mergeFileOrNone(path, old!, own!, landing!);
  if ('conflict' in merged) throw stagedConflict(path);
  return joined({ mode, oid: await contents.keep(merged.content) });
}

function inConflict(path: string): EditError {
  return new EditError('CONFLICT', `${path} is in conflict in the index. Finish or abort the merge first.`, {
    path,
  });
}

function stagedConflict(path: string): EditError {
  return new EditError(
    'CONFLICT',
    `You have staged a change of ${path} that cannot be joined with what is landing. Commit it, or unstage it (git restore --staged), then land again.`,
    { path, staged: true },
  );
}

/**
 * Brings the index in step with a branch that moved from `landing.from`; does nothing when it did not move or is no longer
 * checked out. index.lock must be held; `temp` is a file that is not there yet.
 */
export async function followBranch(
  context: Context,
  landing: Landing & { ref: string },
  temp: string,
): Promise<void> {
  const head = await readHead(context.repo);
  if ((head.ref ?? 'HEAD') !== landing.ref || head.oid === null || head.oid === landing.from) return;
  const index = await context.index.read();
  const staged = new Map(landing.staged.map(entry => [entry.path, entry]));
  const changes = new Map<string, Recorded>();
  const { objects } = context;
  const old = landing.from && (await treeOf(objects, landing.from));
  for (const { path, before, after } of await diffTrees(objects, old, await treeOf(objects, head.oid))) {
    const { present } = stagedAt(index, path);
    const own = staged.get(path) ?? { before, after: 'branch' };
    if (sameRecorded(present, own.before)) changes.set(path, own.after === 'branch' ? after : own.after);
  }
  // The files may hold more than what landed, so their times stand for nothing.
  const entries = [...changes].map(([path, after]) => ({ path, before: null, after }));
  if (entries.length > 0) await writeIndexEntries(context, entries, temp);
}

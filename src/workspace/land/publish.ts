/**
 * Publishes landed commits on a branch, under the lock: where all is as the plan has it, one transaction moves the
 * branch, and the index follows. The work tree is not touched.
 */

import { formatIdentity, parseCommit } from '../../git/objects/commit.ts';
import { lookup } from '../../git/objects/tree.ts';
import { syncTrail } from '../change/sync.ts';
import { type Context, fromTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { openTrail } from '../trails/open-trail.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import { publish } from '../transaction/publication.ts';
import { movingRef, type Outcome } from '../transaction/transaction.ts';
import type { Turn } from '../transaction/writer.ts';
import type { MadeCommits } from './git/commit.ts';
import { planStaged } from './index.ts';
import type { LandPlan } from './plan.ts';
import { findTarget } from './target.ts';

/** `done: false`: something that the commits were planned on is another now; nothing happened. */
export async function publishLanding(
  context: Context,
  plan: LandPlan,
  made: MadeCommits,
  turn: Turn,
): Promise<Outcome> {
  if (!(await stillStands(context, plan, made))) return { done: false };
  const { target, staged } = plan;
  const { ref, checkedOut, commit: oid } = target;
  const { committer, message } = parseCommit((await context.objects.read(made.commit, 'commit')).content);
  const kind = oid === null ? 'commit (initial)' : 'commit';
  return publish(
    context,
    {
      ...movingRef(context, { ref, checkedOut, oid, head: oid, commit: made.commit, summary: '' }),
      objects: made.objects,
      committer: formatIdentity(committer),
      summary: `${kind}: ${message.split('\n')[0]}`,
      landing: checkedOut ? { from: oid, staged: [...staged] } : null,
    },
    turn,
  );
}

/**
 * True where branch, index and the files that land are as they were planned on. Other files may have been edited meanwhile,
 * and one that lands may be as a hook left it on the way.
 */
async function stillStands(context: Context, plan: LandPlan, made: MadeCommits): Promise<boolean> {
  const { target, contents, changes } = plan;
  const now = await findTarget(context, plan.onto);
  if (now.ref !== target.ref || now.commit !== target.commit || now.checkedOut !== target.checkedOut)
    return false;
  if (target.checkedOut) await checkIdle(context);
  const { staged } = await planStaged(context, target, contents, changes);
  if (JSON.stringify(staged) !== JSON.stringify(plan.staged)) return false;
  const present = new Snapshot(context, (await syncTrail(context, await openTrail(context))).trail);
  for (const path of changes.keys()) {
    const was = await stateOf(plan.landing.snapshot, path);
    const left = await entryOf(context, made.tree, path);
    const is = await stateOf(present, path);
    if (is.some((one, at) => one !== was[at] && one !== left)) return false;
  }
  return true;
}

/** Tells a path as the trail and as the folder have it. */
async function stateOf(snapshot: Snapshot, path: string): Promise<[trail: string, file: string]> {
  const { context, trail } = snapshot;
  const name = fromTrail(context, path);
  const file = name === null ? null : await snapshot.asRecorded(name).catch(() => null);
  return [await entryOf(context, trail.tree, path), file ? `${file.mode} ${file.version}` : ''];
}

async function entryOf({ objects }: Context, tree: string | null, path: string): Promise<string> {
  const entry = tree && (await lookup(objects, tree, path));
  return entry ? `${entry.mode} ${entry.oid}` : '';
}

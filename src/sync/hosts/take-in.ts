/**
 * Takes what the server has into the own trail and files, as one change like any other: the trail goes on to the server's
 * commit where it has nothing of its own, else one commit with both histories is made.
 */

import type { DoneData } from '../../engine/answer.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import { nullFor } from '../../engine/calls/failure.ts';
import type { Calls } from '../../engine/calls/queue.ts';
import type { SetAside } from '../../engine/calls/sync-data.ts';
import { makeChange } from '../../engine/change/change.ts';
import type { Planned } from '../../engine/change/planned.ts';
import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { EditError } from '../../errors.ts';
import { mergeBases } from '../../git/merge-base.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { lazy } from '../../lazy.ts';
import { Replay } from '../../trail/history/replay.ts';
import { setAside } from '../../trail/message.ts';
import { readEntry } from '../../trail/walk.ts';
import { optionWords, shortId } from '../../wording.ts';
import { newSession } from '../../workspace/new-session.ts';
import type { Session } from '../../workspace/session.ts';
import { assertNew, type Decide, planTrail } from '../merge/plan.ts';
import type { SyncOptions } from './options.ts';
import { SYNC_SESSION } from './own-sync.ts';
import type { SharedTrail } from './shared-trail.ts';

export interface Incoming {
  shared: SharedTrail;
  /** The other trail's name for messages: `origin main`. */
  name: string;
  /** The server's newest commit, which was fetched. */
  theirs: string;
}

export interface TakenIn {
  /** The merge; `null` where the trail only went on to the server's commit. */
  merge: string | null;
  paths: string[];
  aside: SetAside[];
}

/** Merges what the server has; `null` where all of it is here. Throws CONFLICT, STALE, INVALID_INPUT, LOCKED, and what an edit of such paths throws. */
export async function takeIn(
  context: Context,
  calls: Calls,
  incoming: Incoming,
  { onConflict = 'stop', allowUnrelated = false, allowSecret, reason }: SyncOptions,
  cancel: Cancellation,
): Promise<TakenIn | null> {
  const editor = { session: SYNC_SESSION, agent: undefined, model: undefined };
  const session = (): Session => newSession(context, editor, undefined, calls);
  const decide = decideBy(onConflict);
  const plan = (snapshot: Snapshot): Promise<Planned> =>
    planShared(snapshot, incoming, { decide, allowUnrelated });
  const request = { op: 'merge', editor, session, cancel, ofOthers: true, plan, dryRun: false };
  const change = makeChange(context, { ...request, reason, allowSecret });
  const done = await change.catch(nullFor('NO_CHANGE')).finally(() => cancel.resume());
  return done && takenIn(context, incoming, done.data);
}

async function planShared(
  snapshot: Snapshot,
  incoming: Incoming,
  { decide, allowUnrelated }: { decide: Decide; allowUnrelated: boolean },
): Promise<Planned> {
  const { context, trail, shown } = snapshot;
  const { objects } = context;
  const { shared, name, theirs } = incoming;
  const ours = trail.parent;
  await assertNew(snapshot, { name, commit: theirs });
  const { meta } = await readEntry(objects, theirs);
  if (!shared.isBranch && meta === null) throw strange(name, theirs);
  if (ours !== null && !allowUnrelated && (await mergeBases(objects, ours, theirs)).length === 0)
    throw unrelated(name);
  const replay = ours === null ? undefined : lazy(() => Replay.of(objects, ours, theirs));
  const about = { name, commit: theirs, owner: 'the host that made it', decide, advice: ADVICE, replay };
  const planned = await planTrail(snapshot, about);
  const isBelow = ours === null || (await isAncestor(objects, ours, theirs));
  const isSame = shared.isBranch || meta?.head === (trail.head ?? undefined);
  return {
    ...planned,
    meta: { ...planned.meta, shared: shared.ref },
    goesOn: isBelow && isSame && ours === shown.parent,
  };
}

const ADVICE = `Edit those lines here so that they are as on one side and sync again; or let the server decide (${optionWords('onConflict', 'server')}): edits of this host that do not fit are put aside, and named.`;

type OnConflict = NonNullable<SyncOptions['onConflict']>;

function decideBy(onConflict: OnConflict): Decide {
  if (onConflict === 'stop') return () => null;
  if (onConflict === 'server') return () => 'server';
  const asked = new Map<string, ReturnType<typeof onConflict>>();
  return async (_path, tell) => {
    const conflict = await tell();
    const key = JSON.stringify(conflict);
    // The same again is what another look at the same files found.
    if (!asked.has(key)) asked.set(key, onConflict(conflict));
    const side = await asked.get(key);
    if (side === 'mine' || side === 'server') return side;
    if (side === 'stop') return null;
    const words = 'onConflict must answer "mine", "server" or "stop". Nothing was merged.';
    throw new EditError('INVALID_INPUT', words, { field: 'onConflict', fields: ['onConflict'] });
  };
}

/** Creates the error for a newest commit of the server that vedit did not make. A trail says in each commit where HEAD stood: who goes on from another one would not know. */
function strange(name: string, commit: string): EditError {
  const message = `The newest commit of ${name}, ${shortId(commit)}, is none of vedit, so it was pushed by somebody else. Nothing was merged. Put the ref back on the server (git push), or share a branch that is a trail.`;
  return new EditError('CORRUPT', message, { oid: commit });
}

function unrelated(name: string): EditError {
  const message = `${name} has no commit in common with the history here, so it may be another project. Nothing was merged. Check the remote; if both are to become one, say so: ${optionWords('allowUnrelated', true)}.`;
  return new EditError('INVALID_INPUT', message, { field: 'allowUnrelated', fields: ['allowUnrelated'] });
}

async function takenIn(context: Context, { theirs }: Incoming, data: DoneData): Promise<TakenIn> {
  const paths = data.paths.map(({ path }) => path);
  if (data.commit === theirs || data.commit === null) return { merge: null, paths, aside: [] };
  const merge = data.commit;
  const { meta } = await readEntry(context.objects, merge);
  const aside: SetAside[] = [];
  for (const { commit, path } of (meta?.setsAside ?? []).map(setAside)) {
    const { subject, meta: own } = await readEntry(context.objects, commit);
    aside.push({ path, commit, subject, agent: own?.agent ?? null, session: own?.session ?? null, merge });
  }
  return { merge, paths, aside };
}

/** Taking the edits of another clone's trail into the own one and into the files, as one change like any other. */

import * as z from 'zod';
import type { Answer, DoneData } from '../../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import { Notifier } from '../../engine/calls/notifier.ts';
import * as option from '../../engine/calls/option.ts';
import type { Calls } from '../../engine/calls/queue.ts';
import { makeChange } from '../../engine/change/change.ts';
import type { Planned } from '../../engine/change/planned.ts';
import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { findCommit, rangeEnds } from '../../engine/revision.ts';
import { assertOwnTrail } from '../../engine/trails/own-trail.ts';
import { EditError } from '../../errors.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { readTrail } from '../../trail/head.ts';
import { type Incoming, incomingEdits } from '../../trail/history/incoming.ts';
import { peerName } from '../../trail/peer-names.ts';
import { readEntry } from '../../trail/walk.ts';
import { optionWords } from '../../wording.ts';
import { newSession } from '../../workspace/new-session.ts';
import type { Session } from '../../workspace/session.ts';
import { findMirror, type Mirror } from '../fetch/mirrors.ts';
import { assertNew, type Decide, planIncoming, planTrail } from './plan.ts';

export interface MergeOptions {
  /** The trail: `<clone>/<branch>`, or a clone that has one. */
  peer: string;
  /** Only these of its edits: `<after>..<last>`, or one commit; named as on that trail (`@`, `~N`, ids). */
  edits?: string | undefined;
  /** The side whose file is taken, as a whole, where both changed the same lines. */
  keep?: 'mine' | 'theirs' | undefined;
  /** With `keep`: only of these files. */
  paths?: readonly string[] | undefined;
  /** Files that hold what a person made of both sides, where both changed the same lines. */
  resolved?: readonly string[] | undefined;
  /** The commit of the peer up to which it is merged; default: its newest. */
  upTo?: string | undefined;
  /** Why, for history. */
  reason?: string | undefined;
  /** Also what looks like a key, with the reason. */
  allowSecret?: boolean | undefined;
  /** The agent that merges, and its session; default: the person of git's config. */
  agent?: string | undefined;
  session?: string | undefined;
  /** Answer what would be done; change nothing. */
  dryRun?: boolean | undefined;
}

export const checkMerge: CheckOptions<MergeOptions> = optionsCheck(
  {
    peer: option.requiredText,
    edits: option.text,
    keep: () => z.enum(['mine', 'theirs']).optional(),
    paths: option.texts,
    resolved: option.texts,
    upTo: option.text,
    reason: option.text,
    allowSecret: option.flag,
    agent: option.text,
    session: option.text,
    dryRun: option.flag,
  },
  { peer: 'ada-12345678/main' },
);

/**
 * Merges a peer's trail. Throws INVALID_INPUT for a peer that is not here, NO_CHANGE where all of it is here, CONFLICT naming both sides, STALE
 * where the trail stands on commits of the peer that are not here, LOCKED.
 */
export async function merge(
  context: Context,
  calls: Calls,
  given: MergeOptions,
  cancel: Cancellation,
): Promise<Answer<DoneData>> {
  const mirror = await mirrorUpTo(context, await findMirror(context, given.peer), given.upTo);
  const { agent, reason, allowSecret, dryRun = false, session: id = randomToken().slice(0, 12) } = given;
  const person = agent === undefined ? context.user : undefined;
  const editor = { session: id, agent, model: undefined, ...(person ? { person } : {}) };
  const session = (): Session => newSession(context, editor, undefined, calls);
  const plan = (snapshot: Snapshot): Promise<Planned> => planMerge(snapshot, mirror, given);
  const request = { op: 'merge', editor, session, cancel, ofOthers: true, plan, reason, allowSecret, dryRun };
  const { message, data } = await makeChange(context, request);
  new Notifier(context, editor).changed('merge', 'merge', data, reason);
  return { message, data };
}

/** Throws INVALID_INPUT for a commit that is not on the peer's trail. */
async function mirrorUpTo(context: Context, mirror: Mirror, upTo: string | undefined): Promise<Mirror> {
  if (upTo === undefined) return mirror;
  const oid = await findCommit(context, await readTrail(context.repo, context.objects, mirror.ref), upTo);
  return { ...mirror, oid };
}

async function planMerge(snapshot: Snapshot, mirror: Mirror, given: MergeOptions): Promise<Planned> {
  assertOwnTrail(snapshot.trail);
  const { keep = null, paths, resolved = [] } = given;
  const kept: Decide = path => (paths === undefined || paths.includes(path) ? keep : null);
  const decide: Decide = (path, tell) => (resolved.includes(path) ? 'resolved' : kept(path, tell));
  return given.edits === undefined
    ? planWhole(snapshot, mirror, decide)
    : planSome(snapshot, mirror, given.edits, decide);
}

async function planWhole(snapshot: Snapshot, mirror: Mirror, decide: Decide): Promise<Planned> {
  const about = { name: peerName(mirror), commit: mirror.oid, owner: mirror.clone, decide, advice: ADVICE };
  if (snapshot.trail.parent === null) throw nothingHere(about.name);
  await assertNew(snapshot, about);
  return planTrail(snapshot, about);
}

const ADVICE = `Edit those lines here so that they are as on one side and merge again; or decide: ${optionWords('keep', 'mine')} or ${optionWords('keep', 'theirs')} takes files (all of them, or those named) whole from one side; or take some edits only (${optionWords('edits', '<after>..<last>')}).`;

/** Plans a commit of one parent only: that all of the other trail is here would not be true. */
async function planSome(snapshot: Snapshot, mirror: Mirror, edits: string, decide: Decide): Promise<Planned> {
  const { context } = snapshot;
  const name = peerName(mirror);
  const { after, last } = await rangeOn(context, mirror, edits);
  const incoming = await incomingEdits(context.objects, after, last);
  if (!incoming || incoming.entries.length === 0) throw noSuchEdits(edits, name);
  const about = { name, commit: last, decide, advice: ADVICE };
  const planned = await planIncoming(snapshot, incoming satisfies Incoming, about);
  return { ...planned, meta: { ...planned.meta, merges: `${after}..${last}` }, title: name };
}

async function rangeOn(
  context: Context,
  mirror: Mirror,
  edits: string,
): Promise<{ after: string; last: string }> {
  const trail = await readTrail(context.repo, context.objects, mirror.ref);
  const ends = rangeEnds(edits);
  const last = await findCommit(context, trail, ends ? ends[1] || '@' : edits);
  if (ends && ends[0] !== '') return { after: await findCommit(context, trail, ends[0]), last };
  const [parent] = (await readEntry(context.objects, last)).parents;
  if (ends || parent === undefined) throw noSuchEdits(edits, peerName(mirror));
  return { after: parent, last };
}

function noSuchEdits(edits: string, name: string): EditError {
  const message = `${JSON.stringify(edits.slice(0, 80))} are no edits of ${name}: give one commit of it, or <after>..<last>. vedit log --trail ${name} lists them.`;
  return new EditError('INVALID_INPUT', message, { field: 'edits', fields: ['edits'] });
}

function nothingHere(name: string): EditError {
  const message = `There is no commit here that ${name} could be merged with: make one, or pull the branch that it is on.`;
  return new EditError('INVALID_INPUT', message, { field: 'peer', fields: ['peer'] });
}

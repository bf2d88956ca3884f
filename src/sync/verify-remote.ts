/**
 * Where the trails on a remote and what was fetched of them part. Nobody keeps a server from rewriting a ref that is no
 * branch, so who fetched before is the one to notice. What is looked at comes into quarantine and never moves in.
 */

import type { Answer } from '../engine/answer.ts';
import type { Cancellation } from '../engine/calls/cancel.ts';
import { nullFor } from '../engine/calls/failure.ts';
import type { Context } from '../engine/context.ts';
import { mergeBases } from '../git/merge-base.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { readRef } from '../git/refs/refs.ts';
import { isAncestor, revList } from '../git/rev-list.ts';
import type { RemoteRef, Transport } from '../remote/transport.ts';
import { counted } from '../text/words.ts';
import {
  HEADS_PREFIX,
  mirrorRef,
  PEERS_PREFIX,
  type Published,
  parsePublished,
  peerName,
} from '../trail/peer-names.ts';
import { shortId } from '../wording.ts';
import { checkFetched, newsOf } from './fetch/check-fetched.ts';
import { type FetchOptions, isFetchFault, MAX_BYTES } from './fetch/fetch.ts';
import { listMirrors, type Mirror } from './fetch/mirrors.ts';
import { Quarantine } from './fetch/quarantine.ts';
import { sharedName, sharedTrail } from './hosts/shared-trail.ts';
import { openRemote } from './remote.ts';

/** Options of verifying a remote; `maxBytes` bounds one trail. */
export type VerifyRemoteOptions = FetchOptions;

/**
 * `same` and `newer` are as they should be. `rewound`: the remote lacks the newest commits that were fetched; `rewritten`:
 * it has others in their place; `missing`: it does not have the trail; `unsound`: what it has cannot be a trail.
 */
export type RemoteTrailState = 'same' | 'newer' | 'rewound' | 'rewritten' | 'missing' | 'unsound';

export interface VerifiedTrail {
  /** `<clone>/<branch>`, and `, review by` of a review; `<remote> <branch>` for the one that hosts share. */
  name: string;
  /** The mirror here. */
  ref: string;
  state: RemoteTrailState;
  /** The commit that was fetched (or pushed) last. */
  here: string;
  /** The commit that the remote has. */
  there: string | null;
  /** The newest commit that both have; `null` where there is none, or it is not known. */
  parted_at: string | null;
  /** Commits after it that are only here, and only there. */
  only_here: number | null;
  only_there: number | null;
  /** Says what is wrong, for people; '' for nothing. */
  why: string;
}

export interface VerifyRemoteData {
  remote: string;
  /** True where every trail is the same, or newer. */
  sound: boolean;
  /** By name: those of which something was fetched or pushed. */
  trails: VerifiedTrail[];
}

/** Compares the trails of a remote with their mirrors. Throws INVALID_INPUT, REMOTE_FAILED. */
export async function verifyRemote(
  context: Context,
  { clones, maxBytes = MAX_BYTES, ...options }: VerifyRemoteOptions,
  cancel: Cancellation,
): Promise<Answer<VerifyRemoteData>> {
  const { name, transport } = await openRemote(context, { ...options, maxBytes, signal: cancel.signal });
  const shared = clones === undefined ? await sharedHere(context, name) : null;
  const patterns = [`${PEERS_PREFIX}*`, `${HEADS_PREFIX}*`, ...(shared ? [shared.there] : [])];
  const refs = await transport.list(patterns);
  const trails: VerifiedTrail[] = [];
  for (const mirror of await listMirrors(context)) {
    if (clones !== undefined && !clones.includes(mirror.clone)) continue;
    cancel.check();
    const found = refs.find(one => isOf(one, mirror));
    const here = { ...mirror, name: peerName(mirror) + sideWords(mirror) };
    trails.push(await verifyTrail(context, transport, here, found));
  }
  const found = shared && refs.find(({ name }) => name === shared.there);
  if (shared) trails.push(await verifyTrail(context, transport, shared, found ?? undefined));
  const sound = trails.every(({ state }) => state === 'same' || state === 'newer');
  return { message: words(name, trails), data: { remote: name, sound, trails } };
}

function sideWords({ reviewer, signed }: Published): string {
  return signed ? ', signed heads' : reviewer === undefined ? '' : `, review by ${reviewer}`;
}

/** Finds the trail that several hosts share, where this one has synced it. */
async function sharedHere(context: Context, remote: string): Promise<(HereTrail & { there: string }) | null> {
  // On no branch, or on the trail of another clone, there is none.
  const shared = await sharedTrail(context).catch(nullFor('INVALID_INPUT'));
  const oid = shared && (await readRef(context.repo, shared.mirror));
  if (!shared || oid === null) return null;
  return { name: sharedName(remote, shared), ref: shared.mirror, oid, there: shared.ref };
}

/** The facts known here of a trail of the remote. */
interface HereTrail {
  name: string;
  /** The mirror. */
  ref: string;
  oid: string;
}

function isOf({ name }: RemoteRef, mirror: Mirror): boolean {
  const found = parsePublished(name);
  return found !== null && mirrorRef(found) === mirror.ref;
}

async function verifyTrail(
  context: Context,
  transport: Transport,
  { name, ref, oid: here }: HereTrail,
  found: RemoteRef | undefined,
): Promise<VerifiedTrail> {
  const base = { name, ref, here, there: found?.oid ?? null };
  const unknown = { parted_at: null, only_here: null, only_there: null };
  if (!found) return { ...base, ...unknown, state: 'missing', why: 'the remote does not have it any more' };
  if (found.oid === here)
    return { ...base, state: 'same', parted_at: here, only_here: 0, only_there: 0, why: '' };
  const quarantine = await Quarantine.open(context);
  try {
    await transport.fetch([found.name], quarantine.objectsDir);
    const { objects } = quarantine;
    const news = await newsOf(objects, found.oid, [here]);
    await checkFetched(objects, context.objects, { oid: found.oid, mirror: null }, news);
    return { ...base, ...(await compareHeads(objects, here, found.oid)) };
  } catch (error) {
    if (!isFetchFault(error)) throw error;
    // Where the remote does not answer at all, nothing is known of the trail.
    if (error.code === 'REMOTE_FAILED') await transport.list([found.name]);
    return { ...base, ...unknown, state: 'unsound', why: error.message };
  } finally {
    await quarantine.close();
  }
}

type Parting = Pick<VerifiedTrail, 'state' | 'parted_at' | 'only_here' | 'only_there' | 'why'>;

async function compareHeads(objects: ObjectDatabase, here: string, there: string): Promise<Parting> {
  const counts = {
    only_here: (await revList(objects, here, there)).size,
    only_there: (await revList(objects, there, here)).size,
  };
  if (await isAncestor(objects, here, there)) return { ...counts, state: 'newer', parted_at: here, why: '' };
  const lost = counted(counts.only_here, 'commit');
  if (await isAncestor(objects, there, here)) {
    const why = `it went back to ${shortId(there)}: the remote lacks ${lost} that ${counts.only_here === 1 ? 'was' : 'were'} there`;
    return { ...counts, state: 'rewound', parted_at: there, why };
  }
  const [at = null] = await mergeBases(objects, here, there);
  const where = at === null ? 'they have no commit in common' : `they part after ${shortId(at)}`;
  const why = `${where}: ${lost} only here, ${counted(counts.only_there, 'commit')} only there (${shortId(there)})`;
  return { ...counts, state: 'rewritten', parted_at: at, why };
}

function words(remote: string, trails: readonly VerifiedTrail[]): string {
  const faults = trails.filter(({ why }) => why !== '');
  if (trails.length === 0) return `Nothing was fetched from ${remote} or pushed to it yet.`;
  if (faults.length === 0)
    return `${counted(trails.length, 'history', 'histories')} at ${remote}: each goes on from what was here.`;
  return [
    `${counted(faults.length, 'fault')} in ${counted(trails.length, 'history', 'histories')} at ${remote}:`,
    ...faults.map(
      ({ state, name, here, why }) => `${state}: ${name}: ${why}. Here it is at ${shortId(here)}.`,
    ),
    'What is here stays. Where a history was lost, the next vedit push of its clone (or vedit sync, of a shared one) publishes it again.',
  ].join('\n');
}

/** Bringing the trails of other clones. */

import type { Answer } from '../../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import * as option from '../../engine/calls/option.ts';
import type { Context } from '../../engine/context.ts';
import { type EditError, isEditError } from '../../errors.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import {
  HEADS_PREFIX,
  isTrail,
  mirrorRef,
  PEERS_PREFIX,
  type Published,
  parsePublished,
  peerName,
} from '../../history/peer-names.ts';
import type { RemoteRef, Transport } from '../../remote/transport.ts';
import { counted } from '../../text/words.ts';
import { shortId } from '../../wording.ts';
import { openRemote, type RemoteOptions, remoteFields } from '../remote.ts';
import { cloneName, listMirrors, listPeers, type Mirror, moveMirrors } from './mirrors.ts';
import { checkFetched, type FetchedTip, newsOf, Quarantine } from './quarantine.ts';

export interface FetchOptions extends RemoteOptions {
  /** Only trails of these clones. */
  clones?: readonly string[] | undefined;
  /** The most bytes that are fetched at once; default: 1 GiB. */
  maxBytes?: number | undefined;
}

export const checkFetch: CheckOptions<FetchOptions> = optionsCheck(
  { ...remoteFields, clones: option.texts, maxBytes: option.positive },
  { clones: ['ada-12345678'] },
);

/** A trail whose mirror moved. */
export interface FetchedTrail {
  /** `<clone>/<branch>`: what `--trail` takes. */
  name: string;
  /** The mirror. */
  ref: string;
  /** The commit before the fetch; `null`: the trail is new here. */
  from: string | null;
  to: string;
}

/** A review whose mirror moved. It is a claim of that clone. */
export interface FetchedReview extends FetchedTrail {
  /** The reviewer's name as in the name of the ref. */
  reviewer: string;
}

/** A trail that was left as it was here. */
export interface RefusedTrail {
  name: string;
  ref: string;
  /** Where the mirror stays. */
  from: string | null;
  /** The commit that the remote has. */
  to: string;
  why: string;
}

export interface FetchData {
  remote: string;
  fetched: FetchedTrail[];
  /** Reviews of people there, as far as they are new; `name` is that of the trail. */
  reviews: FetchedReview[];
  refused: RefusedTrail[];
  /** The number of trails of others that the remote has. */
  trails: number;
  /** Mirrors whose trail the remote does not have any more; they stay. */
  gone: string[];
}

const MAX_BYTES = 1024 ** 3;

/** A ref of the server that is to be fetched. */
interface Wanted extends Published, FetchedTip {
  /** The name on the server. */
  name: string;
  /** The mirror. */
  ref: string;
}

/** Fetches the trails of other clones. Throws INVALID_INPUT, REMOTE_FAILED, LOCKED, STORE_FAILED. What is refused of single trails is in the answer. */
export async function fetch(
  context: Context,
  { maxBytes = MAX_BYTES, clones, ...options }: FetchOptions,
  cancel: Cancellation,
): Promise<Answer<FetchData>> {
  const { name, transport } = await openRemote(context, { ...options, maxBytes, signal: cancel.signal });
  const refs = await transport.list([`${PEERS_PREFIX}*`, `${HEADS_PREFIX}*`]);
  const all = peersIn(refs, cloneName(context), await listMirrors(context));
  const wanted = all.filter(one => clones === undefined || clones.includes(one.clone));
  const news = wanted.filter(({ oid, mirror }) => oid !== mirror);
  const refused = news.length === 0 ? [] : await bring(context, transport, news);
  const names = new Set(refused.map(({ ref }) => ref));
  const there = new Set(all.map(({ ref }) => ref));
  const brought = news.filter(({ ref }) => !names.has(ref));
  return inWords({
    remote: name,
    fetched: brought.filter(isTrail).map(summarize),
    reviews: brought.flatMap(one =>
      one.reviewer === undefined ? [] : [{ ...summarize(one), reviewer: one.reviewer }],
    ),
    refused,
    trails: all.filter(isTrail).length,
    gone: (await listPeers(context)).filter(({ ref }) => !there.has(ref)).map(peerName),
  });
}

/** Lists the trails of others, and their reviews. What a server has under other names is passed over. */
function peersIn(refs: readonly RemoteRef[], own: string | null, mirrors: readonly Mirror[]): Wanted[] {
  const found = new Map<string, Wanted>();
  for (const { name, oid } of refs) {
    const trail = parsePublished(name);
    if (!trail || trail.clone === own) continue;
    const ref = mirrorRef(trail);
    const mirror = mirrors.find(one => one.ref === ref)?.oid ?? null;
    if (!found.has(ref)) found.set(ref, { ...trail, name, ref, oid, mirror });
  }
  return [...found.values()];
}

/**
 * Brings all at once; where that fails, each by itself, so that one that is unsound keeps none of the others away. Throws the
 * failure where it was the remote's and no trail came in.
 */
async function bring(
  context: Context,
  transport: Transport,
  wanted: readonly Wanted[],
): Promise<RefusedTrail[]> {
  const refused = (failed: ReadonlyMap<string, string>): RefusedTrail[] =>
    wanted.flatMap(one => (failed.has(one.ref) ? [{ ...summarize(one), why: failed.get(one.ref)! }] : []));
  try {
    return refused(await bringIn(context, transport, wanted));
  } catch (error) {
    if (!isFetchFault(error)) throw error;
    // Where the remote does not answer at all, nobody is asked about each of a hundred trails.
    if (error.code === 'REMOTE_FAILED') await transport.list([wanted[0]!.name]);
    const [only] = wanted.length === 1 ? wanted : [];
    if (only && error.code !== 'CORRUPT') throw error;
    const failed = new Map(only && [[only.ref, error.message]]);
    for (const one of only ? [] : wanted)
      for (const [ref, why] of await bringIn(context, transport, [one]).catch(faultOf(one)))
        failed.set(ref, why);
    if (failed.size === wanted.length && error.code === 'REMOTE_FAILED') throw error;
    return refused(failed);
  }
}

function faultOf({ ref }: Wanted): (error: unknown) => Map<string, string> {
  return error => {
    if (!isFetchFault(error)) throw error;
    return new Map([[ref, error.message]]);
  };
}

/** True for a failure that one trail may be to blame for. */
function isFetchFault(error: unknown): error is EditError {
  return isEditError(error, 'REMOTE_FAILED', 'CORRUPT', 'TOO_LARGE');
}

function summarize(one: Wanted): FetchedTrail {
  return { name: peerName(one), ref: one.ref, from: one.mirror, to: one.oid };
}

function inWords(data: FetchData): Answer<FetchData> {
  const { remote, fetched, reviews, refused, trails, gone } = data;
  const lines = [
    ...fetched.map(
      ({ name, from, to }) =>
        `fetched: ${name} ${from === null ? '(new) ' : `${shortId(from)}..`}${shortId(to)}`,
    ),
    ...reviews.map(
      ({ name, reviewer, to }) => `fetched: the review of ${name} by ${reviewer} ${shortId(to)}`,
    ),
    ...refused.map(({ name, to, why }) => `refused: ${name} ${shortId(to)}: ${why}`),
    ...gone.map(name => `gone from ${remote}, and kept here: ${name}`),
  ];
  if (trails === 0) lines.push(`${remote} has no history of another clone.`);
  else if (fetched.length + reviews.length + refused.length === 0)
    lines.push(`Nothing new in ${counted(trails, 'history', 'histories')} at ${remote}.`);
  return { message: lines.join('\n'), data };
}

/**
 * Answers the mirrors that could not be moved, with why. Throws CORRUPT where one of them is unsound, REMOTE_FAILED,
 * TOO_LARGE; then no mirror moves.
 */
async function bringIn(
  context: Context,
  transport: Transport,
  wanted: readonly Wanted[],
): Promise<Map<string, string>> {
  const quarantine = await Quarantine.open(context);
  try {
    const names = wanted.map(({ name }) => name);
    await transport.fetch(names, quarantine.objectsDir);
    const known = (await listRefs(context.repo, 'refs/')).map(({ oid }) => oid);
    for (const one of wanted) {
      const news = await newsOf(quarantine.objects, one.oid, known);
      await checkFetched(quarantine.objects, context.objects, one, news);
    }
    await quarantine.moveIn();
    return await moveMirrors(context, wanted, 'fetch');
  } finally {
    await quarantine.close();
  }
}

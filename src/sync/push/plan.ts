/** Plans which refs of this clone a push moves, and whether the name of this clone is still its own. */

import type { Context } from '../../engine/context.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readHead, readRef } from '../../git/refs/refs.ts';
import { isAncestor } from '../../git/rev-list.ts';
import type { RefUpdate, RemoteRef, Transport } from '../../remote/transport.ts';
import { REVIEW_PREFIX } from '../../review/accepted/review-ref.ts';
import { signedRef } from '../../signing/statement.ts';
import { TRAIL_PREFIX, trailHome } from '../../trail/head.ts';
import {
  HEADS_PREFIX,
  isTrail,
  mirrorRef,
  PEERS_PREFIX,
  parsePeerRef,
  serverRef,
} from '../../trail/peer-names.ts';
import { cloneName, listMirrors } from '../fetch/mirrors.ts';

/** A trail of this clone. */
export interface OwnTrail {
  ref: string;
  branch: string;
  tip: string;
  /** The reviewer of a review of the trail, as in the name of its ref; or true of its signed statements. */
  reviewer?: string;
  signed?: true;
}

/** A trail with where it is on the remote; `null`: it is not there yet. */
export interface PlannedTrail extends OwnTrail {
  there: string | null;
}

export interface PushPlan {
  /** The name in git's config; `null`: it has none yet. */
  clone: string | null;
  /** True where the remote has, under the name of this clone, what this clone never made: the folder is a copy. */
  isCopy: boolean;
  trails: PlannedTrail[];
  /** The signed statements of these trails, which show nothing that the trails do not. */
  signed: PlannedTrail[];
  /** The refs that the remote has under the name of this clone. */
  own: ReadonlyMap<string, string>;
  /** All refs that the remote told of. */
  refs: readonly RemoteRef[];
}

/** True where trails go below refs/heads/ (git config vedit.push heads). */
export function pushesHeads({ repo }: Pick<Context, 'repo'>): boolean {
  return repo.config.get('vedit.push') === 'heads';
}

/** The trails of this repository that have a commit, or the one that the workspace names. */
export async function ownTrails(context: Context): Promise<OwnTrail[]> {
  const { repo, trailName } = context;
  const home = trailHome(repo, await readHead(repo), trailName);
  const found = new Map<string, OwnTrail>();
  const add = (ref: string, tip: string | null): void => {
    const branch = ref.startsWith(TRAIL_PREFIX)
      ? ref.slice(TRAIL_PREFIX.length)
      : ref.replace('refs/heads/', '');
    if (tip !== null && !found.has(branch)) found.set(branch, { ref, branch, tip });
  };
  if (home.checkedOut && home.ref !== 'HEAD') add(home.ref, await readRef(repo, home.ref));
  for (const { name, oid } of await listRefs(repo, TRAIL_PREFIX))
    if (trailName === undefined || name === home.ref) add(name, oid);
  return [...found.values()];
}

/** Returns the reviews of people here, of these trails. */
async function ownReviews({ repo }: Context, trails: readonly OwnTrail[]): Promise<OwnTrail[]> {
  const found: OwnTrail[] = [];
  for (const { name: ref, oid: tip } of await listRefs(repo, REVIEW_PREFIX)) {
    const [, reviewer, rest] = /^([^/]+)\/(.+)$/.exec(ref.slice(REVIEW_PREFIX.length)) ?? [];
    const trail = trails.find(one => one.ref === `refs/${rest}`);
    if (trail) found.push({ ref, branch: trail.branch, tip, reviewer: reviewer! });
  }
  return found;
}

/** Returns the statements that were signed of these trails. */
async function ownSigned({ repo }: Context, trails: readonly OwnTrail[]): Promise<OwnTrail[]> {
  const found: OwnTrail[] = [];
  for (const { ref: trail, branch } of trails) {
    const ref = signedRef(trail);
    const tip = await readRef(repo, ref);
    if (tip !== null) found.push({ ref, branch, tip, signed: true });
  }
  return found;
}

/** `withReviews`: also what people accepted of the trails; not on a server that takes heads only. */
export async function planPush(
  context: Context,
  transport: Transport,
  withReviews: boolean,
): Promise<PushPlan> {
  const clone = cloneName(context);
  const heads = pushesHeads(context);
  const refs = await transport.list(['refs/heads/*', 'refs/tags/*', `${PEERS_PREFIX}*`]);
  const prefix = heads ? HEADS_PREFIX : PEERS_PREFIX;
  const own = new Map<string, string>();
  for (const { name, oid } of refs) {
    const trail = name.startsWith(prefix) ? parsePeerRef(name) : null;
    if (trail && trail.clone === clone) own.set(trail.branch, oid);
  }
  const trails: PlannedTrail[] = (await ownTrails(context)).map(one => ({
    ...one,
    there: own.get(one.branch) ?? null,
  }));
  const there = (side: OwnTrail): string | null =>
    refs.find(({ name }) => clone !== null && name === mirrorRef({ clone, ...side }))?.oid ?? null;
  const signed = heads ? [] : await ownSigned(context, trails);
  if (withReviews && !heads)
    for (const review of await ownReviews(context, trails)) trails.push({ ...review, there: there(review) });
  const plan = { trails, signed: signed.map(one => ({ ...one, there: there(one) })) };
  return { clone, isCopy: await isCopy(context, clone, own), ...plan, own, refs };
}

/**
 * True where a ref of this clone on the remote is neither what was last known of it nor in the history of its trail: it was
 * moved by somebody else of that name, which only a copy of the folder has. So is one that a trail that was begun anew
 * does not go on from.
 */
async function isCopy(
  context: Context,
  clone: string | null,
  own: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (clone === null) return false;
  const all = { ...context, trailName: undefined };
  const trails = new Map((await ownTrails(all)).map(({ branch, tip }) => [branch, tip]));
  const mirrors = await listMirrors(context);
  for (const [branch, there] of own) {
    const oid = context.objects.presentIds?.get(there) ?? there;
    const tip = trails.get(branch);
    const last = mirrors.find(one => one.clone === clone && one.branch === branch)?.oid;
    const goesOn = tip === undefined ? there === last : await isAncestor(context.objects, oid, tip);
    if (!goesOn) return true;
  }
  return false;
}

/** The refs to move, under the name of this clone. */
export function updatesOf(trails: readonly PlannedTrail[], clone: string, heads: boolean): RefUpdate[] {
  return trails
    .filter(({ there, tip }) => there !== tip)
    .map(one => ({ ref: publishedRef(one, clone, heads), old: one.there, oid: one.tip }));
}

/** The name on the server. */
export function publishedRef(one: OwnTrail, clone: string, heads: boolean): string {
  return isTrail({ clone, ...one }) ? serverRef({ clone, ...one }, heads) : mirrorRef({ clone, ...one });
}

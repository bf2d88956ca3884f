/** Plans which refs of this clone a push moves, and whether the name of this clone is still its own. */

import type { Context } from '../../engine/context.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readHead, readRef } from '../../git/refs/refs.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { TRAIL_PREFIX, trailHome } from '../../history/head.ts';
import { HEADS_PREFIX, isTrail, PEERS_PREFIX, parsePeerRef, serverRef } from '../../history/peer-names.ts';
import type { RemoteRef, Transport } from '../../remote/transport.ts';
import { REVIEW_PREFIX } from '../../review/review-ref.ts';
import { signedRef } from '../../signing/statement.ts';
import { cloneName, listMirrors } from '../fetch/mirrors.ts';

/** A ref of this clone that a push publishes: a trail, a review of one, or the signed statements of one. */
export interface OwnRef {
  ref: string;
  branch: string;
  tip: string;
  /** The reviewer of a review, as in the name of its ref; or true of signed statements. */
  reviewer?: string;
  signed?: true;
}

export interface PlannedRef extends OwnRef {
  /** Where it is on the remote; `null`: it is not there yet. */
  there: string | null;
}

export interface PushPlan {
  /** The name to push under; `null`: it has yet to be made. */
  clone: string | null;
  /** The name that git's config has, where the remote has under it what this clone never made: the folder is a copy. */
  copyOf: string | null;
  /** True where the server takes refs below refs/heads/ alone. */
  heads: boolean;
  /** Trails, then reviews of them, then their signed statements. */
  refs: PlannedRef[];
  /** True where the remote has no trail of this clone. */
  isFirst: boolean;
  /** All refs that the remote told of. */
  there: readonly RemoteRef[];
}

/** Lists the trails of this repository that have a commit, or the one that the workspace names. */
async function ownTrails(context: Context): Promise<OwnRef[]> {
  const { repo, trailName } = context;
  const home = trailHome(repo, await readHead(repo), trailName);
  const found = new Map<string, OwnRef>();
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
async function ownReviews({ repo }: Context, trails: readonly OwnRef[]): Promise<OwnRef[]> {
  const found: OwnRef[] = [];
  for (const { name: ref, oid: tip } of await listRefs(repo, REVIEW_PREFIX)) {
    const [, reviewer, rest] = /^([^/]+)\/(.+)$/.exec(ref.slice(REVIEW_PREFIX.length)) ?? [];
    const trail = trails.find(one => one.ref === `refs/${rest}`);
    if (trail) found.push({ ref, branch: trail.branch, tip, reviewer: reviewer! });
  }
  return found;
}

/** Returns the statements that were signed of these trails. */
async function ownSigned({ repo }: Context, trails: readonly OwnRef[]): Promise<OwnRef[]> {
  const found: OwnRef[] = [];
  for (const { ref: trail, branch } of trails) {
    const ref = signedRef(trail);
    const tip = await readRef(repo, ref);
    if (tip !== null) found.push({ ref, branch, tip, signed: true });
  }
  return found;
}

/** Plans a push. `withReviews`: also what people accepted of the trails; not on a server that takes heads only. */
export async function planPush(
  context: Context,
  transport: Transport,
  withReviews: boolean,
): Promise<PushPlan> {
  const heads = context.repo.config.get('vedit.push') === 'heads';
  const there = await transport.list(['refs/heads/*', 'refs/tags/*', `${PEERS_PREFIX}*`]);
  const name = cloneName(context);
  const own = ownThere(there, name, heads);
  const copyOf = (await isCopy(context, name, own)) ? name : null;
  const clone = copyOf === null ? name : null;
  const refs = await ownTrails(context);
  const sides = heads ? [] : await ownSigned(context, refs);
  if (withReviews && !heads) refs.push(...(await ownReviews(context, refs)));
  const oids = new Map(there.map(one => [one.name, one.oid]));
  const planned = [...refs, ...sides].map(one => {
    const found = clone === null ? undefined : oids.get(serverRef({ clone, ...one }, heads));
    return { ...one, there: found ?? null };
  });
  return { clone, copyOf, heads, refs: planned, isFirst: clone === null || own.size === 0, there };
}

/** Returns where the remote has the trails of a clone, by branch. */
function ownThere(there: readonly RemoteRef[], clone: string | null, heads: boolean): Map<string, string> {
  const own = new Map<string, string>();
  for (const { name, oid } of there) {
    const trail = name.startsWith(heads ? HEADS_PREFIX : PEERS_PREFIX) ? parsePeerRef(name) : null;
    if (trail && trail.clone === clone) own.set(trail.branch, oid);
  }
  return own;
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
  const mirrors = (await listMirrors(context)).filter(isTrail);
  for (const [branch, there] of own) {
    const oid = context.objects.presentIds?.get(there) ?? there;
    const tip = trails.get(branch);
    const last = mirrors.find(one => one.clone === clone && one.branch === branch)?.oid;
    const goesOn = tip === undefined ? there === last : await isAncestor(context.objects, oid, tip);
    if (!goesOn) return true;
  }
  return false;
}

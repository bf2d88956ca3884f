/**
 * The names by which trails are known on a git server and in other clones:
 *
 *     refs/vedit-peers/<clone>/trail/<branch>      on the server, and as a mirror in each clone that fetched it
 *     refs/vedit-peers/<clone>/review/<reviewer>/<branch>    what a reviewer there accepted of that trail
 *     refs/vedit-peers/<clone>/signed/<branch>     the signed statements of that trail's head
 *     refs/heads/vedit/<clone>/<branch>            on a server that takes heads only (git config vedit.push heads)
 *
 * `<clone>` is a readable name and eight random digits, so that no two clones ever write the same ref.
 */

import { checkRefName } from '../git/refs/refs.ts';

export const PEERS_PREFIX = 'refs/vedit-peers/';
/** The prefix of trails on a server that takes heads only. */
export const HEADS_PREFIX = 'refs/heads/vedit/';

export interface PeerTrail {
  clone: string;
  branch: string;
}

/** A ref that a clone published: a trail, what one of its reviewers accepted of it, or what was signed of it. */
export interface Published extends PeerTrail {
  /** As in the name of the review's ref. */
  reviewer?: string;
  signed?: true;
}

const CLONE = /^[a-z0-9][a-z0-9-]{0,63}-[0-9]{8}$/;

export function isCloneName(name: string): boolean {
  return CLONE.test(name);
}

/** A new name: of the text what fits in one, and eight random digits. */
export function newCloneName(readable: string): string {
  const plain = readable
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
  const random = crypto.getRandomValues(new Uint32Array(1))[0]! % 100_000_000;
  return `${plain || 'clone'}-${String(random).padStart(8, '0')}`;
}

/** The mirror of a trail in this repository, or of what was said of it. */
export function mirrorRef({ clone, branch, reviewer, signed }: Published): string {
  const what = signed ? 'signed' : reviewer === undefined ? 'trail' : `review/${reviewer}`;
  return `${PEERS_PREFIX}${clone}/${what}/${branch}`;
}

/** Returns the name on the server of a trail, or of what was said of it: that is never below refs/heads/. */
export function serverRef(published: Published, heads: boolean): string {
  const { clone, branch } = published;
  return heads && isTrail(published) ? `${HEADS_PREFIX}${clone}/${branch}` : mirrorRef(published);
}

/** True for a trail itself. */
export function isTrail({ reviewer, signed }: Published): boolean {
  return reviewer === undefined && !signed;
}

/** As a person names it: `<clone>/<branch>`. */
export function peerName({ clone, branch }: PeerTrail): string {
  return `${clone}/${branch}`;
}

/** The trail that a ref of a server or a mirror is of; `null` for any other ref. */
export function parsePeerRef(ref: string): PeerTrail | null {
  const [, clone, branch] =
    /^refs\/vedit-peers\/([^/]+)\/trail\/(.+)$/.exec(ref) ??
    /^refs\/heads\/vedit\/([^/]+)\/(.+)$/.exec(ref) ??
    [];
  if (clone === undefined || branch === undefined || !isCloneName(clone) || !checkRefName(ref)) return null;
  return { clone, branch };
}

/** Returns what a ref of a server or a mirror is of; `null` for any other ref. */
export function parsePublished(ref: string): Published | null {
  const [, clone, reviewer, branch] =
    /^refs\/vedit-peers\/([^/]+)\/(?:signed|review\/([^/]+))\/(.+)$/.exec(ref) ?? [];
  if (clone === undefined) return parsePeerRef(ref);
  if (!isCloneName(clone) || !checkRefName(ref)) return null;
  return { clone, branch: branch!, ...(reviewer === undefined ? { signed: true } : { reviewer }) };
}

/** Reads the name of a trail of another clone, `<clone>/<branch>`. */
export function parsePeerName(name: string): PeerTrail | null {
  const [, clone, branch] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  if (clone === undefined || branch === undefined || !isCloneName(clone)) return null;
  return checkRefName(mirrorRef({ clone, branch })) ? { clone, branch } : null;
}

/**
 * A statement of the newest commit of a trail, as a signed commit on a ref of its own:
 *
 *     refs/vedit-signed/<ref of the trail without refs/>
 *
 *     tree     that of the newest commit
 *     parent   the statement before it, if there is one
 *     parent   the newest commit of the trail
 *
 *     signed head of refs/vedit/main
 *
 *     Vedit-Signs: <the newest commit>
 *     Vedit-Trail: refs/vedit/main
 *     Vedit-Count: <commits of the trail>
 *
 * The signature is over all of it, so a statement fits no other trail, no other commit and no other place in the chain.
 */

import type { Context } from '../engine/context.ts';
import { parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { NO_PROGRAMS } from '../git/run-git.ts';
import { mirrorRef, PEERS_PREFIX, type PeerTrail, parsePeerRef } from '../history/peer-names.ts';
import { walkRows } from '../history/walk.ts';

export interface Statement {
  /** The commit that is the statement, and the one before it. */
  commit: string;
  previous: string | null;
  /** The commit of the trail that was the newest. */
  signs: string;
  trail: string;
  count: number;
  /** ISO 8601, UTC. */
  time: string;
}

/** Returns the ref of the statements of a trail; of another clone's trail, their mirror. */
export function signedRef(trail: string): string {
  const peer = peerOf(trail);
  if (peer) return mirrorRef({ ...peer, signed: true });
  return `refs/vedit-signed/${trail.replace(/^refs\//, '')}`;
}

/**
 * Returns git's options that name the programs to sign and check with: those of the user's config, and git's own where that names none. What the
 * repository's config names is never started.
 */
export function signingPrograms({ userConfig }: Pick<Context, 'userConfig'>): string[] {
  const openpgp = userConfig?.get('gpg.openpgp.program') ?? userConfig?.get('gpg.program') ?? 'gpg';
  const programs = {
    'gpg.program': openpgp,
    'gpg.openpgp.program': openpgp,
    'gpg.x509.program': userConfig?.get('gpg.x509.program') ?? 'gpgsm',
    'gpg.ssh.program': userConfig?.get('gpg.ssh.program') ?? 'ssh-keygen',
    'gpg.ssh.defaultKeyCommand': userConfig?.get('gpg.ssh.defaultkeycommand') ?? 'false',
  };
  return [
    ...NO_PROGRAMS,
    ...Object.entries(programs).flatMap(([name, program]) => ['-c', `${name}=${program}`]),
  ];
}

export function statementText({ trail, signs, count }: Pick<Statement, 'trail' | 'signs' | 'count'>): string {
  return `signed head of ${trail}\n\nVedit-Signs: ${signs}\nVedit-Trail: ${trail}\nVedit-Count: ${count}\n`;
}

function peerOf(trail: string): PeerTrail | null {
  return trail.startsWith(PEERS_PREFIX) ? parsePeerRef(trail) : null;
}

/** Reads a statement; `null` for a commit that is none, or whose parents are not those that it says. */
export async function readStatement(objects: ObjectDatabase, commit: string): Promise<Statement | null> {
  const { parents, message, author } = parseCommit((await objects.read(commit, 'commit')).content);
  const found =
    /^signed head of .+\n\nVedit-Signs: ([0-9a-f]{40})\nVedit-Trail: (\S+)\nVedit-Count: (\d+)\n?$/.exec(
      message,
    );
  if (!found || parents.length > 2 || parents.at(-1) !== found[1]) return null;
  return {
    commit,
    previous: parents.length === 2 ? parents[0]! : null,
    signs: found[1]!,
    trail: found[2]!,
    count: Number(found[3]),
    time: new Date(author.seconds * 1000).toISOString(),
  };
}

/** True for a statement of this trail; another clone's is named there as that clone names it. */
export function isOf({ trail }: Statement, ref: string): boolean {
  const peer = peerOf(ref);
  return peer ? [`refs/vedit/${peer.branch}`, `refs/heads/${peer.branch}`].includes(trail) : trail === ref;
}

/** Counts the commits of a trail from `head` back along its own line. */
export async function countCommits(objects: ObjectDatabase, head: string, ownOnly: boolean): Promise<number> {
  let count = 0;
  for await (const rows of walkRows(objects, head, { ownOnly })) count += rows.length;
  return count;
}

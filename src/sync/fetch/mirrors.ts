/**
 * The mirrors of trails: what `refs/vedit-peers/` holds here. Those of other clones are written by fetch alone; those of
 * this clone say what the remote was last known to have.
 */

import type { Answer } from '../../engine/answer.ts';
import type { Context } from '../../engine/context.ts';
import { publish } from '../../engine/transaction/publication.ts';
import { movingRef, publishWithRetry } from '../../engine/transaction/transaction.ts';
import { asWriter, type LockLease } from '../../engine/transaction/writer.ts';
import { EditError } from '../../errors.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readRef } from '../../git/refs/refs.ts';
import {
  isCloneName,
  isTrail,
  PEERS_PREFIX,
  type Published,
  parsePublished,
  peerName,
} from '../../history/peer-names.ts';
import { readEntryOrNull } from '../../history/walk.ts';
import { shortId } from '../../wording.ts';

export interface Mirror extends Published {
  ref: string;
  oid: string;
}

/** Lists the mirrors of trails, then those of reviews and of signed statements, each sorted by name. */
export async function listMirrors({ repo }: Pick<Context, 'repo'>): Promise<Mirror[]> {
  const refs = await listRefs(repo, PEERS_PREFIX);
  const mirrors = refs.flatMap(({ name: ref, oid }) => {
    const published = parsePublished(ref);
    return published ? [{ ...published, ref, oid }] : [];
  });
  return mirrors.sort((a, b) => Number(isTrail(b)) - Number(isTrail(a)));
}

/** Lists the mirrors of other clones' trails, sorted by name. */
export async function listPeers(context: Context): Promise<Mirror[]> {
  const own = cloneName(context);
  return (await listMirrors(context)).filter(one => isTrail(one) && one.clone !== own);
}

/** Returns the name that this clone has in git's config; `null` before its first push. Throws CORRUPT for what cannot be one. */
export function cloneName({ repo }: Context): string | null {
  const name = repo.config.get('vedit.clone') ?? null;
  if (name === null || isCloneName(name)) return name;
  const message = `${JSON.stringify(name.slice(0, 80))} in git config vedit.clone cannot name a clone. git config --unset vedit.clone lets the next push make a name.`;
  throw new EditError('CORRUPT', message, { what: 'vedit.clone' });
}

/**
 * Moves mirrors one after the other. Answers those that could not be, with why: one name may be the folder of another. Throws
 * STORE_FAILED.
 */
export async function moveMirrors(
  context: Context,
  moves: ReadonlyArray<Pick<Mirror, 'ref' | 'oid'>>,
  what: 'fetch' | 'push',
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const { ref, oid } of moves) {
    try {
      await moveMirror(context, ref, oid, what);
    } catch (error) {
      if (!(error instanceof EditError) || error.code === 'STORE_FAILED') throw error;
      failed.set(ref, error.message);
    }
  }
  return failed;
}

function moveMirror(context: Context, ref: string, oid: string, what: string): Promise<true> {
  const moveOnce = async (turn: LockLease): Promise<true | null> => {
    const old = await readRef(context.repo, ref);
    if (old === oid) return true;
    await checkFree(context, ref);
    const mirror = { ref, checkedOut: false, oid: old, head: null, commit: oid };
    const { done } = await publish(context, movingRef(context, { ...mirror, summary: what }), turn);
    return done || null;
  };
  return asWriter(context, turn => publishWithRetry(ref, () => moveOnce(turn)));
}

/** Throws CORRUPT where another ref is in the way: git keeps no two refs of which one is the folder of the other. */
async function checkFree({ repo }: Context, ref: string): Promise<void> {
  const all = await listRefs(repo, PEERS_PREFIX);
  const inTheWay = all.find(({ name }) => ref.startsWith(`${name}/`) || name.startsWith(`${ref}/`));
  if (!inTheWay) return;
  throw new EditError('CORRUPT', `${ref} cannot be beside ${inTheWay.name}, whose folder it would be.`, {
    what: ref,
  });
}

export interface PeerInfo {
  /** `<clone>/<branch>`: what `--trail` takes. */
  name: string;
  clone: string;
  branch: string;
  /** The mirror, and its newest commit. */
  ref: string;
  head: string;
  /** When that was made; ISO 8601, UTC. */
  last: string;
  agent: string | null;
  subject: string;
}

export interface PeersData {
  /** The name of this clone; `null` before its first push. */
  clone: string | null;
  /** By name. */
  peers: PeerInfo[];
}

/** Lists the trails of other clones. Throws CORRUPT, STORE_FAILED. */
export async function peers(context: Context): Promise<Answer<PeersData>> {
  const clone = cloneName(context);
  const infos: PeerInfo[] = [];
  for (const mirror of await listPeers(context)) infos.push(await describe(context, mirror));
  const lines = infos.map(({ name, head, last, subject }) => `${name} ${shortId(head)} ${last} ${subject}`);
  const message = lines.join('\n') || 'No history of another clone is here: vedit fetch brings them.';
  return { message, data: { clone, peers: infos } };
}

async function describe(context: Context, mirror: Mirror): Promise<PeerInfo> {
  const { clone, branch, ref, oid: head } = mirror;
  const entry = await readEntryOrNull(context.objects, head).catch(() => null);
  return {
    name: peerName(mirror),
    clone,
    branch,
    ref,
    head,
    last: new Date((entry?.time ?? 0) * 1000).toISOString(),
    agent: entry?.meta?.agent ?? null,
    subject: entry?.subject ?? 'this commit cannot be read',
  };
}

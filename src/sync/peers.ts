/** The trails of other clones that are here. */

import type { Answer } from '../engine/answer.ts';
import type { Context } from '../engine/context.ts';
import { peerName } from '../trail/peer-names.ts';
import { readEntryOrNull } from '../trail/walk.ts';
import { shortId } from '../wording.ts';
import { cloneName, listPeers, type Mirror } from './fetch/mirrors.ts';

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

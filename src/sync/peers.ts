/** The trails of other clones that are here, and taking those of abandoned clones off the remote. */

import * as z from 'zod';
import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { Cancellation } from '../engine/calls/cancel.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import { pushRefs } from '../remote/push-refs.ts';
import { HEADS_PREFIX, PEERS_PREFIX, parsePeerRef, parsePublished, peerName } from '../trail/peer-names.ts';
import { readEntryOrNull } from '../trail/walk.ts';
import { shortId } from '../wording.ts';
import { cloneName, deleteMirrors, listMirrors, listPeers, type Mirror } from './fetch/mirrors.ts';
import { openRemote } from './remote.ts';
import { type RemoteOptions, remoteFields } from './remote-options.ts';

export interface PeerInfo {
  /** `<clone>/<branch>`: what `--trail` and `merge` take. */
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

export interface PrunePeersOptions extends RemoteOptions {
  /** Clones whose newest commit on every trail is older than this. */
  before: Date;
  /** Say what would be deleted; change nothing. */
  dryRun?: boolean | undefined;
}

export const checkPrunePeers: CheckOptions<PrunePeersOptions> = optionsCheck(
  { ...remoteFields, before: () => z.date(), dryRun: option.flag },
  { before: new Date(0) },
);

export interface PrunePeersData {
  remote: string;
  /** Trails that were deleted on the remote and here (or would be). Their commits stay until a git gc forgets them. */
  pruned: Array<{ name: string; head: string }>;
  /** Trails that are old enough, and stay: the remote has another commit than was fetched, or refused. */
  kept: Array<{ name: string; why: string }>;
  dry_run?: true;
}

/** Deletes the trails of abandoned clones, each only where it is what was fetched last. Throws REMOTE_FAILED. */
export async function prunePeers(
  context: Context,
  options: PrunePeersOptions,
  cancel: Cancellation,
): Promise<Answer<PrunePeersData>> {
  const { name: remote, transport } = await openRemote(context, { ...options, signal: cancel.signal });
  const old = await findAbandoned(context, options.before);
  const there = await transport.list([`${PEERS_PREFIX}*`, `${HEADS_PREFIX}*`]);
  const pruned: Mirror[] = [];
  const kept: PrunePeersData['kept'] = [];
  for (const mirror of old) {
    const refs = there.filter(({ name }) => isOf(name, mirror));
    if (refs.some(({ name, oid }) => parsePeerRef(name) && oid !== mirror.oid))
      kept.push({ name: peerName(mirror), why: 'it has grown since it was fetched: fetch first' });
    else if (options.dryRun) pruned.push(mirror);
    else {
      const deletions = refs.map(({ name: ref, oid }) => ({ ref, old: oid, oid: null }));
      const outcomes = await pushRefs(transport, deletions);
      if (outcomes.every(({ result }) => result === 'done')) pruned.push(mirror);
      else kept.push({ name: peerName(mirror), why: 'the remote refused to delete it' });
    }
  }
  const gone = (await listMirrors(context)).filter(({ ref }) => pruned.some(one => isOf(ref, one)));
  if (!options.dryRun) await deleteMirrors(context, gone);
  const data: PrunePeersData = {
    remote,
    pruned: pruned.map(one => ({ name: peerName(one), head: one.oid })),
    kept,
    ...(options.dryRun ? { dry_run: true } : {}),
  };
  const word = options.dryRun ? 'would be deleted' : 'deleted';
  const lines = [
    ...data.pruned.map(({ name, head }) => `${word}: ${name} (newest commit ${head})`),
    ...kept.map(({ name, why }) => `kept: ${name}, ${why}`),
  ];
  return { message: lines.join('\n') || 'No clone is that old.', data };
}

/** True for the trail, and for what was said of it. */
function isOf(ref: string, mirror: Mirror): boolean {
  const trail = parsePublished(ref);
  return trail !== null && trail.clone === mirror.clone && trail.branch === mirror.branch;
}

/** Lists the mirrors of clones of which every trail is older. */
async function findAbandoned(context: Context, before: Date): Promise<Mirror[]> {
  const mirrors = await listPeers(context);
  const young = new Set<string>();
  for (const one of mirrors)
    if (Date.parse((await describe(context, one)).last) >= before.getTime()) young.add(one.clone);
  return mirrors.filter(({ clone }) => !young.has(clone));
}

/** Lists what other people accepted of the trail that a reviewer looks at. */

import { listRefs } from '../../../git/refs/ref-list.ts';
import { PEERS_PREFIX, type PeerTrail, parsePeerRef, parsePublished } from '../../../trail/peer-names.ts';
import { readEntry } from '../../../trail/walk.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { type Review, withAccepted } from './accepted-text.ts';
import { REVIEW_PREFIX } from './verify.ts';

/** The reviews of everybody else on the same trail; of another clone's trail, those that it published. */
export async function otherReviews({ snapshot, ref }: Review): Promise<Review[]> {
  const peer = snapshot.trail.mirror ? parsePeerRef(snapshot.trail.ref) : null;
  if (peer) return peersReviews(snapshot, peer);
  const end = `/${snapshot.trail.ref.replace(/^refs\//, '')}`;
  const refs = await listRefs(snapshot.context.repo, REVIEW_PREFIX);
  const found: Review[] = [];
  for (const { name, oid } of refs.filter(one => one.name !== ref && one.name.endsWith(end))) {
    if (name.slice(REVIEW_PREFIX.length, -end.length).includes('/')) continue;
    const { author, meta } = await readEntry(snapshot.context.objects, oid);
    const isAgent = meta?.agent !== undefined;
    const shown = isAgent ? { ...author, name: `${author.name} (an agent)` } : author;
    found.push(await withAccepted(snapshot, shown, name, oid));
  }
  return found;
}

/** Claims of the clone: whoever may push there may say that somebody accepted something. */
async function peersReviews(snapshot: Snapshot, { clone, branch }: PeerTrail): Promise<Review[]> {
  const { repo, objects } = snapshot.context;
  const found: Review[] = [];
  for (const { name, oid } of await listRefs(repo, PEERS_PREFIX)) {
    const one = parsePublished(name);
    if (one?.reviewer === undefined || one.clone !== clone || one.branch !== branch) continue;
    const { author } = await readEntry(objects, oid);
    const claimed = { ...author, name: `${author.name} (says ${clone})` };
    found.push(await withAccepted(snapshot, claimed, name, oid));
  }
  return found;
}

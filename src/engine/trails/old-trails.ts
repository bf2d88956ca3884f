/** The trails beside branches to which nothing came for long, and what of each is open. */

import { listRefs } from '../../git/refs/ref-list.ts';
import { readTrail, TRAIL_PREFIX } from '../../history/head.ts';
import { readEntry } from '../../history/walk.ts';
import { syncedSnapshot } from '../change/sync.ts';
import type { Context } from '../context.ts';
import { openWork, openWorkOf } from './open-work.ts';

export interface OldTrail {
  ref: string;
  /** Its newest commit. */
  head: string;
  /** The time of that, ISO 8601, UTC. */
  last: string;
  /** The number of its edits of which something stands that HEAD does not have. */
  left: number;
}

/** Lists those whose newest commit is older than a time. Throws CORRUPT, STORE_FAILED. */
export async function oldTrails(context: Context, before: Date): Promise<OldTrail[]> {
  const { repo, objects } = context;
  const own = await readTrail(repo, objects, context.trailName);
  const found: OldTrail[] = [];
  for (const { name: ref, oid: head } of await listRefs(repo, TRAIL_PREFIX)) {
    const last = new Date((await readEntry(objects, head)).time * 1000);
    if (last >= before) continue;
    // Of the own one the files tell what is open, too.
    const open = await (ref === own.ref && head === own.tip
      ? openWork(await syncedSnapshot(context, own))
      : openWorkOf(context, ref, head, own.head));
    found.push({ ref, head, last: last.toISOString(), left: open.edits.length });
  }
  return found;
}

/** Where to look for landed edits. */

import { listRefs } from '../../../git/refs/ref-list.ts';
import type { TrailHead } from '../../../trail/head.ts';
import { Landings } from '../../../trail/landing/landings.ts';
import type { Context } from '../../context.ts';

/** Where there are more branches than these, only the checked-out one is looked at. */
const BRANCHES = 100;

/** On HEAD and on every branch. Where the trail is the checked-out branch, an edit lands on another one. */
export async function openLandings({ repo, objects }: Context, trail: TrailHead): Promise<Landings> {
  // A branch that is damaged is no reason not to read the trail.
  const heads = await listRefs(repo, 'refs/heads/').catch(() => []);
  const branches = heads.filter(({ name }) => name !== trail.ref);
  const others = branches.length > BRANCHES ? [] : branches.map(({ oid }) => oid);
  if (trail.checkedOut) return new Landings(objects, others, { bySayingSo: true });
  return new Landings(objects, [...(trail.head ? [trail.head] : []), ...others]);
}

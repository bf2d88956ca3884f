/** Signs the tombstones of trails that were signed: the old statements are of commits that go, so one of the new head begins anew. */

import type { Context } from '../engine/context.ts';
import { makeStatement } from '../signing/sign.ts';
import { countCommits, signedRef } from '../signing/statement.ts';
import { treeOf } from '../trail/walk.ts';
import type { Plan } from './plan.ts';

/** With the objects of the plan stored. A statement whose trail does not move, or is gone, goes with what it signs. Throws GIT_REFUSED. */
export async function signMoves(context: Context, { moves, statements }: Plan): Promise<void> {
  for (const move of moves) {
    if (move.ref.kind !== 'signed') continue;
    const trail = moves.find(
      ({ ref, tombstone }) => tombstone !== null && signedRef(ref.name) === move.ref.name,
    );
    if (!trail?.now) continue;
    const count = await countCommits(context.objects, trail.now, !trail.ref.checkedOut);
    const about = { trail: trail.ref.name, signs: trail.now, count, previous: null };
    move.now = await makeStatement(context, { ...about, tree: await treeOf(context.objects, trail.now) });
    statements.set(trail.ref.name, move.now);
  }
}

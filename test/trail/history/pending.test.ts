/** What is pending of a trail, in work drawn by lot. */

import { expect, it } from 'vitest';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { type Pending, type PendingQuery, readPending } from '../../../src/trail/history/pending.ts';
import { syncTrail } from '../../../src/workspace/change/sync.ts';
import { openContext } from '../../../src/workspace/opening/open-context.ts';
import { openTrail } from '../../../src/workspace/trails/open-trail.ts';
import { git } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots, randomWork } from '../../helpers/random-work.ts';

/** Read through all of the trail at once, and as it is read without `all`. */
async function bothOf(repo: Place): Promise<{ all: Pending; alone: Pending }> {
  const context = await openContext(nodePlatform(), { root: repo.dir });
  const { trail } = await syncTrail(context, await openTrail(context));
  const { head, checkedOut } = trail;
  const query: PendingQuery = { tip: trail.tip && trail.parent, checkedOut, head, target: head };
  const all = await readPending(context.objects, { ...query, all: true });
  const alone = await readPending(context.objects, query);
  await context.objects.close();
  return { all, alone };
}

it.each([1, 2, 3])(
  'what HEAD does not hold is the same, whether more is asked for or not: %i',
  async seed => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': '1\n2\n3\n4\n5\n' });
    const draw = lots(seed * 77);
    const found: boolean[] = [];
    for (let round = 0; round < 6; round++) {
      await randomWork(repo, draw, 8);
      const { all, alone } = await bothOf(repo);
      expect(all.open).toEqual(alone.entries);
      expect(alone.open).toBe(alone.entries);
      found.push(alone.entries.length > 0 && alone.entries.length < all.entries.length);
      const lands = draw(2) ? { commits: [`~${draw(4)}`] } : {};
      if (draw(2)) await (await repo.open()).land({ ...lands, git }).catch(() => {});
    }
    await repo.close();
    expect(found).toContain(true);
  },
);

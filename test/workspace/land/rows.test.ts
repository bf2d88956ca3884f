/** Edits applied in rows come to what they come to one by one. */

import { describe, expect, it, vi } from 'vitest';
import type { LandOptions } from '../../../src/index.ts';
import { ADA } from '../../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots, randomWork } from '../../helpers/random-work.ts';

const rows = vi.hoisted(() => ({ inUse: true, found: 0, longest: 0 }));

vi.mock('../../../src/workspace/land/rows.ts', async actual => {
  const real = await actual<typeof import('../../../src/workspace/land/rows.ts')>();
  return {
    rowsOf: async (...args: Parameters<typeof real.rowsOf>) => {
      const found = rows.inUse ? await real.rowsOf(...args) : [];
      rows.found += found.length;
      rows.longest = Math.max(rows.longest, ...found.map(one => one.entries.length));
      return found;
    },
  };
});

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

/** What a dry landing answers, or how it is refused. */
async function answerOf(repo: Place, options: LandOptions, inUse: boolean): Promise<unknown> {
  rows.inUse = inUse;
  return (await repo.open())
    .land({ ...options, dryRun: true })
    .catch(({ code, message, data }) => ({ code, message, data }));
}

async function checkSame(repo: Place, all: readonly LandOptions[]): Promise<void> {
  for (const options of all)
    expect(await answerOf(repo, options, true)).toEqual(await answerOf(repo, options, false));
}

const WISHES: readonly LandOptions[] = [
  {},
  { session: 's1' },
  { outside: true },
  { paths: ['a.txt'] },
  { commits: ['~9..~2'] },
  { commits: ['..~4'] },
  { commits: ['~3', '~1'], outside: true },
];

describe('a landing in rows', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'answers what one edit after another does: %i',
    { timeout: 120_000 },
    async seed => {
      const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
      const draw = lots(seed);
      for (let round = 0; round < 3; round++) {
        await randomWork(repo, draw, 12);
        if (draw(2)) repo.git('add', '-A');
        await checkSame(repo, WISHES);
      }
      expect(rows.longest).toBeGreaterThan(1);
    },
  );

  it('of a branch that is the trail lands on another one as one edit after another does', async () => {
    const repo = ownRepo({ 'a.txt': LINES, 'b.txt': LINES });
    repo.git('branch', 'other');
    await randomWork(repo, lots(7), 20);
    rows.found = 0;
    await checkSame(
      repo,
      WISHES.map(one => ({ ...one, onto: 'other' })),
    );
    expect(rows.found).toBeGreaterThan(0);
  });

  it('knows text of the agents that the person staged on the way', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    for (const [from, to] of [
      ['one', '1'],
      ['1', 'I'],
      ['I', 'uno'],
    ] as const) {
      await session.edit('str_replace', { path: 'a.txt', old_str: `${from}\n`, new_str: `${to}\n` });
      if (to === 'I') repo.git('add', 'a.txt');
    }
    await checkSame(repo, [{}]);
    rows.longest = 0;
    rows.inUse = true;
    await (await repo.open({ user: ADA })).land({});
    expect(rows.longest).toBe(3);
    expect(repo.git('diff', '--cached', '--name-only')).toBe('');
  });
});

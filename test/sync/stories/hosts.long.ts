/** The long forms of the stories of hosts; each prints its figures (docs/hosts.md). */

import { expect, it } from 'vitest';
import { failingServer } from './failing.ts';
import { fourHosts } from './four-hosts.ts';
import { fractions } from './fractions.ts';
import { killedHost } from './killed.ts';

const SEED = Number(process.env.VEDIT_SEED ?? 1);

it.each([
  ['at once', { count: 250, interval: 50 }, {}],
  ['20 ms away', { count: 250, interval: 50 }, { delay: 20 }],
  ['100 ms away', { count: 250, interval: 50 }, { delay: 100 }],
  ['an edit every 50 ms', { count: 250, pause: 50, interval: 200 }, {}],
  ['each edit waits', { count: 40, when: 'before-answer' as const }, {}],
  ['each edit waits, 100 ms away', { count: 40, when: 'before-answer' as const }, { delay: 100 }],
])('four hosts: %s', async (name, work, options) => {
  const { wrong, figures } = await fourHosts(work, options);
  console.log(`four hosts, ${name}: ${JSON.stringify(figures)}`);
  expect(wrong).toEqual([]);
});

it('a host that is killed 100 times', async () => {
  const { wrong, edits } = await killedHost(100, fractions(SEED));
  console.log(`killed 100 times: ${edits} edits were acknowledged`);
  expect(wrong).toEqual([]);
});

it('a server that fails, 200 rounds', async () => {
  const { wrong, figures } = await failingServer(200, fractions(SEED));
  console.log(`a failing server: ${JSON.stringify(figures)}`);
  expect(wrong).toEqual([]);
});

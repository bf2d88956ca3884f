/** Four hosts as real processes on one trail of a real server: nothing is lost, and all end with the same. */

import { expect, it } from 'vitest';
import { failingServer } from './failing.ts';
import { fourHosts } from './four-hosts.ts';
import { fractions } from './fractions.ts';
import { killedHost } from './killed.ts';

it('edit shared and unshared documents over HTTP', async () => {
  const { wrong, figures } = await fourHosts({ count: 24, pause: 5 });
  expect(wrong).toEqual([]);
  expect(figures.aside).toBeGreaterThan(0);
}, 300_000);

it('wait for the server before each answer', async () => {
  const { wrong } = await fourHosts({ count: 6, when: 'before-answer' });
  expect(wrong).toEqual([]);
}, 300_000);

it('lose nothing when one is killed at random moments', async () => {
  expect((await killedHost(6, fractions(7))).wrong).toEqual([]);
}, 300_000);

it('lose nothing when the server fails at random, and a person pushes with plain git', async () => {
  const { wrong, figures } = await failingServer(25, fractions(3));
  expect(wrong).toEqual([]);
  expect(Object.keys(figures.failures).length).toBeGreaterThan(2);
}, 300_000);

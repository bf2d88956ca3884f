/** What hosts that share a trail beside a branch land: each edit once, also those that came in with a merge. */

import { expect, it } from 'vitest';
import { edit, shared, using } from '../helpers/clones.ts';
import { faultsOf, LINES, sync } from './hosts.ts';

const open = (host: Parameters<typeof using>[0]) =>
  using(host, async one =>
    (await one.session().log()).data.entries.filter(
      ({ op, status }) => op === 'str_replace' && status.now === 'open',
    ),
  );

it('lists the edits and agents of both sides, and what landed on one host is landed on the other', async () => {
  const { ada, bob } = shared({ 'a.txt': LINES, 'b.txt': LINES });
  await edit(ada, 'a.txt', 'line 2\n', 'two\n', 'ada-agent');
  await edit(bob, 'a.txt', 'line 9\n', 'nine\n', 'bob-agent');
  await sync(ada);
  await sync(bob);
  await sync(ada);
  await edit(bob, 'b.txt', 'line 2\n', 'two\n', 'bob-agent');
  await using(ada, one => one.land());
  const message = ada.git('log', '-1', '--format=%B');
  expect(message).toMatch(/^2 edits by 2 agents/);
  expect(message).toMatch(/Assisted-by: ada-agent/);
  expect(message).toMatch(/Assisted-by: bob-agent/);
  expect(await open(ada)).toEqual([]);
  ada.git('push', '-q', 'origin', 'main');
  // Git does not pull over files that differ, though they hold what comes.
  bob.git('checkout', '--', 'a.txt');
  bob.git('pull', '-q', '--ff-only');
  expect(await open(bob)).toMatchObject([{ agent: 'bob-agent', paths: ['b.txt'] }]);
  await sync(bob);
  await sync(ada);
  expect(await open(ada)).toMatchObject([{ agent: 'bob-agent', paths: ['b.txt'] }]);
  await using(ada, one => one.land());
  expect(await open(ada)).toEqual([]);
  for (const host of [ada, bob]) expect(await faultsOf(host)).toEqual([]);
});

it('does not count as landed what came in beside a row that landed', async () => {
  const { ada, bob } = shared({ 'a.txt': LINES, 'b.txt': LINES });
  await edit(bob, 'b.txt', 'line 2\n', 'two\n', 'bob-agent');
  await edit(bob, 'b.txt', 'line 5\n', 'five\n', 'bob-agent');
  for (const n of [2, 5, 8]) await edit(ada, 'a.txt', `line ${n}\n`, `new ${n}\n`, 'ada-agent');
  await using(ada, one => one.land());
  ada.git('push', '-q', 'origin', 'main');
  bob.git('pull', '-q', '--ff-only');
  await sync(ada);
  await sync(bob);
  await sync(ada);
  for (const host of [ada, bob]) {
    expect(await open(host)).toMatchObject([{ agent: 'bob-agent' }, { agent: 'bob-agent' }]);
    expect(await faultsOf(host)).toEqual([]);
  }
});

/** Bob's edit lands while Ada, whose line of the trail does not have it yet, works on; then they sync. */
it.each([
  ['ada', 'bob'],
  ['bob', 'ada'],
] as const)(
  'tells in which commit an edit of the other line landed: %s syncs first',
  async (first, second) => {
    const hosts = shared({ 'a.txt': LINES, 'b.txt': LINES });
    const { ada, bob } = hosts;
    await edit(ada, 'b.txt', 'line 5\n', 'five\n', 'ada-agent');
    await edit(bob, 'a.txt', 'line 9\n', 'nine\n', 'bob-agent');
    await using(bob, one => one.land());
    const landing = bob.git('rev-parse', 'HEAD');
    bob.git('push', '-q', 'origin', 'main');
    ada.git('pull', '-q', '--ff-only');
    await edit(ada, 'b.txt', 'line 8\n', 'eight\n', 'ada-agent');
    ada.git('commit', '-q', '--allow-empty', '-m', 'later');
    await edit(ada, 'b.txt', 'line 2\n', 'two\n', 'ada-agent');
    for (const one of [first, second, first] as const) await sync(hosts[one]);
    for (const host of [ada, bob]) {
      const { entries } = await using(host, async one => (await one.session().log()).data);
      const of = (agent: string): unknown[] =>
        entries.filter(one => one.agent === agent).map(({ status }) => [status.now, status.landed_in]);
      expect(of('bob-agent')).toEqual([['landed', landing]]);
      expect(of('ada-agent')).toEqual([
        ['open', null],
        ['open', null],
        ['open', null],
      ]);
    }
  },
);

it('leaves a rename that a person pushed to the other line, and the merge brought, to that person', async () => {
  const { ada, bob } = shared({ 'a.txt': LINES, 'b.txt': LINES });
  for (const host of [ada, bob]) host.git('config', 'vedit.trail', 'HEAD');
  ada.git('branch', 'release');
  bob.git('mv', 'b.txt', 'moved.txt');
  bob.git('commit', '-qm', 'moved');
  bob.git('push', '-q', 'origin', 'main');
  await edit(ada, 'a.txt', 'line 9\n', 'nine\n', 'ada-agent');
  await sync(ada);
  expect(ada.git('log', '-1', '--format=%s')).toContain('merge');
  const { data } = await using(ada, one => one.land({ onto: 'release' }));
  expect(data.paths.map(({ path }) => path)).toEqual(['a.txt']);
});

/** What people accepted goes along when they say so, and is a claim of their clone elsewhere. */

import { expect, it } from 'vitest';
import { edit, git, serverRefs, shared, using } from '../helpers/clones.ts';
import { vedit } from '../helpers/vedit.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' };

it('a review is published only when asked for, fetched, and shown as a claim', async () => {
  const { server, ada, bob } = shared(FILES);
  await edit(ada, 'a.txt', 'two', '2', 'ada-agent');
  await using(ada, one => one.accept({ all: true }));
  await edit(ada, 'a.txt', 'six', '6', 'ada-agent');
  const first = await using(ada, one => one.push({ git }));
  expect(serverRefs(server)).toHaveLength(2);
  const dry = await using(ada, one => one.push({ git, withReviews: true, dryRun: true }));
  expect(
    dry.data.trails.map(({ trail, result }) => [trail.replace(/\/ada-[^/]*\//, '/ADA/'), result]),
  ).toEqual([
    ['refs/vedit/main', 'up to date'],
    ['refs/vedit-review/ADA/vedit/main', 'would be pushed'],
  ]);
  expect(serverRefs(server)).toHaveLength(2);
  await using(ada, one => one.push({ git, withReviews: true }));
  const { clone } = first.data;
  const ref = serverRefs(server).find(name => name.includes('/review/'))!;
  expect(ref).toMatch(new RegExp(`^refs/vedit-peers/${clone}/review/ada-example-com/main$`));
  expect(server.git('show', `${ref}:a.txt`)).toContain('2\nthree\nfour\nfive\nsix');

  const { data, message } = await using(bob, one => one.fetch({ git }));
  expect(data).toMatchObject({
    fetched: [{ name: `${clone}/main` }],
    reviews: [{ name: `${clone}/main`, reviewer: 'ada-example-com', ref, from: null }],
    refused: [],
    trails: 1,
    gone: [],
  });
  expect(message).toContain(`the review of ${clone}/main by ada-example-com`);
  expect((await using(bob, one => one.fetch({ git }))).message).toBe('Nothing new in 1 history at origin.');
  expect((await using(bob, one => one.peers())).data.peers).toHaveLength(1);
  const { data: review } = await using(bob, one => one.review(), `${clone}/main`);
  expect(review.reviewers).toEqual([`ada (says ${clone})`]);
  expect(review.hunks.map(({ after, accepted_by }) => [after.lines, accepted_by])).toEqual([
    [['2'], [`ada (says ${clone})`]],
    [['6'], []],
  ]);
  const listed = await vedit(bob, ['review', '--list', '--trail', `${clone}/main`]);
  expect(listed.out).toContain(`accepted by ada (says ${clone})`);
  await using(ada, one => one.accept({ all: true }));
  const next = await using(ada, one => one.push({ git, withReviews: true }));
  expect(next.data.trails.map(({ result }) => result)).toEqual(['up to date', 'pushed']);
  expect((await using(bob, one => one.fetch({ git }))).data).toMatchObject({
    fetched: [],
    reviews: [{ ref }],
  });
  expect(bob.git('fsck', '--strict')).not.toMatch(/error|missing/);
});

it('a review that was rewritten on the server is refused, and the trail comes all the same', async () => {
  const { server, ada, bob } = shared(FILES);
  await edit(ada, 'a.txt', 'two', '2', 'ada-agent');
  await using(ada, one => one.accept({ all: true }));
  await using(ada, one => one.push({ git, withReviews: true }));
  await using(bob, one => one.fetch({ git }));
  const ref = serverRefs(server).find(name => name.includes('/review/'))!;
  server.git('update-ref', ref, server.git('rev-parse', 'main'));
  await edit(ada, 'a.txt', 'three', '3', 'ada-agent');
  await using(ada, one => one.push({ git }));
  const { data } = await using(bob, one => one.fetch({ git }));
  expect(data.fetched).toHaveLength(1);
  expect(data.refused).toMatchObject([{ ref, why: expect.stringContaining('rewound') }]);
});

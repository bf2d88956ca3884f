/** A purge and the other clones: tombstones travel, and what was purged does not come back. */

import { expect, it } from 'vitest';
import { allOf } from '../helpers/all-of.ts';
import { cloneOf, edit, git, shared, using } from '../helpers/clones.ts';
import { codeOf, type Place } from '../helpers/person-repo.ts';

const KEY = 'hunter2-4711-swordfish';
const push = (at: Place) => using(at, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));
const fetch = (at: Place) => using(at, one => one.fetch({ git }));
const verified = async (at: Place) => (await using(at, one => one.verify())).data.faults;

/** Ada's key is in her history and, merged, in Bob's; both have pushed, and Bob has edited on. */
async function spread() {
  const all = shared({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  const { ada, bob } = all;
  await edit(ada, 'a.txt', 'two', KEY);
  await edit(ada, 'a.txt', KEY, 'from the environment');
  const clone = (await push(ada)).data.clone!;
  await fetch(bob);
  await using(bob, one => one.merge({ peer: clone }));
  await edit(bob, 'b.txt', 'b', 'bob');
  const bobs = (await push(bob)).data.clone!;
  return { ...all, clone, bobs };
}

it('travels: a clone that merged it is refused until it purges too, and then both go on together', async () => {
  const { server, ada, bob, clone, bobs } = await spread();
  await fetch(ada);
  const { data } = await using(ada, one => one.purge({ text: KEY, reason: 'a key' }));
  expect(data.deleted_refs).toEqual([
    `refs/vedit-peers/${clone}/trail/main`,
    `refs/vedit-peers/${bobs}/trail/main`,
  ]);
  expect([data.held, allOf(ada).includes(KEY)]).toEqual([[], false]);
  // Bob has it still, and Ada does not take it.
  const refused = (await fetch(ada)).data.refused;
  expect(refused).toMatchObject([{ name: `${bobs}/main`, why: expect.stringContaining('vedit purge') }]);
  // Her own history on the server is replaced under the same name. The tombstone is no commit of a person's.
  expect((await using(ada, one => one.push({ git, withOutside: true }))).data).toMatchObject({
    clone,
    trails: [{ result: 'pushed' }],
  });
  // The rewritten history is taken, as its tombstone says what it was.
  expect((await fetch(bob)).data).toMatchObject({ refused: [], fetched: [{ name: `${clone}/main` }] });
  for (const call of [() => push(bob), () => using(bob, one => one.merge({ peer: clone }))])
    expect(await codeOf(call())).toBe('CORRUPT');
  const own = await using(bob, one => one.purge({ reason: 'Ada purged it' }));
  expect(own.data.held).toEqual([]);
  expect(allOf(bob)).not.toContain(KEY);
  expect(await verified(bob)).toEqual([]);
  // What both had is the same again in both.
  const theirs = ada.git('rev-list', 'refs/vedit/main').split('\n');
  const ours = bob.git('rev-list', 'refs/vedit/main').split('\n');
  expect(theirs.filter(id => ours.includes(id)).length).toBeGreaterThan(2);
  await push(bob);
  expect((await fetch(ada)).data.refused).toEqual([]);
  await using(ada, one => one.merge({ peer: bobs }));
  expect(ada.read('b.txt')).toBe('bob\n');
  expect(await verified(ada)).toEqual([]);
  server.git('reflog', 'expire', '--expire=now', '--all');
  server.git('gc', '-q', '--prune=now');
  expect(allOf(server)).not.toContain(KEY);
});

it('travels in what somebody merged: a clone that has the text is refused, though it never saw the clone that purged', async () => {
  const { server, ada, bob } = shared({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  await edit(ada, 'a.txt', 'two', KEY);
  const adas = (await push(ada)).data.clone!;
  const cid = cloneOf(server, 'cid');
  await fetch(cid);
  await using(cid, one => one.merge({ peer: adas }));
  await using(ada, one => one.purge({ text: KEY, reason: 'a key' }));
  await push(ada);
  await edit(bob, 'b.txt', 'b', 'bob');
  await fetch(bob);
  await using(bob, one => one.merge({ peer: adas }));
  const bobs = (await push(bob)).data.clone!;
  server.git('update-ref', '-d', `refs/vedit-peers/${adas}/trail/main`);
  await fetch(cid);
  expect(await codeOf(using(cid, one => one.merge({ peer: bobs })))).toBe('CORRUPT');
  await using(cid, one => one.purge({ reason: 'Ada purged it' }));
  expect(allOf(cid)).not.toContain(KEY);
  await using(cid, one => one.merge({ peer: bobs }));
  expect(await verified(cid)).toEqual([]);
});

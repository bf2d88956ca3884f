/** A purge and the other clones: it says what the server has, and what a clone has that has the text still. */

import { expect, it } from 'vitest';
import { allOf } from '../helpers/all-of.ts';
import { edit, git, shared, using } from '../helpers/clones.ts';
import type { Place } from '../helpers/person-repo.ts';

const KEY = 'hunter2-4711-swordfish';
const push = (at: Place) => using(at, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));
const fetch = (at: Place) => using(at, one => one.fetch({ git }));
const verified = async (at: Place) => (await using(at, one => one.verify())).data.faults;

/** Ada's key is in her history, and Bob has fetched it; both have pushed. */
async function spread() {
  const all = shared({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  const { ada, bob } = all;
  const old = await edit(ada, 'a.txt', 'two', KEY);
  await edit(ada, 'a.txt', KEY, 'from the environment');
  const clone = (await push(ada)).data.clone!;
  await fetch(bob);
  return { ...all, clone, old, ref: `refs/vedit-peers/${clone}/trail/main` };
}

it('names the ref of the server, and a push replaces it with the rewritten history', async () => {
  const { server, ada, clone, ref, old } = await spread();
  const { data, message } = await using(ada, one => one.purge({ text: KEY, reason: 'a key' }));
  expect(data.deleted_refs).toEqual([ref]);
  expect(data.held).toEqual([{ kind: 'server', name: ref, command: 'vedit push' }]);
  expect(message).toContain('It is nowhere in this repository any more.');
  expect(allOf(ada)).not.toContain(KEY);
  expect((await push(ada)).data).toMatchObject({ clone, trails: [{ result: 'pushed' }] });
  expect(await verified(ada)).toEqual([]);
  server.git('reflog', 'expire', '--expire=now', '--all');
  server.git('gc', '-q', '--prune=now');
  expect(allOf(server)).not.toContain(KEY);
  const shown = await using(ada, one => one.session({ id: 's2' }).show(old));
  expect(shown.message).toContain('+[purged]');
});

it('is refused as rewritten where the old history was fetched, until its mirror goes', async () => {
  const { ada, bob, ref } = await spread();
  await using(ada, one => one.purge({ text: KEY, reason: 'a key' }));
  await push(ada);
  expect((await fetch(bob)).data.refused).toMatchObject([{ ref, why: expect.stringContaining('rewritten') }]);
  bob.git('update-ref', '-d', ref);
  expect((await fetch(bob)).data).toMatchObject({ refused: [], fetched: [{ ref }] });
  expect(bob.git('log', '-p', ref)).not.toContain(KEY);
});

it('names the clone that has the text in a history of its own: a fetch brings that back, as a history of that clone', async () => {
  const { ada, bob } = await spread();
  await edit(bob, 'b.txt', 'b', KEY);
  const bobs = (await push(bob)).data.clone!;
  await fetch(ada);
  const { data } = await using(ada, one => one.purge({ text: KEY, reason: 'a key' }));
  const ref = `refs/vedit-peers/${bobs}/trail/main`;
  expect(data.deleted_refs).toContain(ref);
  expect(data.held).toContainEqual({ kind: 'server', name: ref, command: expect.stringContaining(bobs) });
  expect(allOf(ada)).not.toContain(KEY);
  expect((await fetch(ada)).data.fetched).toMatchObject([{ ref }]);
  expect(ada.git('log', '-p', ref)).toContain(KEY);
  expect(ada.git('log', '-p', 'refs/vedit/main')).not.toContain(KEY);
  expect(await verified(ada)).toEqual([]);
});

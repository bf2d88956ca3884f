/** session.mark: a name for the newest commit, to roll back to. */

import { expect, it } from 'vitest';
import { inMemory } from '../../helpers/in-memory.ts';

const replace = (old_str: string, new_str: string) => ({ path: 'a.txt', old_str, new_str });

it('is where a rollback leads to, and what a restore takes from', async () => {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  const { data } = await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
  expect(await session.mark('before')).toBe(data.commit);
  await session.edit('str_replace', replace('one', 'two'));
  await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  await session.restore({ path: 'a.txt', from: 'before' });
  expect((await session.read({ path: 'a.txt' })).data.text).toBe('one\n');
  await session.rollback('before');
  expect((await session.view({ path: '.' })).data.entries).toEqual(['a.txt']);
  expect((await session.verify()).data.faults).toEqual([]);
});

it('of a repository without a commit leads back to nothing', async () => {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  expect(await session.mark('start')).toBeNull();
  await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
  await session.edit('str_replace', replace('one', 'two'));
  await session.rollback('start');
  expect((await session.view({ path: '.' })).data.entries).toEqual([]);
  expect((await session.verify()).data.faults).toEqual([]);
});

it('takes back nothing of others, unless that is said', async () => {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
  await session.mark('before');
  await session.edit('str_replace', replace('one', 'two'));
  await workspace.session({ id: 's2' }).edit('create', { path: 'b.txt', file_text: 'b\n' });
  await expect(session.rollback('before')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('A rollback to before'),
  });
  await session.rollback('before', { withOthers: true });
  expect((await session.view({ path: '.' })).data.entries).toEqual(['a.txt']);
});

it('is known to the calls of a turn, and to no other session', async () => {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
  await session.inTurn(own => own.mark('here'));
  await session.edit('str_replace', replace('one', 'two'));
  await expect(workspace.session().rollback('here')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await session.inTurn(own => own.rollback('here'));
  expect((await session.read({ path: 'a.txt' })).data.text).toBe('one\n');
});

it.each(['', 'HEAD', '@', 'deadbeef', 'a b', '~1', 'x'.repeat(81), 7])('cannot be called %j', async name => {
  const { workspace } = await inMemory();
  const call = workspace.session().mark(name as string);
  await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

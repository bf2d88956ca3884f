/** An edit that was planned before a purge, and is made after it. */

import { expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';

const KEY = 'hunter2-4711-swordfish';

it('an edit that names a commit while somebody purges names it by the id that it has then', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: KEY });
  const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: KEY, new_str: 'gone' });
  await using other = await repo.open();
  let asked = 0;
  const approve = async (): Promise<undefined> => {
    if (asked++ === 0) await other.purge({ text: KEY, reason: 'a key' });
  };
  const waiting = await repo.session('s2', { approve });
  const made = await waiting.edit('create', { path: 'new.txt', file_text: 'x\n', base: data.commit! });
  expect(made.data.commit).not.toBeNull();
  expect((await other.verify()).data.faults).toEqual([]);
});

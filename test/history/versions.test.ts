import { expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';

it('knows what HEAD had, where the trail is told of it later', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
  repo.write('a.txt', 'one\nmine\nthree\n');
  repo.git('commit', '-qam', 'mine');
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: 'THREE' });
  repo.git('reset', '-q', '--soft', 'HEAD~1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'mine', new_str: 'two' });
  const { entries } = (await session.log()).data;
  expect(entries[0]!.status).toMatchObject({ now: 'nothing left', lines: {} });
});

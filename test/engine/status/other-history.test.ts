import { expect, it } from 'vitest';
import { personRepo } from '../../helpers/person-repo.ts';

it('an edit that a switch took away is on the branch that was left', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  repo.git('branch', 'side');
  const there = await repo.open();
  const input = { path: 'a.txt', old_str: 'one', new_str: 'two' };
  const { data } = await there.session({ agent: 'fixer' }).edit('str_replace', input);
  await there.close();
  repo.git('commit', '-qam', 'mine');
  repo.git('switch', '-q', 'side');
  const here = (await repo.open()).session();
  const { status } = (await here.show(data.commit!)).data;
  expect(status).toMatchObject({ now: 'away', by: 'branch main' });
});

it('a commit that takes the file out of git has landed nothing', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const session = (await repo.open()).session({ agent: 'fixer' });
  const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  repo.git('rm', '-q', '--cached', 'a.txt');
  repo.git('commit', '-qm', 'out of git');
  const { status } = (await session.show(data.commit!)).data;
  expect(status).toMatchObject({ now: 'open', landed_in: null });
});

import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { checkedOutBefore, isForked, renamedFrom } from '../../../src/git/refs/reflog.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { personRepo } from '../../helpers/person-repo.ts';

it('knows the names that a branch had, the last one first', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('branch', '-m', 'a/b');
  repo.git('branch', 'main');
  repo.git('branch', '-m', 'a/b', 'trunk');
  const located = await locate(nodeFs(), repo.dir);
  expect(await renamedFrom(located, 'refs/heads/trunk')).toEqual(['refs/heads/a/b', 'refs/heads/main']);
  expect(await renamedFrom(located, 'refs/heads/main')).toEqual([]);
  expect(await renamedFrom(located, 'refs/heads/none')).toEqual([]);
});

it('knows what was checked out before, and which branches were made from another', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('switch', '-q', '-c', 'one');
  repo.git('branch', 'two');
  repo.git('switch', '-q', 'two');
  const located = await locate(nodeFs(), repo.dir);
  expect(await checkedOutBefore(located, 'two')).toEqual(['one', 'main']);
  expect(await checkedOutBefore(located, 'main')).toEqual([]);
  const made = await Promise.all(['main', 'one', 'two'].map(name => isForked(located, `refs/heads/${name}`)));
  expect(made).toEqual([false, true, true]);
});

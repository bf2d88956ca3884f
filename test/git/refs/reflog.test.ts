import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/git/native/node-fs.ts';
import { renamedFrom } from '../../../src/git/refs/reflog.ts';
import { locate } from '../../../src/git/repository.ts';
import { personRepo } from '../../workspace/person-repo.ts';

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

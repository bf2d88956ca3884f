import { expect, it } from 'vitest';
import { filesBelow } from '../../../src/tools/dialects/files.ts';
import { personRepo } from '../../helpers/person-repo.ts';

it('lists every file below a folder, however many there are and however deep', async () => {
  const repo = personRepo({ f: '' });
  const paths = ['d/a/b/c/x', 'd/z/y/x'];
  for (let n = 1000; n < 2100; n++) paths.push(`d/m/${n}${'n'.repeat(60)}`);
  for (const path of paths) repo.write(path, '');
  const session = await repo.session();
  expect((await filesBelow(session, 'd')).sort()).toEqual(paths.sort());
  expect((await session.view('d')).data.cut).toBe(true);
});

/** A disk without hard links: nobody can be kept out there, so nothing is edited, and everything is read. */

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { ownRepo, personRepo } from '../../helpers/person-repo.ts';
import { openAs } from './ended-process.ts';

it.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('an edit %s is refused in words, and what is there is read', async (_, make) => {
  const repo = make({ 'a.txt': 'a\n' });
  const workspace = await openAs(repo, { fs: overriding(nodeFs(), { link: failing('EPERM') }) });
  const edit = workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' });
  await expect(edit).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringMatching(/no hard links.*move the repository to a disk that has them/s),
  });
  expect((await workspace.session().view({ path: 'a.txt' })).data).toMatchObject({ path: 'a.txt' });
  await workspace.close();
  expect(repo.git('status', '--short')).toBe('');
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
});

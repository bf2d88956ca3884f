/** verify of a repository that became another one after it was opened: it is refused, not read as what it was. */

import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeOf, personRepo } from '../helpers/person-repo.ts';

it.each([
  ['a newer format', ['core.repositoryformatversion', '2']],
  ['an extension that is not known', ['extensions.newer', 'yes']],
  ['another hash', ['extensions.objectformat', 'sha256']],
  ['another storage of refs', ['extensions.refstorage', 'reftable']],
])('refuses %s that came after it was opened', async (_, [key, value]) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  expect((await workspace.verify()).data.sound).toBe(true);
  if (key !== 'core.repositoryformatversion') repo.git('config', 'core.repositoryformatversion', '1');
  repo.git('config', key!, value!);
  expect(await codeOf(workspace.verify())).toBe('UNSUPPORTED_REPOSITORY');
});

it('refuses a repository that was removed since', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  expect((await workspace.verify()).data.sound).toBe(true);
  rmSync(repo.path('.git'), { recursive: true });
  expect(await codeOf(workspace.verify())).toBe('NOT_A_REPOSITORY');
});

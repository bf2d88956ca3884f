/** A file system without hard links: git's locks are copies there, and those of a killed process go too. */

import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

const withoutLinks = (): Fs => overriding(nodeFs(), { link: failing('EPERM') });

const locks = (repo: Place): string[] =>
  readdirSync(repo.path('.git'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.lock'),
  );

it.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('an edit %s is made, and one that is killed under its locks is in nobody’s way', async (_, make) => {
  const repo = make({ 'a.txt': 'a\n' });
  await inEndedProcess(
    repo,
    async (workspace, end) => {
      const session = workspace.session();
      await session.edit('create', { path: 'one.txt', file_text: 'one\n' });
      end.at = (method, to) => method === 'rename' && /refs\/(heads|vedit)\/main$/.test(to ?? '');
      await session.edit('create', { path: 'two.txt', file_text: 'two\n' }).catch(() => {});
    },
    { fs: withoutLinks() },
  );
  expect(locks(repo).filter(name => !name.startsWith('vedit'))).not.toEqual([]);
  const workspace = await openAs(repo, { fs: withoutLinks(), patience: { git: 100 } });
  const edit = workspace.session().edit('create', { path: 'three.txt', file_text: 'three\n' });
  expect(await codeOf(edit)).toBeNull();
  await workspace.close();
  expect(locks(repo)).toEqual([]);
  expect(['one.txt', 'two.txt', 'three.txt'].map(path => existsSync(repo.path(path)))).toEqual([
    true,
    false,
    true,
  ]);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
});

it('a lock of a git that lives stays', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(
    repo,
    async workspace => workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' }),
    { fs: withoutLinks() },
  );
  repo.write('.git/refs/vedit/main.lock', `${repo.git('rev-parse', 'vedit/main')}\n`);
  const workspace = await openAs(repo, { fs: withoutLinks(), patience: { git: 50 } });
  expect(await codeOf(workspace.session().edit('delete', { path: 'one.txt' }))).toBe('LOCKED');
  await workspace.close();
  expect(locks(repo)).toEqual(['refs/vedit/main.lock']);
});

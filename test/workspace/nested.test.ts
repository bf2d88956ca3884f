/** A repository is made where none is, and a root is an absolute path. */

import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initRepository, openWorkspace } from '../../src/index.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

describe('initRepository', () => {
  it.each(['in', 'd', 'd/in', 'd/e/f', 'new/deep/er', 'd/', 'x y', 'é', '.hidden', 'd/.git-no'])(
    'refuses a folder inside a repository: %s',
    async name => {
      const repo = (name.length % 2 ? personRepo : ownRepo)({ 'd/a.txt': 'a\n' });
      for (const bare of [false, true]) {
        const call = initRepository({ root: repo.path(name), bare });
        await expect(call).rejects.toMatchObject({ code: 'NESTED_REPOSITORY' });
      }
      expect(repo.git('status', '--porcelain')).toBe('');
      expect((await initRepository({ root: repo.path(name), nested: true })).created).toBe(true);
      expect(existsSync(repo.path(`${name}/.git/HEAD`))).toBe(true);
    },
  );

  it('makes one beside a repository, and leaves one that is there', async () => {
    const box = sandbox();
    mkdirSync(box.path('one'));
    expect((await initRepository({ root: box.path('one') })).created).toBe(true);
    expect((await initRepository({ root: box.path('two') })).created).toBe(true);
    expect((await initRepository({ root: box.path('one') })).created).toBe(false);
  });
});

describe('a root that is no absolute path', () => {
  it.each(['rel', '.', './a', '../a', 'a/b', '~', '~/a', '', 'file:///tmp', '$PWD'])(
    '%j is refused',
    async root => {
      for (const call of [openWorkspace({ root }), initRepository({ root })])
        await expect(call).rejects.toThrow('the absolute path of a folder');
    },
  );
});

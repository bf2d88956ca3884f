/** What the real git would record of the files as they are now. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Sandbox } from '../helpers/real-git.ts';

/** The tree that `git add -A` makes on top of a commit, with an index of its own. */
export function treeByGit(repo: Sandbox, commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-index-'));
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_INDEX_FILE: join(folder, 'index'),
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: repo.dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  try {
    git('read-tree', commit);
    git('add', '-A');
    return git('write-tree');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The trail holds what git would record of the files; on a checked-out branch git status says so, too. */
export function expectAgreement(repo: Sandbox, trail: 'main' | 'vedit/main'): void {
  expect(repo.git('rev-parse', `${trail}^{tree}`)).toBe(treeByGit(repo, trail));
  if (trail === 'main') expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
}

/** A `git gc --prune=now` looks at the refs before an edit, and deletes after it. */

import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { ADA } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';
import type { Sandbox } from '../helpers/real-git.ts';

/** What such a gc does at its end. */
function deleteLoose(repo: Sandbox): void {
  for (const name of readdirSync(repo.path('.git/objects')))
    if (name.length === 2) rmSync(repo.path('.git/objects', name), { recursive: true });
}

describe('beside a git gc that deletes late', () => {
  it('an edit has all its objects again after its checkpoint', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('gc', '-q');
    const workspace = await openWorkspace({ root: repo.dir });
    await workspace.session().edit('create', { path: 'new.txt', file_text: 'new\n' });
    deleteLoose(repo);
    await workspace.close();
    expect(repo.git('show', 'vedit/main:new.txt')).toBe('new');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('an edit that was checkpointed is in a pack that it does not know', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('gc', '-q');
    const workspace = await openWorkspace({ root: repo.dir });
    await workspace.session().edit('create', { path: 'new.txt', file_text: 'new\n' });
    await workspace.close();
    deleteLoose(repo);
    expect(repo.git('show', 'vedit/main:new.txt')).toBe('new');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('a landing outlives it, too', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('branch', 'release');
    repo.git('gc', '-q');
    const workspace = await openWorkspace({ root: repo.dir, user: ADA });
    await workspace.session().edit('create', { path: 'new.txt', file_text: 'new\n' });
    await workspace.land({ onto: 'release' });
    deleteLoose(repo);
    await workspace.close();
    expect(repo.git('show', 'release:new.txt')).toBe('new');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

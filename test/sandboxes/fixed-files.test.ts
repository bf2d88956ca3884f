/** Files that no rename replaces: mounted by themselves, immutable, append-only. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../helpers/real-git.ts';
import { startRepository } from '../helpers/shared-repository.ts';
import { container, mounted, noSandbox, vedit, type Walls } from './sandboxed-processes.ts';

const reason = noSandbox();

const MOUNTED = 'is mounted by itself';
const IMMUTABLE = 'is immutable or append-only';

const DELETE = ['rm', 'fixed.txt'];
const MOVE = ['mv', 'fixed.txt', 'moved.txt'];
const EDIT = ['replace', 'fixed.txt', 'two', 'TWO'];

function start(): Sandbox {
  const repo = startRepository(false);
  onTestFinished(() => {
    spawnSync('chattr', ['-i', '-a', repo.path('fixed.txt')]);
    rmSync(repo.dir, { recursive: true, force: true });
  });
  repo.write('fixed.txt', 'one\ntwo\n');
  repo.write('other.txt', 'one\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'files');
  return repo;
}

/** Why no file can be made immutable here; `null` where it can. */
function noAttributes(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-fixed-'));
  writeFileSync(join(folder, 'a'), '');
  const isDone = spawnSync('chattr', ['+i', join(folder, 'a')]).status === 0;
  spawnSync('chattr', ['-i', join(folder, 'a')]);
  rmSync(folder, { recursive: true });
  return isDone ? null : 'no file can be made immutable here';
}

const read = (repo: Sandbox): string => readFileSync(repo.path('fixed.txt'), 'utf8');

/** The edit is refused in words, nothing changed, and other files go on. */
function expectRefused(repo: Sandbox, walls: Walls, args: readonly string[], words: string): void {
  const before = read(repo);
  const { code, err } = vedit(walls, repo, ...args);
  expect({ args, code, err }).toEqual({
    args,
    code: expect.any(Number),
    err: expect.stringMatching(new RegExp(`STORE_FAILED: fixed.txt .*${words}.*Nothing was changed`)),
  });
  expect(read(repo)).toBe(before);
  expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  expect(repo.git('status', '--short')).toBe('');
}

describe.skipIf(reason)(`files that no rename replaces${reason ? ` (left out: ${reason})` : ''}`, () => {
  it('one that is mounted by itself, and one in a folder that is mounted where it is', () => {
    const repo = start();
    const file = repo.path('fixed.txt');
    const walls = mounted(`mount --bind ${file} ${file}`, 'c0ffee01');
    for (const args of [EDIT, DELETE, MOVE]) expectRefused(repo, walls, args, MOUNTED);
    const folder = mounted(
      `mount --bind ${repo.dir} ${repo.dir} && mount --bind ${file} ${file}`,
      'c0ffee01',
    );
    expectRefused(repo, folder, EDIT, MOUNTED);
    expect(vedit(walls, repo, 'replace', 'other.txt', 'one', 'ONE').code).toBe(0);
    expect(vedit(container('c0ffee01'), repo, ...EDIT).code).toBe(0);
    expect(read(repo)).toBe('one\nTWO\n');
  });

  const unfixed = reason ?? noAttributes();
  it.skipIf(unfixed).each(['+i', '+a'])(
    `one with chattr %s${unfixed ? ` (left out: ${unfixed})` : ''}`,
    how => {
      const repo = start();
      spawnSync('chattr', [how, repo.path('fixed.txt')]);
      for (const args of [EDIT, DELETE, MOVE]) expectRefused(repo, [], args, IMMUTABLE);
      expect(vedit([], repo, 'replace', 'other.txt', 'one', 'ONE').code).toBe(0);
    },
  );
});

import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place } from '../helpers/person-repo.ts';

const secondOf = (repo: Place, path: string): number => Math.floor(statSync(repo.path(path)).mtimeMs / 1000);

/** Saves b.txt in the very second in which git wrote the index, so that its times say nothing of the new content. */
function saveRacily(repo: Place): void {
  for (let tries = 0; tries < 50; tries++) {
    repo.write('b.txt', 'b\n');
    repo.git('add', 'b.txt');
    repo.write('b.txt', 'B\n');
    if (secondOf(repo, 'b.txt') === secondOf(repo, '.git/index')) return;
  }
  throw new Error('this machine is too slow to save a file in the second of git add');
}

describe("git's index on a checked-out trail", () => {
  it('does not hide what a person saved in the second in which it was written', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    saveRacily(repo);
    const saved = secondOf(repo, 'b.txt');
    while (Math.floor(Date.now() / 1000) === saved) await new Promise(done => setTimeout(done, 20));
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    expect(secondOf(repo, '.git/index')).toBeGreaterThan(saved);
    expect(repo.git('status', '--porcelain')).toBe(' M b.txt');
  });

  it.each([
    ['a split index', ['update-index', '--split-index'], 'split index'],
    ['a sparse index', ['sparse-checkout', 'set', '--cone', '--sparse-index', 'd'], 'sparse index'],
  ])('that is %s is not written, and nothing else is', async (_what, command, feature) => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'e/f/c.txt': 'c\n' });
    repo.git(...command);
    const session = await repo.session();
    const head = repo.git('rev-parse', 'HEAD');
    const error = await session
      .edit('str_replace', { path: 'd/b.txt', old_str: 'b', new_str: 'B' })
      .catch(error => error);
    expect(error).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY', data: { feature } });
    expect(repo.read('d/b.txt')).toBe('b\n');
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    repo.git('config', '--unset', 'vedit.trail');
    const beside = await repo.session('s1');
    expect(await codeOf(beside.edit('str_replace', { path: 'd/b.txt', old_str: 'b', new_str: 'B' }))).toBe(
      null,
    );
    expect(repo.git('show', 'vedit/main:d/b.txt')).toBe('B');
  });

  it.each(['2', '4'])('of version %s stays one, with its flags', async version => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.git('update-index', '--index-version', version);
    repo.git('update-index', '--assume-unchanged', 'b.txt');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await session.edit('create', { path: 'aa/c.txt', file_text: 'c\n' });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('ls-files', '-v')).toBe('H a.txt\nH aa/c.txt\nh b.txt');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('an entry of git add --intent-to-add is no empty file that somebody staged', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    for (const path of ['n.txt', 'gone.txt']) repo.write(path, 'n\n');
    repo.git('add', '-N', 'n.txt', 'gone.txt');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'n.txt', old_str: 'n', new_str: 'N' });
    await session.edit('delete', { path: 'gone.txt' });
    expect(repo.git('log', '--format=%s')).not.toContain('staged');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeEngineLock } from '../../src/fs/lock/engine-lock.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { initRepository } from '../../src/index.ts';
import { anotherProcess } from '../helpers/locks.ts';
import { codeOf, ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

/** A second work tree of the repository, on a branch of its own. */
function linked(repo: Place, name: string, ...options: string[]): Place {
  const dir = join(repo.dir, '..', name);
  repo.git('worktree', 'add', '-q', ...options, dir);
  return place(at(dir));
}

describe('linked work trees', () => {
  it('have a trail each, beside their branches, and edit at the same time', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const side = linked(repo, 'side', '-b', 'feature/x');
    const sessions = await Promise.all([repo.session('main'), side.session('side')]);
    const edits = sessions.flatMap((session, i) =>
      ['1', '2', '3'].map(n => session.edit('create', { path: `${i}-${n}.txt`, file_text: n })),
    );
    await Promise.all(edits);
    const count = (range: string): string => repo.git('rev-list', '--count', range);
    expect(count('main..vedit/main')).toBe('3');
    expect(count('feature/x..vedit/worktree/side')).toBe('3');
    expect(repo.git('rev-parse', 'feature/x')).toBe(repo.git('rev-parse', 'main'));
    expect(existsSync(repo.path('.git/worktrees/side/vedit/lock'))).toBe(false);
    expect(side.git('fsck', '--strict')).toBe('');
  });

  it('are not left behind by an edit in the bare repository that they belong to', async () => {
    const person = personRepo({ 'a.txt': 'a\n' });
    const bare = place(at(join(person.dir, '..', 'bare.git')));
    person.git('clone', '-q', '--bare', '.', bare.dir);
    const main = place(at(join(person.dir, '..', 'main-tree')));
    bare.git('worktree', 'add', '-q', main.dir, 'main');
    const before = bare.git('rev-parse', 'main');
    const create = { path: 'b.txt', file_text: 'b\n' };
    const refused = await (await bare.session()).edit('create', create).catch(error => error);
    expect(refused).toMatchObject({ code: 'CONFLICT', data: { branch: 'main' } });
    expect(refused.message).toContain(`main is checked out in another work tree, ${main.dir}, `);
    expect(bare.git('rev-parse', 'main')).toBe(before);
    expect(main.git('status', '--porcelain')).toBe('');
    await (await bare.session('s2', { trail: 'agents' })).edit('create', create);
    expect(bare.git('show', 'vedit/agents:b.txt')).toBe('b');
    main.git('switch', '-q', '-c', 'other');
    await (await bare.session('s3')).edit('create', create);
    expect(bare.git('show', 'main:b.txt')).toBe('b');
  });

  it('share one lock, and are told who of all holds it', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const side = linked(repo, 'side', '-b', 'side');
    await (await repo.session()).edit('create', { path: 'b.txt', file_text: 'b' });
    const folder = repo.path('.git/vedit');
    const lock = await takeEngineLock({ fs: nodeFs(), processes: anotherProcess(), folder, patience: 0 });
    for (const one of [repo, side]) {
      const session = await one.session('s', { patience: { engine: 50 } });
      expect(await codeOf(session.edit('create', { path: 'c.txt', file_text: 'c' }))).toBe('LOCKED');
      expect((await session.status()).data.locked_by).toMatchObject({ pid: process.pid });
    }
    await lock.release();
    const session = await side.session();
    await session.edit('create', { path: 'c.txt', file_text: 'c' });
    expect((await session.status()).data).toMatchObject({ locked_by: null, interrupted: false });
  });

  it('keep the refusals and the edit ids of each apart, and go with their own', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const side = linked(repo, 'side', '--detach');
    repo.git('checkout', '-q', '--detach');
    const options = { recordRefusals: true, trail: 'HEAD' };
    const sessions = [await repo.session('main', options), await side.session('side', options)];
    for (const [n, session] of sessions.entries()) {
      const edit = { path: 'new.txt', file_text: `${n}`, edit_id: 'one' };
      expect((await session.edit('create', edit)).data.repeated).toBeUndefined();
      expect(await codeOf(session.edit('delete', { path: `${n}.txt` }))).toBe('FILE_NOT_FOUND');
    }
    for (const [n, session] of sessions.entries()) {
      expect((await session.refusals()).map(({ path }) => path)).toEqual([`${n}.txt`]);
    }
    repo.git('worktree', 'remove', '--force', '../side');
    const [first] = sessions;
    expect((await first!.edit('create', { path: 'd.txt', file_text: 'd' })).data.commit).not.toBeNull();
  });

  it('keep the index of the right work tree in step', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const side = linked(repo, 'side', '-b', 'side');
    const index = readFileSync(repo.path('.git/index'));
    const session = await side.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    expect(side.git('status', '--porcelain')).toBe('');
    expect(side.git('log', '--format=%s', 'side')).toBe('str_replace a.txt (+1 -1)\nstart');
    expect(repo.git('log', '--format=%s', 'main')).toBe('start');
    expect(readFileSync(repo.path('.git/index')).equals(index)).toBe(true);
    expect(repo.read('a.txt')).toBe('a\n');
    expect(side.git('reflog', '-1', '--format=%gs')).toBe('vedit: str_replace a.txt (+1 -1)');
    await session.undo();
    expect(side.git('status', '--porcelain')).toBe('');
  });

  it('detached in two work trees, each trail is its own', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const two = linked(repo, 'two', '--detach');
    repo.git('checkout', '-q', '--detach');
    for (const tree of [repo, two])
      await (await tree.session()).edit('str_replace', {
        path: 'a.txt',
        old_str: 'a',
        new_str: tree.dir.slice(-3),
      });
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit')).toBe(
      'refs/vedit/main\nrefs/vedit/worktree/two',
    );
    expect(repo.git('show', 'vedit/worktree/two:a.txt')).toBe('two');
  });

  it('a config of the work tree alone counts there', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('config', 'extensions.worktreeConfig', 'true');
    const side = linked(repo, 'side', '-b', 'side');
    side.git('config', '--worktree', 'vedit.trail', 'HEAD');
    await (await side.session()).edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    expect(repo.git('log', '-1', '--format=%s', 'side')).toBe('str_replace a.txt (+1 -1)');
    expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('start');
    expect(repo.git('rev-parse', '-q', '--verify', 'vedit/main')).toMatch(/^[0-9a-f]{40}$/);
  });

  it('need no init, and a .git file that leads nowhere is said to', async () => {
    const side = linked(personRepo({ 'a.txt': 'a\n' }), 'side', '-b', 'side');
    const files = [readFileSync(side.path('.git'), 'utf8'), side.git('status', '--porcelain')];
    const gitDir = side.git('rev-parse', '--absolute-git-dir');
    expect(await initRepository({ root: side.dir })).toEqual({ created: false, gitDir });
    expect([readFileSync(side.path('.git'), 'utf8'), side.git('status', '--porcelain')]).toEqual(files);
    writeFileSync(side.path('.git'), 'gitdir: /nowhere\n');
    expect(await codeOf(initRepository({ root: side.dir }))).toBe('NOT_A_REPOSITORY');
  });

  it('a .git file that leads to a repository that does not lead back is refused', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    linked(repo, 'side', '-b', 'side');
    const thief = place(at(join(repo.dir, '..', 'side')));
    const elsewhere = personRepo({});
    writeFileSync(
      elsewhere.path('..', '.git'),
      `gitdir: ${thief.path('..', 'repo', '.git', 'worktrees', 'side')}\n`,
    );
    const error = await place(at(elsewhere.path('..')))
      .open()
      .catch(error => error);
    expect(error).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    expect(await codeOf(thief.open())).toBe(null);
  });
});

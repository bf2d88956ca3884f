import { existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initRepository, type LogEntry } from '../../src/index.ts';
import { codeOf, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

const EDIT = { path: 'a.txt', old_str: 'a', new_str: 'b' };

describe('a folder has one trail', () => {
  it.each(['x', 'refs/vedit/x', 'refs/heads/x', 'refs/tags/x', 'refs/stash', 'refs/vedit-kept/x', 'refs/'])(
    'and %s names none: nothing is read or written',
    async trail => {
      const repo = personRepo({ 'a.txt': 'a\n' });
      const error = await repo.session('s1', { trail }).catch(thrown => thrown);
      expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'trail' } });
      expect(error.message).toContain('HEAD');
      expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    },
  );

  it.each(['main', 'vedit/main', 'refs/vedit/main'])('which is the same as %s', async trail => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('switch', '-q', '-c', 'topic');
    const session = await repo.session('s1', { trail });
    await session.edit('str_replace', EDIT);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/')).toBe('refs/vedit/main');
    expect(
      repo.git('log', '-1', '--format=%(trailers:key=Vedit-Branch,valueonly)', 'vedit/main').trim(),
    ).toBe('topic');
  });

  it('whatever git’s config names', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('config', 'vedit.trail', 'mine');
    expect(await codeOf(repo.session())).toBe('INVALID_INPUT');
  });
});

describe('the trail of a linked work tree', () => {
  it('is its own, begins anew under a name that is used again, and the old one stays', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const add = (): Place => {
      const box = sandbox('side');
      rmSync(box.dir, { recursive: true });
      repo.git('worktree', 'add', '-q', '--detach', box.dir);
      return place(box);
    };
    const first = add();
    await (await first.session()).edit('str_replace', EDIT);
    await first.close();
    const id = repo.git('rev-parse', 'vedit/worktree/side');
    repo.git('worktree', 'remove', '--force', first.dir);
    repo.git('worktree', 'prune');
    const again = add();
    const session = await again.session();
    expect((await session.log()).data.entries).toEqual([]);
    await session.edit('str_replace', { ...EDIT, new_str: 'c' });
    await session.edit('str_replace', { ...EDIT, old_str: 'c', new_str: 'd' });
    expect((await session.log()).data.entries).toHaveLength(2);
    expect(repo.git('rev-parse', 'vedit/worktree/side.1')).toBe(id);
    const old = await repo.session('s9', { trail: 'worktree/side.1' });
    expect((await old.log()).data.entries).toHaveLength(1);
    expect(await codeOf(old.edit('str_replace', EDIT))).toBe('INVALID_INPUT');
  });
});

describe('a clone of a repository whose branch is the trail', () => {
  async function clone(from: Place, ...options: string[]): Promise<Place> {
    await from.close();
    const box = sandbox('clone');
    box.git('clone', '-q', ...options, from.dir, '.');
    return place(box);
  }

  async function logged(repo: Place): Promise<string[]> {
    const { data } = await (await repo.session()).log();
    return (data.entries as LogEntry[]).map(entry => entry.subject);
  }

  async function made(): Promise<Place> {
    const repo = place(sandbox());
    await initRepository({ root: repo.dir });
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
    await session.edit('str_replace', EDIT);
    return repo;
  }

  it('has its history, and goes on with it on the branch', async () => {
    const repo = await clone(await made());
    expect(await logged(repo)).toEqual(['str_replace a.txt (+1 -1)', 'create a.txt (+1 -0)']);
    expect(existsSync(repo.path('.git/vedit'))).toBe(false);
    await (await repo.session()).undo({ scope: 'trail' });
    expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('undo a.txt (+1 -1)');
    expect(repo.git('for-each-ref', 'refs/vedit/')).toBe('');
    expect(repo.git('status', '--short')).toBe('');
  });

  it('keeps its home when a person commits on top, for those that open it then', async () => {
    const repo = await clone(await made());
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'b', new_str: 'c' });
    await repo.close();
    repo.git('commit', '-q', '--allow-empty', '-m', 'by hand');
    expect(await logged(repo)).toHaveLength(4);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'c', new_str: 'd' });
    expect(repo.git('for-each-ref', 'refs/vedit/')).toBe('');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it.each(['a person’s commit', 'commits of a trail beside'])('is none where HEAD is %s', async what => {
    const from = personRepo({ 'a.txt': 'a\n' });
    await (await from.session()).edit('str_replace', EDIT);
    if (what !== 'a person’s commit') from.git('update-ref', 'refs/heads/main', 'vedit/main');
    const repo = await clone(from);
    await (await repo.session()).edit('create', { path: 'b.txt', file_text: 'b\n' });
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/')).toBe('refs/vedit/main');
  });
});

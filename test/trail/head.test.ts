import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initRepository, type LogEntry } from '../../src/index.ts';
import { codeOf, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

const EDIT = { path: 'a.txt', old_str: 'a', new_str: 'b' };

describe('a trail that is named', () => {
  it.each(['refs/heads/x', 'refs/tags/x', 'refs/stash', 'refs/vedit-kept/x', 'refs/'])(
    'cannot be %s, and nothing is written',
    async trail => {
      const repo = personRepo({ 'a.txt': 'a\n' });
      const session = await repo.session('s1', { trail });
      const error = await session.edit('str_replace', EDIT).catch(thrown => thrown);
      expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'trail' } });
      expect(error.message).toContain('below refs/vedit/');
      expect(error.message).toContain('Give "');
      expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
      expect(repo.read('a.txt')).toBe('a\n');
      expect(await codeOf(session.log())).toBe('INVALID_INPUT');
    },
  );

  it.each(['x', 'vedit/x', 'refs/vedit/x'])('is the same as %s', async trail => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session('s1', { trail });
    await session.edit('str_replace', EDIT);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/')).toBe('refs/vedit/x');
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

  it('obeys git config vedit.trail, as any other', async () => {
    const repo = await clone(await made(), '-c', 'vedit.trail=mine');
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'b', new_str: 'c' });
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/')).toBe('refs/vedit/mine');
  });

  it('says where the edits are when its newest commit is a person’s', async () => {
    const from = await made();
    await from.close();
    from.git('commit', '-q', '--allow-empty', '-m', 'by hand');
    const repo = await clone(from);
    const session = await repo.session();
    const words =
      'the branch main holds 2 edits in a.txt that were made on it (vedit log --trail HEAD; git config vedit.trail HEAD goes on with them)';
    expect((await session.log()).message).toContain(words);
    expect((await session.status()).data.elsewhere).toMatchObject([{ edits: 2, paths: ['a.txt'] }]);
    await expect(session.undo()).rejects.toMatchObject({ message: expect.stringContaining(words) });
    repo.git('config', 'vedit.trail', 'HEAD');
    expect((await (await repo.session()).status()).data.elsewhere).toEqual([]);
    expect(await logged(repo)).toHaveLength(3);
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

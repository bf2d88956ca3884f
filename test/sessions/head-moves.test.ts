/** The person commits, switches, resets, rebases, stashes and cherry-picks while an agent's session goes on. */

import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/index.ts';
import { filesEqual, type Place, personRepo } from '../helpers/person-repo.ts';

const lines = (n: number): string => Array.from({ length: n }, (_, i) => `${i + 1}\n`).join('');

async function subjects(session: Awaited<ReturnType<Place['session']>>): Promise<string[]> {
  const entries = (await session.log()).data.entries as LogEntry[];
  return entries.map(entry => `${entry.op}${entry.status.now === 'taken back' ? ' (undone)' : ''}`);
}

function start(): Place {
  return personRepo({ 'a.txt': lines(12), 'b.txt': 'b\n' });
}

const edit = (n: number, word: string) => ({ path: 'a.txt', old_str: `\n${n}\n`, new_str: `\n${word}\n` });

describe('HEAD moves under a session', () => {
  it('the person commits the agent’s work: nothing is left over, and undo still works', async () => {
    const repo = start();
    const session = await repo.session();
    await session.edit('str_replace', edit(3, 'three'));
    repo.git('commit', '-qam', 'mine now');
    expect((await session.status()).data).toMatchObject({ behind_head: true, outside: [] });
    await session.edit('str_replace', edit(6, 'six'));
    expect(await subjects(session)).toEqual(['str_replace', 'head', 'str_replace']);
    expect(repo.git('diff', '--stat', 'main', 'vedit/main')).toContain('1 insertion(+), 1 deletion(-)');
    await session.undo({ count: 2 });
    expect(repo.read('a.txt')).toBe(lines(12));
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('a branch is switched in the middle: what went with the other one is away', async () => {
    const repo = start();
    const session = await repo.session();
    await session.edit('str_replace', edit(3, 'three'));
    repo.git('stash', '-q');
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('a.txt', lines(12).replace('9\n', 'side nine\n'));
    repo.git('commit', '-qam', 'side');
    await session.edit('str_replace', edit(6, 'six'));
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit')).toBe('refs/vedit/main');
    expect(await subjects(session)).toEqual(['str_replace', 'head', 'str_replace']);
    await session.undo();
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.git('checkout', '-q', 'main');
    repo.git('stash', 'pop', '-q');
    await session.undo();
    expect(repo.read('a.txt')).toBe(lines(12));
    const undone = 'str_replace (undone)';
    expect(await subjects(session)).toEqual(['undo', 'outside', 'head', 'undo', undone, 'head', undone]);
  });

  it('the person throws the agent’s work away with reset --hard: the next edit is about what is there', async () => {
    const repo = start();
    const session = await repo.session();
    const lost = await session.edit('str_replace', edit(3, 'three'));
    repo.git('reset', '-q', '--hard');
    expect((await session.status()).data).toMatchObject({ outside: [], taken_back: 1 });
    const { data } = await session.edit('str_replace', edit(6, 'six'));
    expect(data.outside?.paths).toEqual(['a.txt']);
    expect(repo.read('a.txt')).toBe(lines(12).replace('6\n', 'six\n'));
    expect(repo.git('show', `${lost.data.commit}:a.txt`)).toContain('three');
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
  });

  it('reset to an older commit, then an edit', async () => {
    const repo = start();
    repo.write('b.txt', 'b2\n');
    repo.git('commit', '-qam', 'second');
    const session = await repo.session();
    await session.edit('str_replace', edit(3, 'three'));
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    await session.edit('str_replace', edit(6, 'six'));
    expect(repo.read('a.txt')).toBe(lines(12).replace('6\n', 'six\n'));
    expect(repo.git('show', 'vedit/main:b.txt')).toBe('b');
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    await session.undo();
    expect(repo.read('a.txt')).toBe(lines(12));
  });

  it('a rebase of the branch', async () => {
    const repo = start();
    repo.git('checkout', '-q', '-b', 'topic');
    repo.write('c.txt', 'c\n');
    repo.git('add', 'c.txt');
    repo.git('commit', '-qm', 'topic');
    repo.git('checkout', '-q', 'main');
    repo.write('b.txt', 'b from main\n');
    repo.git('commit', '-qam', 'main goes on');
    repo.git('checkout', '-q', 'topic');
    const session = await repo.session();
    await session.edit('str_replace', edit(3, 'three'));
    repo.git('stash', '-q');
    repo.git('rebase', '-q', 'main');
    repo.git('stash', 'pop', '-q');
    await session.edit('str_replace', edit(6, 'six'));
    expect(repo.git('show', 'vedit/main:b.txt')).toBe('b from main');
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    await session.undo({ count: 2 });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('an edit is cherry-picked from the trail onto the branch', async () => {
    const repo = start();
    const session = await repo.session();
    const first = await session.edit('str_replace', edit(3, 'three'));
    await session.edit('str_replace', edit(9, 'nine'));
    repo.git('stash', '-q');
    repo.git('cherry-pick', first.data.commit!);
    repo.git('stash', 'pop', '-q');
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Op,valueonly)').trim()).toBe('str_replace');
    await session.edit('str_replace', edit(6, 'six'));
    expect(repo.read('a.txt')).toBe(
      lines(12).replace('3\n', 'three\n').replace('6\n', 'six\n').replace('9\n', 'nine\n'),
    );
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    await session.undo({ count: 3 });
    expect(repo.read('a.txt')).toBe(lines(12));
  });

  it('the person merges the trail into the branch: it has landed, and no sync is needed', async () => {
    const repo = start();
    const session = await repo.session();
    await session.edit('str_replace', edit(3, 'three'));
    repo.git('stash', '-q');
    repo.git('merge', '-q', '--ff-only', 'vedit/main');
    repo.git('stash', 'drop', '-q');
    await session.edit('str_replace', edit(6, 'six'));
    expect(await subjects(session)).toEqual(['str_replace', 'str_replace']);
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt');
  });
});

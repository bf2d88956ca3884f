import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../src/index.ts';
import { LINES } from '../../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

async function edited(repo: Place, path: string, from: string, to: string, trail?: string): Promise<void> {
  const session = await repo.session('s1', trail === undefined ? {} : { trail });
  await session.edit('str_replace', { path, old_str: from, new_str: to });
}

/** On main: agents’ edits of two files that are not committed. */
async function worked(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': LINES });
  await edited(repo, 'a.txt', 'one', 'ONE');
  await edited(repo, 'b.txt', 'two', 'TWO');
  return repo;
}

/** The short name of the trail that is continued. */
async function continued(repo: Place, root = repo.dir): Promise<string | null> {
  const session = (await repo.open({ root })).session();
  return (await session.status()).data.continues?.replace('refs/vedit/', '') ?? null;
}

async function logged(repo: Place): Promise<number> {
  return ((await (await repo.session()).log()).data.entries as LogEntry[]).length;
}

describe('a trail begins anew', () => {
  it('where the work was put aside, and continues when it comes back', async () => {
    const repo = await worked();
    repo.git('stash', '-q');
    repo.git('switch', '-q', '-c', 'feature');
    expect([await continued(repo), await logged(repo)]).toEqual([null, 0]);
    repo.git('stash', 'pop', '-q');
    expect([await continued(repo), await logged(repo)]).toEqual(['main', 2]);
  });

  it('where the person took all of it back by hand', async () => {
    const repo = await worked();
    repo.git('checkout', '-q', '.');
    repo.write('a.txt', LINES.replace('four', 'mine'));
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe(null);
  });

  it('in another work tree, whose files know nothing of it', async () => {
    const repo = await worked();
    repo.git('worktree', 'add', '-q', '-b', 'feature', '../linked');
    expect(await continued(repo, repo.path('../linked'))).toBe(null);
  });

  it('where it was picked by its name', async () => {
    const repo = await worked();
    const session = await repo.session('s1', { trail: 'mine' });
    expect((await session.status()).data).toMatchObject({ trail: 'refs/vedit/mine', continues: null });
  });

  it('on a branch without commits', async () => {
    const repo = await worked();
    repo.git('checkout', '-q', '--orphan', 'fresh');
    expect(await continued(repo)).toBe(null);
  });

  it('where two trails each know work that the other does not, and git does not say which was left', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    await edited(repo, 'a.txt', 'one', 'ONE');
    await edited(repo, 'b.txt', 'two', 'TWO', 'mine');
    repo.git('switch', '-q', '-c', 'feature');
    rmSync(repo.path('.git/logs/HEAD'));
    expect(await continued(repo)).toBe(null);
    const { elsewhere } = (await (await repo.session()).status()).data;
    expect(elsewhere.map(({ trail, paths }) => [trail, paths])).toEqual(
      expect.arrayContaining([
        ['refs/vedit/main', ['a.txt']],
        ['refs/vedit/mine', ['b.txt']],
      ]),
    );
  });

  it('where several branches that landed were merged, of which none grew from the others', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    for (const [branch, path] of [
      ['one', 'a.txt'],
      ['two', 'b.txt'],
    ] as const) {
      repo.git('switch', '-q', '-c', branch, 'main');
      await edited(repo, path, 'one', 'ONE');
      repo.git('commit', '-qam', branch);
    }
    repo.git('switch', '-q', 'main');
    repo.git('merge', '-q', 'one', 'two');
    expect(await continued(repo)).toBe(null);
  });

  it('where the branch is the trail', async () => {
    const repo = ownRepo({ 'a.txt': LINES });
    await edited(repo, 'a.txt', 'one', 'ONE');
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe(null);
    expect(await logged(repo)).toBe(2);
  });
});

describe('a trail continues another one', () => {
  it('when the branch was renamed, however far it has come since', async () => {
    const repo = await worked();
    repo.git('commit', '-qam', 'all');
    repo.write('a.txt', 'quite another text\n');
    repo.git('commit', '-qam', 'another');
    repo.git('branch', '-m', 'trunk');
    repo.git('branch', '-m', 'trunk', 'master');
    expect([await continued(repo), await logged(repo)]).toEqual(['main', 2]);
    await edited(repo, 'c.txt', 'three', 'THREE');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('but not when there is a branch of the old name again', async () => {
    const repo = await worked();
    repo.git('commit', '-qam', 'all');
    repo.write('a.txt', 'quite another text\n');
    repo.git('commit', '-qam', 'another');
    repo.git('branch', '-m', 'trunk');
    repo.git('branch', 'main', 'HEAD~2');
    expect(await continued(repo)).toBe(null);
  });

  it('when the person kept some of it and changed the rest', async () => {
    const repo = await worked();
    repo.git('checkout', '-q', 'b.txt');
    repo.write('a.txt', `${repo.read('a.txt').replace('four', 'mine')}`);
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe('main');
    await edited(repo, 'a.txt', 'six', 'SIX');
    const { data } = await (await repo.session()).blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent, author }) => agent ?? author)).toEqual([
      'claude',
      'Ada',
      'Ada',
      'outside',
      'Ada',
      'claude',
      'Ada',
    ]);
    expect(data.lines[3]).toMatchObject({ op: 'outside', text: 'mine' });
  });

  it('of two, the one that knows more of what is in the files', async () => {
    const repo = await worked();
    repo.git('checkout', '-q', '--detach');
    await edited(repo, 'b.txt', 'three', 'THREE');
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe('detached');
  });

  it('of two that each know other work, the one of the branch that was left', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    await edited(repo, 'a.txt', 'one', 'ONE');
    await edited(repo, 'b.txt', 'two', 'TWO', 'mine');
    repo.git('switch', '-q', '-c', 'between');
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe('main');
    const { elsewhere } = (await (await repo.session()).status()).data;
    expect(elsewhere).toMatchObject([{ trail: 'refs/vedit/mine', paths: ['b.txt'] }]);
  });

  it('of two whose work was committed, the one of the branch that this one was made from', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    repo.git('switch', '-q', '-c', 'old');
    await edited(repo, 'b.txt', 'one', 'ONE');
    repo.git('commit', '-qam', 'old');
    repo.git('switch', '-q', 'main');
    repo.git('merge', '-q', 'old');
    await edited(repo, 'a.txt', 'one', 'ONE', 'refs/vedit/main');
    repo.git('switch', '-q', '-c', 'feature');
    repo.git('commit', '-qam', 'all');
    expect(await continued(repo)).toBe('main');
  });

  it('of two, not the one whose further work is not there', async () => {
    const repo = await worked();
    repo.git('checkout', '-q', '--detach');
    await edited(repo, 'c.txt', 'three', 'THREE');
    repo.git('checkout', '-q', 'c.txt');
    repo.git('switch', '-q', '-c', 'feature');
    expect(await continued(repo)).toBe('main');
  });

  it('when its sum is nothing and HEAD is where it was: what was undone can be put back', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await session.undo();
    repo.git('switch', '-q', '-c', 'feature');
    await (await repo.session()).redo();
    expect(repo.read('a.txt')).toBe(LINES.replace('one', 'ONE'));
  });

  it('where the text of the branch differs elsewhere in the tree', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    repo.git('switch', '-q', '-c', 'other');
    repo.write('b.txt', 'b of other\n');
    repo.git('commit', '-qam', 'other');
    repo.git('switch', '-q', 'main');
    await edited(repo, 'a.txt', 'one', 'ONE');
    repo.git('switch', '-q', 'other');
    await edited(repo, 'a.txt', 'two', 'TWO');
    expect(repo.git('show', 'vedit/other:b.txt')).toBe('b of other');
    expect(repo.git('log', '--first-parent', '--format=%s', '-3', 'vedit/other').split('\n')).toEqual([
      'str_replace a.txt (+1 -1)',
      expect.stringMatching(/^your commit /),
      'str_replace a.txt (+1 -1)',
    ]);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });
});

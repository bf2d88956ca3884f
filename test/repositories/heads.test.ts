import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

const edit = (repo: Place, from: string, to: string): Promise<unknown> =>
  repo.session().then(session => session.edit('str_replace', { path: 'a.txt', old_str: from, new_str: to }));

function unborn(own: boolean): Place {
  const repo = place(sandbox());
  repo.git('init', '-q', '-b', 'main');
  if (own) repo.git('config', 'vedit.trail', 'HEAD');
  return repo;
}

describe('HEAD', () => {
  it('detached, on the branch: the edits follow HEAD, and no branch moves', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.git('checkout', '-q', '--detach');
    await edit(repo, 'a', 'b');
    await edit(repo, 'b', 'c');
    expect(repo.git('log', '--format=%s', 'HEAD').split('\n')).toHaveLength(3);
    expect(repo.git('log', '--format=%s', 'main')).toBe('start');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('reflog', '-1', '--format=%gs')).toBe('vedit: str_replace a.txt (+1 -1)');
    await (await repo.session('other')).undo({ scope: 'trail' });
    expect(repo.read('a.txt')).toBe('b\n');
    repo.git('checkout', '-q', 'main');
    expect(repo.read('a.txt')).toBe('a\n');
  });

  it('on an unborn branch beside which a trail begins: it joins the first commit when that comes', async () => {
    const repo = unborn(false);
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
    expect(repo.git('log', '--format=%s', 'vedit/main')).toBe('create a.txt (+1 -0)');
    repo.write('b.txt', 'b\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'first');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    expect(repo.git('ls-tree', '--name-only', 'vedit/main')).toBe('a.txt\nb.txt');
    expect(repo.git('merge-base', 'main', 'vedit/main')).toBe(repo.git('rev-parse', 'main'));
    await session.undo({ count: 2 });
    expect(repo.git('status', '--porcelain')).toBe(' D a.txt');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('on an unborn branch that is the trail: the first edit is its first commit', async () => {
    const repo = unborn(true);
    repo.write('staged.txt', 'staged\n');
    repo.git('add', 'staged.txt');
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
    expect(repo.git('ls-tree', '--name-only', 'main')).toBe('a.txt');
    expect(repo.git('status', '--porcelain')).toBe('A  staged.txt');
    expect(repo.git('log', '--format=%P', 'main')).toBe('');
    await session.undo();
    expect(repo.git('ls-tree', '--name-only', 'main')).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('A  staged.txt');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it.each(['feature/long/name', 'ünï', 'a.b-c_d', 'HEADS'])('on a branch called %s', async branch => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('checkout', '-q', '-b', branch);
    await edit(repo, 'a', 'b');
    expect(repo.git('show', 'vedit/main:a.txt')).toBe('b');
    const named = repo.git('log', '-1', '--format=%(trailers:key=Vedit-Branch,valueonly)', 'vedit/main');
    expect(named.trim()).toBe(branch);
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('that changes between two edits is what the next one names', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    repo.git('checkout', '-q', '-f', '-b', 'side');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'side' });
    expect(repo.git('show', 'vedit/main:a.txt')).toBe('side');
    const named = repo.git('log', '--format=%(trailers:key=Vedit-Branch,valueonly)', 'main..vedit/main');
    expect(named.split('\n').filter(Boolean)).toEqual(['side', 'side', 'main']);
  });
});

describe('packed refs', () => {
  it.each([
    ['beside the branch', personRepo, 'vedit/main'],
    ['on the branch', ownRepo, 'main'],
  ] as const)('%s: read, overridden by the next edit, and packed again', async (_where, make, trail) => {
    const repo = make({ 'a.txt': '0\n' });
    repo.git('tag', '-a', '-m', 'a tag', 'v1');
    for (let n = 0; n < 4; n++) {
      await edit(repo, `${n}`, `${n + 1}`);
      repo.git('pack-refs', '--all', n % 2 === 0 ? '--prune' : '--no-prune');
    }
    expect(repo.git('rev-list', '--count', trail)).toBe('5');
    expect(repo.git('show', `${trail}:a.txt`)).toBe('4');
    expect(repo.git('rev-parse', 'v1^{commit}')).toBe(repo.git('rev-parse', `${trail}~4`));
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('a torn or empty ref is damage, never a new beginning', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edit(repo, 'a', 'b');
    const head = repo.read('.git/refs/vedit/main');
    for (const text of ['', '\n', head.slice(0, 20), 'x'.repeat(40)]) {
      repo.write('.git/refs/vedit/main', text);
      expect(await codeOf(edit(repo, 'b', 'c'))).toBe('CORRUPT');
      expect(repo.read('a.txt')).toBe('b\n');
      expect(repo.read('.git/refs/vedit/main')).toBe(text);
    }
  });
});

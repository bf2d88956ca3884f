import { describe, expect, it } from 'vitest';
import type { TrailInfo } from '../../src/queries/trails.ts';
import { git } from '../helpers/landing.ts';
import { ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

const LINES = 'one\ntwo\nthree\n';

async function listed(repo: Place): Promise<TrailInfo[]> {
  return (await (await repo.open()).trails()).data.trails;
}

describe('trails', () => {
  it('lists each trail with who worked on it and whether it landed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const now = (): Date => new Date('2026-11-20T12:00:00Z');
    const first = await repo.session('s1', { now });
    await first.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await (await repo.session('s2', { now })).edit('create', { path: 'n.txt', file_text: 'n\n' });
    repo.git('worktree', 'add', '-q', '--detach', '../side');
    const tree = place(at(repo.path('..', 'side')));
    await (await tree.session('s3', { now })).edit('create', { path: 'm.txt', file_text: 'm\n' });
    await first.undo();
    const [main, side] = await listed(repo);
    expect(main).toEqual({
      ref: 'refs/vedit/main',
      name: 'vedit/main',
      head: repo.git('rev-parse', 'vedit/main'),
      current: true,
      checked_out: false,
      edits: 2,
      more: false,
      last: '2026-11-20T12:00:00.000Z',
      sessions: ['s1', 's2'],
      agents: ['claude'],
      branch: 'main',
      left: 1,
      left_more: false,
    });
    expect(side).toMatchObject({ name: 'vedit/worktree/side', current: false, branch: null, left: 1 });
    await (await repo.open()).land({ git });
    expect((await listed(repo)).map(one => one.left)).toEqual([0, 1]);
  });

  it('takes an edit for landed that the person committed himself, or that was merged', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('commit', '-qam', 'by hand');
    expect((await listed(repo))[0]).toMatchObject({ left: 0 });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    expect((await listed(repo))[0]).toMatchObject({ left: 1, edits: 2 });
    repo.git('reset', '-q', '--soft', 'vedit/main');
    expect((await listed(repo))[0]).toMatchObject({ left: 0 });
  });

  it('takes for landed what a branch landed that was merged and is gone', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('checkout', '-q', '-b', 'topic');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await (await repo.open()).land({ git });
    repo.git(
      'commit',
      '-q',
      '--amend',
      '-m',
      `squashed\n\n    ${repo.git('log', '-1', '--format=%B').replaceAll('\n', '\n    ')}`,
    );
    repo.git('checkout', '-q', 'main');
    repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'topic');
    repo.git('branch', '-q', '-D', 'topic');
    repo.write('a.txt', 'all new\n');
    repo.git('commit', '-qam', 'later');
    expect((await listed(repo))[0]).toMatchObject({ name: 'vedit/main', branch: 'topic', left: 0 });
  });

  it('shows the checked-out branch where that is the trail, and none where there is none', async () => {
    const repo = ownRepo({ 'a.txt': LINES });
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    expect(await listed(repo)).toMatchObject([
      { name: 'main', checked_out: true, current: true, edits: 1, left: 0 },
    ]);
    const empty = personRepo({});
    expect(await (await empty.open()).trails()).toEqual({
      message: 'There is no history yet.',
      data: { trails: [] },
    });
  });
});

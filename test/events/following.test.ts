/** Followers: told as things happen, whatever git does to the refs meanwhile. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../src/git/native/platform.ts';
import { openWorkspace } from '../../src/index.ts';
import { openOn } from '../../src/workspace/open.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';
import { all, commits, Follower } from './follower.ts';

describe('a follower', () => {
  it('hears of edits of another workspace, and where it begins', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'old.txt', file_text: 'x\n' });
    const follower = new Follower(await repo.open());
    await follower.until(events => events.length > 0);
    expect(follower.events[0]).toMatchObject({ kind: 'following', durable: false, commit: null });
    const done = await session.edit('create', { path: 'new.txt', file_text: 'x\n' });
    const events = await follower.until(list => list.length > 1);
    expect(commits(events)).toEqual([done.data.commit]);
    await repo.close();
  });

  it('is not disturbed by git pack-refs, by switches of the branch, nor by a repository that cannot be watched', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const platform = await nodePlatform();
    const fs = Object.create(platform.fs, { watch: { value: undefined } });
    const blind = await openOn({ ...platform, fs }, { root: repo.dir });
    const followers = [new Follower(blind), new Follower(await repo.open())];
    for (const one of followers) await one.until(() => one.begun);
    const made: string[] = [];
    const edit = async (path: string): Promise<void> => {
      const session = await repo.session();
      made.push((await session.edit('create', { path, file_text: 'x\n' })).data.commit!);
    };
    await edit('one.txt');
    repo.git('pack-refs', '--all');
    await edit('two.txt');
    repo.git('switch', '-qc', 'other');
    await edit('three.txt');
    repo.git('pack-refs', '--all', '--prune');
    repo.git('switch', '-q', 'main');
    await edit('four.txt');
    for (const one of followers) {
      await one.until(events => commits(events).length >= made.length);
      await sleep(50);
      expect(commits(one.events).sort()).toEqual([...made].sort());
    }
    await blind.close();
    await repo.close();
  });

  it('is told of edits in linked work trees, attached and detached, on trails and on the branch itself', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    repo.git('worktree', 'add', '-q', '-b', 'linked', repo.path('..', 'linked'));
    repo.git('worktree', 'add', '-q', '--detach', repo.path('..', 'detached'));
    const follower = new Follower(await repo.open());
    await follower.until(() => follower.begun);
    const made: string[] = [];
    for (const [folder, trail] of [
      ['linked', undefined],
      ['detached', undefined],
      ['linked', 'HEAD'],
      ['detached', 'HEAD'],
    ] as const) {
      const workspace = await openWorkspace({
        root: repo.path('..', folder),
        trail,
        user: { name: 'Ada', email: 'a@b.c' },
      });
      const path = `${folder}-${trail}.txt`;
      const { commit } = (await workspace.session().edit('create', { path, file_text: 'x\n' })).data;
      made.push(commit!);
      await workspace.close();
    }
    const events = await follower.until(list => commits(list).length >= made.length);
    expect(commits(events).sort()).toEqual([...made].sort());
    expect(
      events
        .slice(1)
        .map(({ ref }) => ref)
        .sort(),
    ).toEqual([
      'refs/heads/linked',
      'refs/vedit/worktree/detached',
      'refs/vedit/worktree/linked',
      'worktrees/detached/HEAD',
    ]);
    await repo.close();
  });

  it('is told of refs that are deleted and rewound, and of no commit again', async () => {
    const repo = ownRepo({ 'a.txt': '0\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'one.txt', file_text: 'x\n' });
    const second = (await session.edit('create', { path: 'two.txt', file_text: 'x\n' })).data.commit!;
    const workspace = await repo.open();
    const at = (await all(workspace)).at(-1)!.cursor;
    repo.git('branch', 'copy');
    repo.git('commit', '-q', '--amend', '-m', 'amended');
    const amended = repo.git('rev-parse', 'HEAD');
    const events = await all(workspace, at);
    expect(events.map(({ kind, commit }) => [kind, commit])).toEqual([
      ['rewound', second],
      ['commit', amended],
    ]);
    expect((await all(workspace, events[0]!.cursor)).map(({ commit }) => commit)).toEqual([amended]);
    // Back to what was told before: the ref is told of, its commits are not.
    repo.git('reset', '-q', '--hard', second);
    const back = await all(workspace, events[1]!.cursor);
    expect(back.map(({ kind, commit }) => [kind, commit])).toEqual([['rewound', amended]]);
    repo.git('switch', '-q', '--detach');
    repo.git('branch', '-D', 'main', '-q');
    const gone = await all(workspace, back[0]!.cursor);
    expect(gone.map(({ kind, ref, commit }) => [kind, ref, commit])).toEqual([
      ['deleted', 'refs/heads/main', second],
    ]);
    repo.git('branch', 'main', second);
    repo.git('switch', '-q', 'main');
    expect(await all(workspace, gone[0]!.cursor)).toEqual([]);
    await repo.close();
  });

  it('is told of a trail that was deleted and begun anew', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const session = await repo.session();
    const first = (await session.edit('create', { path: 'one.txt', file_text: 'x\n' })).data.commit!;
    const follower = new Follower(await repo.open());
    await follower.until(() => follower.begun);
    repo.git('update-ref', '-d', 'refs/vedit/main');
    await follower.until(events => events.some(({ kind }) => kind === 'deleted'));
    const again = (await session.edit('create', { path: 'two.txt', file_text: 'x\n' })).data.commit!;
    const events = await follower.until(list => list.some(({ commit }) => commit === again));
    expect(events.filter(({ kind }) => kind === 'deleted').map(({ commit }) => commit)).toEqual([first]);
    expect(commits(events)).not.toContain(first);
    await repo.close();
  });

  it('is told of refusals where they are kept, as what may be missed', async () => {
    const repo = personRepo({ 'a.txt': 'x x\n' });
    const session = await repo.session('s1', { recordRefusals: true });
    const follower = new Follower(await repo.open());
    await follower.until(() => follower.begun);
    const call = session.edit('str_replace', { path: 'a.txt', old_str: 'x', new_str: 'y' });
    await expect(call).rejects.toMatchObject({ code: 'AMBIGUOUS' });
    const events = await follower.until(list => list.length > 1);
    expect(events[1]).toMatchObject({
      kind: 'refusal',
      durable: false,
      code: 'AMBIGUOUS',
      op: 'str_replace',
      session: 's1',
      agent: 'claude',
      paths: ['a.txt'],
    });
    await repo.close();
  });

  it('ends with its signal, with the workspace, and when it stops, and leaves nothing behind', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'one.txt', file_text: 'x\n' });
    const workspace = await openWorkspace({ root: repo.dir });
    const resources = (): string[] =>
      process.getActiveResourcesInfo().filter(one => one === 'FSEventWrap' || one === 'Timeout');
    const before = resources().length;
    const aborted = new Follower(workspace);
    await aborted.until(() => aborted.begun);
    await aborted.end();
    for await (const _ of workspace.events({ follow: true })) break;
    const signal = AbortSignal.abort();
    for await (const _ of workspace.events({ follow: true, signal })) expect.unreachable();
    const closed = new Follower(workspace);
    await closed.until(() => closed.begun);
    await workspace.close();
    await closed.end();
    expect(resources().length).toBeLessThanOrEqual(before);
    await repo.close();
  });
});

it('a slow reader is answered from its place, in full', async () => {
  const repo = personRepo({ 'a.txt': '0\n' });
  const session = await repo.session();
  const reader = (await repo.open()).events({ follow: true });
  await reader.next();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    made.push((await session.edit('create', { path: `${n}.txt`, file_text: 'x\n' })).data.commit!);
    if (n === 2) repo.git('pack-refs', '--all');
  }
  const got: string[] = [];
  for (let n = 0; n < 5; n++) got.push((await reader.next()).value.commit);
  expect(got).toEqual(made);
  await reader.return?.();
  await repo.close();
});

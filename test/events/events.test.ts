/** Events of all processes: each commit exactly once, parents first, from any cursor on. */

import { describe, expect, it } from 'vitest';
import type { WorkspaceEvent } from '../../src/index.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';
import { all, commits, onTrail } from './follower.ts';

describe('all there is', () => {
  it('is each commit of the trail, oldest first, with who, what and why', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two', reason: 'why' });
    repo.write('a.txt', 'three\n');
    await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: 'four' });
    await session.undo();
    const workspace = await repo.open();
    const events = await all(workspace);
    expect(commits(events)).toEqual(onTrail(repo, 'refs/vedit/main', 'main'));
    expect(events.map(({ kind, op, ref, trail, durable }) => [kind, op, ref, trail, durable])).toEqual([
      ['edit', 'str_replace', 'refs/vedit/main', 'vedit/main', true],
      ['edit', 'create', 'refs/vedit/main', 'vedit/main', true],
      ['outside', 'outside', 'refs/vedit/main', 'vedit/main', true],
      ['edit', 'str_replace', 'refs/vedit/main', 'vedit/main', true],
      ['undo', 'undo', 'refs/vedit/main', 'vedit/main', true],
    ]);
    expect(events[0]).toMatchObject({
      session: 's1',
      agent: 'claude',
      model: 'm1',
      person: null,
      reason: 'why',
      paths: ['a.txt'],
      subject: 'why (a.txt)',
    });
    await repo.close();
  });

  it('goes on after any event, as often as one begins anew', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const session = await repo.session();
    const workspace = await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } });
    for (let n = 0; n < 4; n++)
      await session.edit('str_replace', { path: 'a.txt', old_str: `${n}\n`, new_str: `${n + 1}\n` });
    // A person's commit, which the next edit joins, and a landing.
    repo.write('c.txt', 'c\n');
    repo.git('add', 'c.txt');
    repo.git('commit', '-qm', 'mine');
    await session.edit('str_replace', { path: 'a.txt', old_str: '4\n', new_str: '5\n' });
    await workspace.land({ message: 'Landed' });
    const whole = await all(workspace);
    expect(new Set(commits(whole)).size).toBe(whole.length);
    expect(whole.filter(({ kind }) => kind === 'land').map(({ subject }) => subject)).toEqual(['Landed']);
    const known = new Set(commits(whole));
    for (const one of onTrail(repo, 'refs/vedit/main', 'main')) expect(known).toContain(one);
    for (const [at, { cursor }] of whole.entries())
      expect(
        (await all(workspace, cursor)).map(one => one.commit),
        `after ${at}`,
      ).toEqual(whole.slice(at + 1).map(one => one.commit));
    await repo.close();
  });

  it('is told of each side of a merge before the merge, whatever the clocks said, from any cursor', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const at = (await all(workspace)).at(-1)!.cursor;
    repo.git('switch', '-qc', 'side');
    for (const name of ['s1', 's2']) repo.git('commit', '-q', '--allow-empty', '-m', name);
    repo.git('switch', '-q', 'main');
    for (const name of ['m1', 'm2']) repo.git('commit', '-q', '--allow-empty', '-m', name);
    repo.git('merge', '-q', '--no-ff', '-m', 'both', 'side');
    const events = await all(workspace, at);
    expect(events.map(one => one.subject).sort()).toEqual(['both', 'm1', 'm2']);
    for (const { cursor } of events) {
      const index = events.findIndex(one => one.cursor === cursor);
      const rest = await all(workspace, cursor);
      expect(rest.map(one => one.commit)).toEqual(events.slice(index + 1).map(one => one.commit));
    }
    await repo.close();
  });

  it('refuses what is not a cursor', async () => {
    const repo = personRepo({});
    const workspace = await repo.open();
    for (const since of ['', 'v1.', 'v1.!!', 'HEAD~1', `v1.${btoa('1\n\nabc refs/x')}`])
      await expect(all(workspace, since)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(all(workspace, 'HEAD')).rejects.toThrow(/`start` for all there is/);
    await repo.close();
  });
});

describe.each([
  ['beside the branch', personRepo, 'refs/vedit/main'],
  ['that is the checked-out branch', ownRepo, 'refs/heads/main'],
])('a review of a trail %s', (_, make, ref) => {
  it('is told as one, with what was done, and the edits as edits', async () => {
    const repo = make({ 'a.txt': 'one\n' });
    const told: unknown[] = [];
    const user = { name: 'Ada', email: 'ada@example.com' };
    const onEvent = (event: WorkspaceEvent): void => {
      if (event.kind === 'review')
        told.push([
          event.op,
          event.paths,
          event.files.map(({ path }) => repo.read(path)),
          event.person?.name,
        ]);
    };
    const workspace = await repo.open({ user, onEvent });
    const session = workspace.session({ id: 's1', agent: 'fixer' });
    await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
    await workspace.accept({ path: 'n.txt' });
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    await workspace.reject({ path: 'a.txt', dryRun: true }).catch(() => {});
    await workspace.unreview();
    await workspace.unreview();
    const events = await all(workspace);
    const review = repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit-review');
    const edits = events.filter(one => one.ref === ref && one.kind !== 'commit');
    expect(edits.map(({ kind, op, subject }) => [kind, op, subject])).toEqual([
      ['edit', 'create', 'create n.txt (+1 -0)'],
      ['edit', 'str_replace', 'str_replace a.txt (+1 -1)'],
      ['review', 'reject', 'reject a.txt (+1 -1)'],
      ['review', 'unreject', 'unreject a.txt (+1 -1)'],
    ]);
    const reviews = events.filter(one => one.ref === review);
    expect(reviews.map(({ kind, op, paths }) => [kind, op, paths])).toEqual([
      ['review', 'accept', ['n.txt']],
      ['review', 'unaccept', []],
    ]);
    expect(told).toEqual([
      ['accept', ['n.txt'], [], 'Ada'],
      ['reject', ['a.txt'], ['one\n'], 'Ada'],
      ['unreject', ['a.txt'], ['two\n'], 'Ada'],
      ['unaccept', [], [], 'Ada'],
    ]);
    await repo.close();
  });
});

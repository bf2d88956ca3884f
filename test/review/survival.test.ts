/** What a reviewer accepted and rejected stays, whatever becomes of the branch, the trail and the objects. */

import { describe, expect, it } from 'vitest';
import { systemGit, type Workspace } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

interface Scene {
  repo: Place;
  /** Opened anew for each question: nothing of it is in memory. */
  open(): Promise<Workspace>;
  edit(old: string, text: string): Promise<unknown>;
  left(): Promise<string[][]>;
}

/** Of three edits the first is accepted, the second rejected, the third open. */
async function scene(repository: typeof personRepo): Promise<Scene> {
  const repo = repository({ 'a.txt': LINES, 'b.txt': 'b\n' });
  const open = (): Promise<Workspace> => repo.open({ user: ADA });
  const session = (await open()).session({ id: 's1', agent: 'claude' });
  const edit = (old_str: string, new_str: string): Promise<unknown> =>
    session.edit('str_replace', { path: 'a.txt', old_str, new_str });
  await edit('line 5\n', 'five\n');
  await edit('line 15\n', 'fifteen\n');
  await edit('line 25\n', 'twenty-five\n');
  const workspace = await open();
  await workspace.accept({ path: 'a.txt', lines: { start_line: 5, end_line: 5 } });
  await workspace.reject({ path: 'a.txt', lines: { start_line: 15, end_line: 15 }, reason: 'no' });
  const left = async (): Promise<string[][]> =>
    (await (await open()).review()).data.hunks.map(({ after }) => after.lines);
  return { repo, open, edit, left };
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('the review of a trail %s', (_, repository) => {
  it('survives gc, of git and of the engine, and verify finds it sound', async () => {
    const { repo, open, left } = await scene(repository);
    await repo.close();
    repo.git('gc', '-q', '--prune=now');
    repo.git('pack-refs', '--all');
    await (await open()).gc({ git: await systemGit(process.env) });
    expect(await left()).toEqual([['twenty-five']]);
    const workspace = await open();
    expect((await workspace.verify()).data.faults).toEqual([]);
    await workspace.accept({ all: true });
    expect(await left()).toEqual([]);
    repo.git('fsck', '--strict');
  });

  it('survives what the agent undoes and redoes', async () => {
    const { open, edit, left } = await scene(repository);
    const session = (await open()).session({ id: 's1', agent: 'claude' });
    await session.undo();
    expect(await left()).toEqual([]);
    await session.redo();
    expect(await left()).toEqual([['twenty-five']]);
    await edit('line 4\nfive\n', 'line 4\nFIVE\n');
    expect(await left()).toEqual([['FIVE'], ['twenty-five']]);
    await session.undo();
    expect(await left()).toEqual([['twenty-five']]);
  });

  it('is found by verify where the ref of a review was damaged', async () => {
    const { repo, open } = await scene(repository);
    const ref = repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit-review').trim();
    repo.git('update-ref', ref, repo.git('rev-parse', 'HEAD').trim());
    const { faults } = (await (await open()).verify()).data;
    expect(faults).toMatchObject([{ kind: 'review' }]);
  });
});

describe('beside the branch', () => {
  it('survives landing in part, a commit by hand, amend, rebase and a squash', async () => {
    const { repo, open, left } = await scene(personRepo);
    await (await open()).land({ message: 'all' });
    expect(await left()).toEqual([]);
    repo.git('commit', '-q', '--amend', '-m', 'amended');
    expect(await left()).toEqual([]);
    repo.git('checkout', '-q', '-b', 'up', 'HEAD~1');
    repo.write('b.txt', 'upstream\n');
    repo.git('commit', '-qam', 'upstream');
    repo.git('checkout', '-q', 'main');
    repo.git('rebase', '-q', 'up');
    expect(await left()).toEqual([]);
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    repo.git('commit', '-qm', 'squashed');
    expect(await left()).toEqual([]);
  });

  it('what was accepted stays so where the commit that held it is taken away', async () => {
    const { repo, open, left } = await scene(personRepo);
    await (await open()).land({ message: 'all' });
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    expect(await left()).toEqual([['twenty-five']]);
  });

  it('what was landed stays accepted when a later acceptance is taken back', async () => {
    const { repo, open } = await scene(personRepo);
    const workspace = await open();
    const session = workspace.session({ id: 's1', agent: 'claude' });
    await session.edit('delete', { path: 'b.txt' });
    repo.git('commit', '-qam', 'without b');
    await session.edit('create', { path: 'b.txt', file_text: 'another\n' });
    const inB = async (): Promise<object[]> =>
      (await workspace.review({ path: 'b.txt' })).data.hunks.map(({ kind, before }) => ({ kind, before }));
    const listed = await inB();
    await workspace.accept({ path: 'b.txt' });
    await workspace.unreview();
    expect([listed, await inB()]).toEqual([[expect.objectContaining({ kind: 'create' })], listed]);
  });

  it('a landing leaves out what was rejected', async () => {
    const { repo, open } = await scene(personRepo);
    await (await open()).land({ session: 's1', message: 'of the session' });
    const landed = LINES.replace('line 5\n', 'five\n').replace('line 25\n', 'twenty-five\n');
    expect(`${repo.git('show', 'main:a.txt')}\n`.replace(/\n+$/, '\n')).toBe(landed);
  });

  it('survives a gc that deletes what nobody needs, while another branch is checked out', async () => {
    const { repo, open, left, edit } = await scene(personRepo);
    await (await open()).land({ message: 'all' });
    repo.git('checkout', '-q', '-b', 'other');
    const gone = await (await open()).gc({ pruneBefore: new Date(Date.now() + 60_000) });
    expect(gone.data.pruned).toEqual([]);
    repo.git('checkout', '-q', 'main');
    repo.git('fsck', '--strict');
    await edit('line 35\n', 'thirty-five\n');
    expect(await left()).toEqual([['thirty-five']]);
  });
});

it('on the branch it survives amend and rebase', async () => {
  const { repo, left } = await scene(ownRepo);
  await repo.close();
  repo.git('checkout', '-q', '-b', 'up', 'main~4');
  repo.write('b.txt', 'upstream\n');
  repo.git('commit', '-qam', 'upstream');
  repo.git('checkout', '-q', 'main');
  repo.git('commit', '-q', '--amend', '--no-edit', '--reset-author');
  expect(await left()).toEqual([['twenty-five']]);
  repo.git('rebase', '-q', 'up');
  expect(await left()).toEqual([['twenty-five']]);
});

it('holds what was committed, where the person had taken it out before and an agent brought it back', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  const input = { path: 'a.txt', old_str: 'line 5\n', new_str: 'line 5\nnew\n' };
  const { data } = await session.edit('str_replace', input);
  repo.git('checkout', '-q', 'a.txt');
  await session.restore({ path: 'a.txt', from: data.commit! });
  repo.git('commit', '-qam', 'mine');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 25\n', new_str: 'twenty-five\n' });
  const { hunks } = (await workspace.review()).data;
  expect(hunks.map(({ after }) => after.lines)).toEqual([['twenty-five']]);
});

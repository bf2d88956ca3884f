/** What has not landed is counted the same by status and land, whatever agents and the person did. */

import { describe, expect, it } from 'vitest';
import type { LogEntry, Session } from '../../../src/index.ts';
import { git } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { dry, LINES, type Numbers, numbers } from './open-work.ts';

/** Oldest first: `op: subject of the commit it landed with`. */
async function marks(repo: Place): Promise<string[]> {
  const entries: LogEntry[] = [];
  for await (const entry of (await repo.session('reader')).entries()) entries.unshift(entry);
  return entries.map(({ op, status: { now, landed_in } }) => {
    const where = landed_in ? `: ${repo.git('log', '-1', '--format=%s', landed_in)}` : '';
    return `${op}${now === 'taken back' ? ' (undone)' : ''}${where}`;
  });
}

const replace = (session: Session, path: string, from: string, to: string) =>
  session.edit('str_replace', { path, old_str: from, new_str: to });

/** Two edits of a.txt by s1, one of b.txt by s2. */
async function three(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const [one, two] = [await repo.session('s1'), await repo.session('s2')];
  await replace(one, 'a.txt', 'line 1\n', 'ONE\n');
  await replace(two, 'b.txt', 'line 1\n', 'ONE\n');
  await replace(one, 'a.txt', 'line 9\n', 'NINE\n');
  return repo;
}

/** Commits one file as it would be with this text, and leaves the file as it is. */
function commitAs(repo: Place, path: string, text: string, subject: string): void {
  const full = repo.read(path);
  repo.write(path, text);
  repo.git('add', path);
  repo.write(path, full);
  repo.git('commit', '-qm', subject);
}

describe('an edit that the person committed with plain git has landed', () => {
  it.each<[string, (repo: Place) => unknown, string[], Numbers]>([
    [
      'all files',
      repo => repo.git('commit', '-qam', 'all'),
      ['str_replace: all', 'str_replace: all', 'str_replace: all'],
      { status: 0, land: 'NO_CHANGE', s1: 'NO_CHANGE', s2: 'NO_CHANGE' },
    ],
    [
      'one file, and another one later',
      repo => [repo.git('commit', '-qm', 'b', 'b.txt'), repo.git('commit', '-qm', 'a', 'a.txt')],
      ['str_replace: a', 'str_replace: b', 'str_replace: a'],
      { status: 0, land: 'NO_CHANGE', s1: 'NO_CHANGE', s2: 'NO_CHANGE' },
    ],
    [
      'some lines',
      repo => commitAs(repo, 'a.txt', LINES.replace('line 9\n', 'NINE\n'), 'part'),
      ['str_replace', 'str_replace', 'str_replace: part'],
      { status: 2, land: '2 of 2', s1: '1 of 2', s2: '1 of 2' },
    ],
    [
      'together with text of the person',
      repo => [
        repo.write('a.txt', `${repo.read('a.txt')}mine\n`),
        repo.git('commit', '-qm', 'mine', 'a.txt'),
      ],
      ['str_replace: mine', 'str_replace', 'str_replace: mine'],
      { status: 1, land: '1 of 1', s1: 'NO_CHANGE', s2: '1 of 1' },
    ],
    [
      'by cherry-pick',
      repo => [
        repo.git('stash', '-q'),
        repo.git('cherry-pick', 'vedit/main'),
        repo.git('commit', '-q', '--amend', '-m', 'picked'),
        repo.git('stash', 'pop', '-q'),
      ],
      ['str_replace', 'str_replace', 'str_replace: picked'],
      { status: 2, land: '2 of 2', s1: '1 of 2', s2: '1 of 2' },
    ],
    [
      'on a branch that was merged',
      repo => [
        repo.git('checkout', '-qb', 'topic'),
        repo.git('commit', '-qm', 'topic', 'b.txt'),
        repo.git('checkout', '-q', 'main'),
        repo.git('merge', '-q', '--no-ff', '-m', 'merged', 'topic'),
      ],
      ['str_replace', 'str_replace: topic', 'str_replace'],
      { status: 2, land: '2 of 2', s1: '2 of 2', s2: 'NO_CHANGE' },
    ],
    [
      'but not when that commit was taken off the branch',
      repo => [repo.git('commit', '-qam', 'all'), repo.git('reset', '-q', '--soft', 'HEAD~1')],
      ['str_replace', 'str_replace', 'str_replace'],
      { status: 3, land: '3 of 3', s1: '2 of 3', s2: '1 of 3' },
    ],
    [
      'and not what was taken back before it',
      async repo => {
        await (await repo.session('s1')).undo();
        repo.git('commit', '-qam', 'without');
      },
      ['str_replace: without', 'str_replace: without', 'str_replace (undone)', 'undo'],
      { status: 0, land: 'NO_CHANGE', s1: 'NO_CHANGE', s2: 'NO_CHANGE' },
    ],
  ])('%s', async (_, act, log, counts) => {
    const repo = await three();
    await act(repo);
    expect([await marks(repo), await numbers(repo)]).toEqual([log, counts]);
    await replace(await repo.session('s3'), 'b.txt', 'line 12\n', 'later\n');
    const after = (await marks(repo)).filter(one => one !== 'head');
    expect([after, (await numbers(repo)).status]).toEqual([[...log, 'str_replace'], counts.status + 1]);
  });

  it('where an earlier state was staged and committed later', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session('s1');
    await replace(session, 'a.txt', 'line 1\n', 'ONE\n');
    await replace(session, 'a.txt', 'ONE\n', 'Uno\n');
    repo.git('add', 'a.txt');
    await replace(session, 'a.txt', 'Uno\n', 'Eins\n');
    repo.git('commit', '-qm', 'staged');
    expect(await marks(repo)).toEqual(['str_replace: staged', 'str_replace: staged', 'str_replace']);
    expect(await numbers(repo)).toMatchObject({ status: 1, land: '1 of 1' });
  });
});

describe('what has not landed', () => {
  it('is counted beyond a hundred commits', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    const quick = { durability: 'journal' } as const;
    const [one, two] = [await repo.session('s1', quick), await repo.session('s2', quick)];
    for (let round = 0; round < 60; round++) {
      await one.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: `${round}`, base: '@' });
      await two.edit('insert', { path: 'b.txt', insert_line: 0, insert_text: `${round}`, base: '@' });
    }
    expect(await numbers(repo)).toEqual({
      status: 120,

      land: '120 of 120',
      s1: '60 of 120',
      s2: '60 of 120',
    });
  });

  it('counts an edit once, however many were written over', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const head = repo.git('rev-parse', 'main');
    const commits = Array.from({ length: 1005 }, (_, at) => {
      const message = `create a.txt (+1 -1)\n\nVedit-Op: create\nVedit-Path: a.txt\nVedit-Head: ${head}\nVedit-Session: s1\n`;
      const text = `${at + 1}\n`;
      return [
        `commit refs/vedit/main\ncommitter vedit <vedit@vedit.invalid> ${1_700_000_100 + at} +0000\n`,
        `data ${message.length}\n${message}`,
        at === 0 ? `from ${head}\n` : '',
        `M 100644 inline a.txt\ndata ${text.length}\n${text}`,
      ].join('');
    });
    repo.pipe(`${commits.join('\n')}\n`, 'fast-import', '--quiet');
    repo.write('a.txt', '1005\n');
    const workspace = await repo.open();
    const { message, data } = await workspace.session({ id: 's1' }).status();
    // All but the last are superseded.
    expect([data.left, message]).toEqual([1, expect.stringContaining('1 edit is open')]);
    expect(await dry(workspace, {})).toMatchObject({ commits: [{ edits: [expect.any(String)] }] });
  });

  it('never brings back a line that a later edit took out, though part of that edit is committed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session('s1');
    await session.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: 'debug', base: '@' });
    const edits = [
      { edit: 'str_replace', path: 'a.txt', old_str: 'debug\n', new_str: '' },
      { edit: 'str_replace', path: 'a.txt', old_str: 'line 9\n', new_str: 'NINE\n' },
    ];
    await session.change(edits);
    await replace(session, 'a.txt', 'line 4\n', 'FOUR\n');
    commitAs(repo, 'a.txt', LINES.replace('line 9\n', 'NINE\n'), 'part');
    await (await repo.open()).land({ git });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(repo.read('a.txt').trimEnd());
  });

  it('is nothing of a rollback to what has landed, and of the edits that it took back', async () => {
    const repo = await three();
    const session = await repo.session('s1');
    await session.rollback('~3', { withOthers: true });
    await replace(session, 'b.txt', 'line 3\n', 'THREE\n');
    expect(await numbers(repo)).toMatchObject({ status: 1, land: '1 of 1', s1: '1 of 1' });
    const undone = ['str_replace (undone)', 'str_replace (undone)', 'str_replace (undone)'];
    expect(await marks(repo)).toEqual([...undone, 'rollback', 'str_replace']);
    await (await repo.open()).land({ git });
    expect(repo.git('show', '--format=', '--stat', 'HEAD')).toContain(
      '1 file changed, 1 insertion(+), 1 deletion(-)',
    );
  });

  it('is not what the person took back by hand, before and after the next edit of the file', async () => {
    const repo = await three();
    repo.git('checkout', '-q', 'a.txt');
    expect(await numbers(repo)).toEqual({
      status: 1,

      land: '1 of 1',
      s1: 'NO_CHANGE',
      s2: '1 of 1',
    });
    await replace(await repo.session('s2'), 'a.txt', 'line 5\n', 'FIVE\n');
    expect(await numbers(repo)).toEqual({
      status: 2,

      land: '2 of 2',
      s1: 'NO_CHANGE',
      s2: '2 of 2',
    });
    await (await repo.open()).land({ git });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.replace('line 5', 'FIVE').trimEnd());
  });
});

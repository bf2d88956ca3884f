/** A commit that an agent's command makes accepts nothing; a person's does. */

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { aMoment } from '../helpers/agent-events.ts';
import { git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('');

async function edited(): Promise<{ repo: Place; left: () => Promise<string[][]> }> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 2\n', new_str: 'two\n' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
  const left = async (): Promise<string[][]> =>
    (await (await repo.open()).review()).data.hunks.map(({ after }) => after.lines);
  return { repo, left };
}

async function runs(repo: Place, work: () => void): Promise<void> {
  await aMoment();
  await (await repo.session('s1')).during(
    async () => {
      await aMoment();
      work();
      await aMoment();
    },
    { git },
  );
  await aMoment();
}

it('what an agent edited and its command committed is to be reviewed still', async () => {
  const { repo, left } = await edited();
  await runs(repo, () => repo.git('commit', '-qam', 'by the agent'));
  expect(await left()).toEqual([['two'], ['nine']]);
  // Also when the history has recorded where HEAD is, and something else was committed by the person since.
  await (await repo.session('s1')).edit('str_replace', {
    path: 'b.txt',
    old_str: 'line 1\n',
    new_str: 'one\n',
  });
  repo.git('commit', '-qam', 'by the person');
  expect(await left()).toEqual([['two'], ['nine']]);
  const workspace = await repo.open();
  await workspace.accept({ path: 'a.txt', lines: { start_line: 2, end_line: 2 } });
  expect(await left()).toEqual([['nine']]);
  await workspace.unreview();
  expect(await left()).toEqual([['two'], ['nine']]);
  await workspace.reject({ path: 'a.txt', lines: { start_line: 9, end_line: 9 }, reason: 'no' });
  expect([repo.read('a.txt'), await left()]).toEqual([LINES.replace('line 2', 'two'), [['two']]]);
  await workspace.accept({ all: true });
  expect([await left(), (await workspace.verify()).data.faults]).toEqual([[], []]);
});

it('so is what a command wrote and committed at once', async () => {
  const { repo, left } = await edited();
  await (await repo.open()).accept({ all: true });
  await runs(repo, () => {
    repo.write('b.txt', LINES.replace('line 5', 'five'));
    // With the time that it is.
    const { GIT_COMMITTER_DATE: _, ...env } = process.env;
    execFileSync('git', ['commit', '-qam', 'by the agent'], { cwd: repo.dir, env });
  });
  expect(await left()).toEqual([['five']]);
});

it('what the person commits after a command is accepted', async () => {
  const { repo, left } = await edited();
  await runs(repo, () => repo.write('b.txt', LINES.replace('line 5', 'five')));
  repo.git('commit', '-qam', 'by the person');
  expect(await left()).toEqual([]);
});

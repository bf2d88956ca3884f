/** What status and log say of edits that the person took back by hand. */

import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../../src/index.ts';
import { edit, files, git, LINES, land } from '../../helpers/landing.ts';
import { ownRepo, type Place } from '../../helpers/person-repo.ts';

/** The edits that the log marks, by what it says. */
async function marked(repo: Place): Promise<Record<string, string>> {
  const { data, message } = await (await repo.session('s9')).log();
  const lines = message.split('\n');
  const entries = data.entries as LogEntry[];
  const marks = entries.map((entry, at) => {
    const [, mark = ''] = /\[(\w+)[^\]]*\]$/.exec(lines[at]!) ?? [];
    expect(entry.status.now.startsWith('taken')).toBe(mark === 'taken');
    return [entry.commit, mark] as const;
  });
  return Object.fromEntries(marks.filter(([, mark]) => mark !== ''));
}

async function left(repo: Place): Promise<[left: number, takenBack: number, message: string]> {
  const { data, message } = await (await repo.session('s9')).status();
  return [data.left, data.taken_back, message];
}

it('a file that was restored, before an edit records it and after', async () => {
  const repo = files();
  const [first, second] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
  expect([await marked(repo), (await left(repo)).slice(0, 2)]).toEqual([{}, [2, 0]]);
  repo.git('checkout', '-q', 'a.txt');
  const taken = { [first!]: 'taken', [second!]: 'taken' };
  expect(await marked(repo)).toEqual(taken);
  expect(await left(repo)).toEqual([0, 2, expect.stringContaining('2 edits were taken out by hand')]);
  await edit(repo, ['a.txt', 'four', 'FOUR']);
  expect(await marked(repo)).toEqual(taken);
  expect(await left(repo)).toEqual([
    1,
    2,
    expect.stringContaining('1 edit is open\n2 edits were taken out by hand'),
  ]);
});

it('a part of a file, and what landed beside it', async () => {
  const repo = files();
  const [first, second, third] = await edit(
    repo,
    ['a.txt', 'one', 'ONE'],
    ['a.txt', 'four', 'FOUR'],
    ['b.txt', 'one', 'ONE'],
  );
  repo.write('a.txt', LINES.replace('four', 'FOUR'));
  expect(await marked(repo)).toEqual({ [first!]: 'taken' });
  expect((await left(repo)).slice(0, 2)).toEqual([2, 1]);
  await land(repo);
  expect(await marked(repo)).toEqual({ [first!]: 'taken', [second!]: 'landed', [third!]: 'landed' });
  await edit(repo, ['a.txt', 'two', 'TWO']);
  expect(await marked(repo)).toEqual({ [first!]: 'taken', [second!]: 'landed', [third!]: 'landed' });
  expect((await left(repo)).slice(0, 2)).toEqual([1, 1]);
});

it('what the person committed without it', async () => {
  const repo = files();
  const [first, second] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'four', 'FOUR']);
  repo.write('a.txt', LINES.replace('four', 'FOUR').replace('six', 'mine'));
  repo.git('commit', '-qam', 'by hand');
  expect((await marked(repo))[first!]).toBe('taken');
  expect((await marked(repo))[second!]).not.toBe('taken');
});

it('a deleted file, an edit of several files, and one that came back', async () => {
  const repo = files();
  const session = await repo.session();
  const { data: made } = await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
  const { data: both } = await session.change([
    { edit: 'str_replace', path: 'a.txt', old_str: 'one', new_str: 'ONE' },
    { edit: 'str_replace', path: 'b.txt', old_str: 'one', new_str: 'ONE' },
  ]);
  rmSync(repo.path('n.txt'));
  repo.git('checkout', '-q', 'a.txt');
  // Of its two lines one is open.
  expect(await marked(repo)).toEqual({ [made.commit!]: 'taken', [both.commit!]: '1' });
  repo.git('checkout', '-q', 'b.txt');
  expect(await marked(repo)).toEqual({ [made.commit!]: 'taken', [both.commit!]: 'taken' });
  repo.write('n.txt', 'n\n');
  expect(await marked(repo)).toEqual({ [both.commit!]: 'taken' });
});

it('is not said of what was undone, landed, or written over by another edit', async () => {
  const repo = files();
  const [first] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'ONE', 'Uno'], ['b.txt', 'one', 'ONE']);
  await (await repo.session()).undo();
  repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
  const marks = await marked(repo);
  expect(Object.values(marks)).toEqual(['taken', 'superseded']);
  expect(marks[first!]).toBe('superseded');
});

it('show and the entries say the same; a branch that is the trail knows commits alone', async () => {
  const repo = files();
  const [first] = await edit(repo, ['a.txt', 'one', 'ONE']);
  repo.git('checkout', '-q', 'a.txt');
  const session = await repo.session();
  expect((await session.show(first!)).data.status.now).toBe('taken out by hand');
  for await (const entry of session.entries())
    expect(entry.status.now === 'taken out by hand').toBe(entry.commit === first);
  const own = ownRepo({ 'a.txt': LINES });
  await edit(own, ['a.txt', 'one', 'ONE']);
  own.write('a.txt', LINES);
  expect(await marked(own)).toEqual({});
  await (await repo.open()).land({ git }).catch(error => expect(error.code).toBe('NO_CHANGE'));
});

it('the trail of a branch that is checked out nowhere is not measured by the files of another one', async () => {
  const repo = files();
  repo.git('switch', '-qc', 'feat');
  await edit(repo, ['a.txt', 'one', 'ONE']);
  repo.git('checkout', '-q', 'a.txt');
  repo.git('switch', '-q', 'main');
  const feat = await repo.open({ trail: 'feat' });
  const { data, message } = await (await feat.session({ id: 's9' })).log();
  expect([(data.entries as LogEntry[]).map(one => one.status.now), message]).toEqual([
    ['open'],
    expect.not.stringContaining('taken back'),
  ]);
  expect((await (await feat.session({ id: 's9' })).status()).data).toMatchObject({ left: 1, taken_back: 0 });
  for (const onto of [undefined, 'feat'])
    await expect(feat.land({ git, onto })).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining('Switch to it first (git switch feat)'),
    });
  repo.git('switch', '-q', 'feat');
  expect((await left(repo)).slice(0, 2)).toEqual([0, 1]);
});

import { expect, it } from 'vitest';
import { ADA, git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const CRLF = 'a\r\nb\r\nc\r\nd\r\n';
const LF = CRLF.replaceAll('\r', '');

const inHead = (repo: Place): string => `${repo.git('show', 'HEAD:w.txt')}|`;
const shown = (text: string): string => `${text.replace(/\n$/, '')}|`;
const replace = (old_str: string, new_str: string) => ({ path: 'w.txt', old_str, new_str });

it.each([
  ['CRLF made LF', CRLF, LF],
  ['LF made CRLF', LF, CRLF],
  ['CRLF made LF, without an end of the last line', CRLF.slice(0, -2), LF.slice(0, -1)],
])(
  '%s by hand: a landing of edits before and after it has the branch’s ends, and all of it the file’s',
  async (_, before, after) => {
    const repo = personRepo({ 'w.txt': before });
    const session = await repo.session();
    await session.edit('str_replace', replace('b', 'B'));
    repo.write('w.txt', after.replace('b', 'B'));
    await session.edit('str_replace', replace('d', 'D'));
    const workspace = await repo.open({ user: ADA });
    const { data } = await workspace.land({ git });
    expect(inHead(repo)).toBe(shown(before.replace('b', 'B').replace('d', 'D')));
    expect(data.outside).toEqual(['w.txt']);
    expect((await session.log()).data.entries.map(({ status }) => status.now)).toEqual([
      'landed',
      'open',
      'landed',
    ]);
    await expect(workspace.land({ git })).rejects.toMatchObject({ code: 'NO_CHANGE' });
    await workspace.land({ git, outside: true });
    expect(inHead(repo)).toBe(shown(after.replace('b', 'B').replace('d', 'D')));
  },
);

it('ends that the file and the branch both mix are as the file has them', async () => {
  const repo = personRepo({ 'w.txt': 'a\r\nb\nc\r\n' });
  const session = await repo.session();
  await session.edit('str_replace', replace('b', 'B'));
  repo.write('w.txt', 'a\nB\nc\r\n');
  await (await repo.open({ user: ADA })).land({ git });
  expect(inHead(repo)).toBe(shown('a\r\nB\nc\r\n'));
});

it('undo and redo after it keep the ends that the file has', async () => {
  const repo = personRepo({ 'w.txt': CRLF });
  const session = await repo.session();
  await session.edit('str_replace', replace('b', 'B'));
  repo.write('w.txt', LF.replace('b', 'B'));
  await session.undo();
  expect(repo.read('w.txt')).toBe(LF);
  await session.redo();
  expect(repo.read('w.txt')).toBe(LF.replace('b', 'B'));
  await session.undo();
  expect(repo.read('w.txt')).toBe(LF);
  expect((await session.verify()).data.faults).toEqual([]);
});

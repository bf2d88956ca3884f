/** A file of which nobody can tell what is whose: one edit changed too many lines to compare them. */

import { expect, it } from 'vitest';
import { ADA } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 250_000 }, (_, n) => `the quick brown fox ${n}\n`);

it('is refused by name, the others land, and git can commit it', async () => {
  const repo = personRepo({ 'f.txt': LINES.join('') });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('str_replace', { path: 'f.txt', old_str: 'quick', new_str: 'slow', replace_all: true });
  await session.view({ path: 'f.txt' });
  const insert_text = LINES.slice(0, 50_000).join('');
  await session.edit('insert', { path: 'f.txt', insert_line: 3, insert_text });
  await session.edit('create', { path: 'z.txt', file_text: 'z\n' });
  const head = repo.git('rev-parse', 'HEAD');
  await expect(workspace.land({ message: 'all' })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    data: { path: 'f.txt' },
  });
  expect(repo.git('rev-parse', 'HEAD')).toBe(head);
  const { entries } = (await session.log({ path: 'f.txt' })).data;
  const status = { now: 'unknown', by: 'too many changed lines to compare' };
  expect(entries).toMatchObject([{ status }, { status }]);
  await workspace.land({ message: 'the other', paths: ['z.txt'] });
  expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('z.txt');
  repo.git('commit', '-qm', 'by hand', 'f.txt');
  await expect(workspace.land()).rejects.toMatchObject({ code: 'NO_CHANGE' });
}, 240_000);

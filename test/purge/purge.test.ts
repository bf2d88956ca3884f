/** Purging a text or a path: the history without it, the ids that still find their edits, and what is left. */

import { expect, it } from 'vitest';
import { allOf } from '../helpers/all-of.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const KEY = 'hunter2-4711-swordfish';
const REASON = 'a password';

async function withKey(repo: Place): Promise<string[]> {
  const session = await repo.session();
  const made: string[] = [];
  const edit = async (name: string, input: object): Promise<void> => {
    made.push((await session.edit(name, input)).data.commit!);
  };
  await edit('create', { path: 'conf.env', file_text: `A=1\nPASS=${KEY}\nB=2\n`, reason: 'configure' });
  await edit('str_replace', { path: 'conf.env', old_str: 'B=2', new_str: 'B=3', reason: `uses ${KEY}` });
  await edit('create', { path: 'other.txt', file_text: 'other\n' });
  await edit('str_replace', { path: 'conf.env', old_str: KEY, new_str: 'from-env' });
  await repo.close();
  return made;
}

it.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('takes a text out of a history %s, and old ids still find their edits', async (_, make) => {
  const repo = make({ 'a.txt': 'a\n' });
  const ids = await withKey(repo);
  await using workspace = await repo.open();
  const { data, message } = await workspace.purge({ text: `${KEY}\n`, reason: REASON });
  expect(data).toMatchObject({ commits: 4, versions: 2, files: ['conf.env'], held: [], unread: [] });
  expect(message).toContain('It is nowhere in this repository any more.');
  await repo.close();
  expect(allOf(repo)).not.toContain(KEY);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  await using again = await repo.open();
  const verified = await again.verify({ expect: [ids.at(-1)!] });
  expect(verified.data.faults).toEqual([]);
  const session = again.session({ id: 's1', agent: 'claude' });
  const shown = await session.show(ids[0]!.slice(0, 10));
  expect(shown.message).toContain('PASS=[purged]');
  const ops = (await session.log()).data.entries.map(({ op }) => op);
  expect(ops.filter(op => op !== null)).toEqual(['purge', 'str_replace', 'create', 'str_replace', 'create']);
  // The key went out with the last edit: to undo that brings the marker back, and no more.
  await session.revert(ids[3]!);
  expect(repo.read('conf.env')).toBe('A=1\nPASS=[purged]\nB=3\n');
  await session.revert(ids[1]!);
  expect(repo.read('conf.env')).toBe('A=1\nPASS=[purged]\nB=2\n');
  expect((await again.verify()).data.faults).toEqual([]);
});

it('takes a path out, line by line, so that edits can still be told and taken back', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const ids = await withKey(repo);
  repo.git('init', '-q');
  await using workspace = await repo.open();
  const { data } = await workspace.purge({ path: 'conf.env', reason: REASON });
  expect(data).toMatchObject({ path: 'conf.env', commits: 4, versions: 3 });
  expect(data.held.map(({ kind, name }) => [kind, name])).toEqual([['file', 'conf.env']]);
  await repo.close();
  expect(allOf(repo)).not.toContain('PASS=');
  await using again = await repo.open();
  expect((await again.verify()).data.faults).toEqual([]);
  const { message } = await again.session({ id: 's2' }).show(ids[1]!);
  expect(message).toMatch(/-\[purged \d\]\n\+\[purged \d\]/);
});

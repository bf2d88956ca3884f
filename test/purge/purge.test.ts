/** Purging a text or a path: the history without it, the ids that still find their edits, and what is left. */

import { expect, it } from 'vitest';
import { allOf } from '../helpers/all-of.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { signAsAda } from '../helpers/signing-key.ts';

const KEY = 'hunter2-4711-swordfish';
const REASON = 'a password';
const SECOND = 'correct-horse-battery';

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

it('accepts two purges after each other, and old ids of before both', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'conf.env', file_text: `PASS=${KEY}\nTOKEN=${SECOND}\nB=1\n` });
  await session.edit('str_replace', { path: 'conf.env', old_str: 'B=1', new_str: 'B=2' });
  await session.edit('create', { path: 'b.txt', file_text: 'b\n', reason: `not ${SECOND}` });
  await session.edit('create', { path: 'conf.env', file_text: 'B=2\n', overwrite: true });
  const oldest = (): string => repo.git('rev-list', '--reverse', 'refs/vedit/main', '^main').split('\n')[0]!;
  const first = oldest();
  await workspace.purge({ text: KEY, reason: 'a key' });
  const then = oldest();
  const { data } = await workspace.purge({ text: SECOND, reason: 'a token' });
  expect([data.held, data.commits]).toEqual([[], 5]);
  await repo.close();
  await using again = await repo.open();
  expect((await again.verify({ expect: [first, then] })).data.faults).toEqual([]);
  for (const id of [first, then])
    expect((await again.session({ id: 's2' }).show(id)).message).toContain('TOKEN=[purged 2]');
});

it('accepts a purge of what files brought back, one after the other', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  const workspace = await repo.open();
  const append = async (text: string): Promise<void> => {
    for (const path of ['a.txt', 'b.txt'])
      await session.edit('str_replace', { path, old_str: `${path[0]}\n`, new_str: `${text}\n${path[0]}\n` });
  };
  await append(SECOND);
  for (const text of ['on top', 'and again', 'and on']) {
    const { data } = await workspace.purge({ text: SECOND, reason: 'a token' });
    expect(data.held.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect((await workspace.verify()).data.faults).toEqual([]);
    await append(text);
  }
  await repo.close();
});

it('signs the rewritten history where it was signed, and purges nothing where git does not sign', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const { key, userConfig } = signAsAda(repo);
  const open = () => repo.open({ userConfig });
  const workspace = await open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k', file_text: `${KEY}\n` });
  await workspace.sign();
  await session.edit('create', { path: 'k', file_text: 'gone\n', overwrite: true });
  await workspace.sign();
  repo.git('config', 'user.signingkey', `${key}-not-there`);
  const before = repo.git('for-each-ref');
  expect(await codeOf(workspace.purge({ text: KEY, reason: 'a key' }))).toBe('GIT_REFUSED');
  expect(repo.git('for-each-ref')).toBe(before);
  repo.git('config', 'user.signingkey', key);
  const { data } = await (await open()).purge({ text: KEY, reason: 'a key' });
  const { data: checked } = await (await open()).verify();
  expect(checked).toMatchObject({
    faults: [],
    signed: { head: data.trails[0]!.to, by: 'ada@example.com', unsigned: 0 },
  });
  expect(data).toMatchObject({ held: [], trails: [{ statement: checked.signed!.statement }] });
  expect(repo.git('rev-list', '--objects', '--all')).not.toContain(data.trails[0]!.from);
  await repo.close();
});

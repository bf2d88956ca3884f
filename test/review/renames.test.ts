/** A file that was moved is reviewed as two halves, and shown as `git log -M` words it. */

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1} of it\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

it('says from where and to where, how much is the same, and what changed besides', async () => {
  const repo = personRepo({
    'src/old.txt': LINES,
    'same.txt': LINES.replaceAll('line', 'word'),
    'gone.txt': 'x\n',
  });
  repo.git('config', 'user.name', ADA.name);
  repo.git('config', 'user.email', ADA.email);
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('move', { path: 'src/old.txt', new_path: 'src/new.txt' });
  await session.edit('str_replace', { path: 'src/new.txt', old_str: 'line 7 of', new_str: 'line seven of' });
  await session.edit('move', { path: 'same.txt', new_path: 'moved.txt' });
  await session.edit('delete', { path: 'gone.txt' });
  await session.edit('create', { path: 'made.txt', file_text: 'quite another text\n' });
  const { data, message } = await workspace.review({ reviewer: ADA });
  const renamed = Object.fromEntries(data.hunks.map(one => [one.path, one.renamed]));
  expect(Object.keys(renamed).sort()).toEqual([
    'gone.txt',
    'made.txt',
    'moved.txt',
    'same.txt',
    'src/new.txt',
    'src/old.txt',
  ]);
  expect([renamed['gone.txt'], renamed['made.txt']]).toEqual([undefined, undefined]);
  expect(renamed['same.txt']).toEqual({ path: 'moved.txt', similarity: 100, diff: '' });
  expect(renamed['moved.txt']).toEqual({ path: 'same.txt', similarity: 100, diff: '' });
  // As git tells it of the same two trees.
  repo.git('add', '-A');
  const status = repo.git('diff', '--cached', '-M', '--name-status');
  const [, similarity] = /^R(\d+)\tsrc\/old\.txt\tsrc\/new\.txt$/m.exec(status)!;
  expect(Math.abs(renamed['src/new.txt']!.similarity - Number(similarity))).toBeLessThanOrEqual(2);
  expect(renamed['src/new.txt']!.diff).toContain('-line 7 of it\n+line seven of it\n');
  expect(message).toMatch(/moved\.txt renamed from same\.txt, similarity 100% \(/);
  const { out } = await vedit(repo, ['review', '--list']);
  expect(out).toMatch(/src\/old\.txt renamed to src\/new\.txt, similarity 9\d%/);
  // Also where the other half is not listed.
  const [half] = (await workspace.review({ reviewer: ADA, path: 'moved.txt' })).data.hunks;
  expect([half!.kind, half!.renamed?.path]).toEqual(['create', 'same.txt']);
});

it('is one hunk of those that were accepted, and of those that are left', async () => {
  const repo = personRepo({ 'old.txt': LINES, 'other.txt': 'other\n', 'third.txt': 'third\n' });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('move', { path: 'old.txt', new_path: 'new.txt' });
  for (const path of ['other.txt', 'third.txt']) await session.edit('delete', { path });
  const first = await workspace.accept({ path: 'other.txt' });
  expect(first.message).toBe('Accepted 1 hunk; 2 left to review.');
  const second = await workspace.accept({ path: 'new.txt' });
  expect(second.message).toBe('Accepted 1 hunk; 1 left to review.');
});

type Repo = ReturnType<typeof personRepo>;

async function moved() {
  const repo = personRepo({ 'old.txt': LINES, 'other.txt': 'other\n' });
  repo.git('config', 'user.name', ADA.name);
  repo.git('config', 'user.email', ADA.email);
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('move', { path: 'old.txt', new_path: 'new.txt' });
  await session.edit('str_replace', { path: 'new.txt', old_str: 'line 7 of', new_str: 'line seven of' });
  const { hunks } = (await workspace.review()).data;
  const named = (path: string) => {
    const { commit: at, lines, version } = hunks.find(one => one.path === path)!;
    return { at, path, lines, version: version ?? undefined };
  };
  const files = () => ['old.txt', 'new.txt'].filter(path => existsSync(repo.path(path)));
  const left = async () => (await workspace.review()).data.hunks.map(one => one.path);
  return { repo, workspace, session, named, files, left };
}

it.each(['old.txt', 'new.txt'])('one decision on %s takes back both halves, in one commit', async path => {
  const { repo, workspace, session, named, files, left } = await moved();
  const count = (): number => Number(repo.git('rev-list', '--count', 'vedit/main'));
  const before = count();
  const { data } = await workspace.reject({ ...named(path), reason: 'the old name is fine' });
  expect([data.subject, count() - before]).toEqual(['reject 2 files (+20 -20)', 1]);
  expect([files(), repo.read('old.txt'), await left()]).toEqual([['old.txt'], LINES, []]);
  expect((await workspace.verify()).data.faults).toEqual([]);
  // The agent hears of it, and does not do it again.
  await expect(session.redo()).rejects.toBeDefined();
  await expect(session.edit('delete', { path: 'old.txt' })).rejects.toMatchObject({ code: 'REJECTED' });
  expect((await workspace.unreview()).data.took_back).toBe('reject');
  expect([files(), await left()]).toEqual([['new.txt'], ['new.txt', 'old.txt']]);
  // So it is accepted.
  await workspace.accept(named(path));
  expect(await left()).toEqual([]);
  expect((await workspace.unreview()).data.took_back).toBe('accept');
  await workspace.accept({ path });
  expect(await left()).toEqual([]);
});

it.each([
  ['a person', (repo: Repo) => repo.write('old.txt', `first\n${LINES}`)],
  ['git', (repo: Repo) => repo.git('checkout', '-q', 'HEAD', '--', 'old.txt')],
])('leaves a file alone that %s made at the old name since', async (_, make) => {
  const { repo, workspace, named, files, left } = await moved();
  make(repo);
  const text = repo.read('old.txt');
  expect(await left()).toEqual(['new.txt']);
  const { data } = await workspace.reject({ ...named('new.txt'), reason: 'no' });
  expect([data.subject, files(), repo.read('old.txt')]).toEqual([
    'reject new.txt (+0 -20)',
    ['old.txt'],
    text,
  ]);
});

it('a half is decided on alone where somebody says so, and nothing that was not read goes with it', async () => {
  const { repo, workspace, session, named, files, left } = await moved();
  await workspace.reject({ ...named('new.txt'), alone: true });
  expect([files(), await left()]).toEqual([[], ['old.txt']]);
  await workspace.unreview();
  await session.edit('str_replace', { path: 'new.txt', old_str: 'line 9 of', new_str: 'line nine of' });
  await expect(workspace.reject(named('old.txt'))).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { path: 'new.txt' },
  });
  expect(files()).toEqual(['new.txt']);
  await workspace.reject({ ...named('old.txt'), together: true });
  expect([files(), repo.read('old.txt')]).toEqual([['old.txt'], LINES]);
});

it('the command line asks once, and takes both', async () => {
  const { repo, workspace, files } = await moved();
  await workspace.close();
  const one = await vedit(repo, ['reject', 'old.txt', '--alone', '-n']);
  expect(one.err).toContain('reject old.txt (+20 -0)');
  const both = await vedit(repo, ['reject', 'new.txt', '-m', 'the old name is fine']);
  expect([both.code, both.err, files()]).toEqual([
    0,
    expect.stringContaining('reject 2 files (+20 -20)'),
    ['old.txt'],
  ]);
  const back = await vedit(repo, ['review', '--take-back']);
  expect([back.code, files()]).toEqual([0, ['new.txt']]);
});

it.each(['accept', 'reject'] as const)(
  'a file that is no text is renamed where it is the same: %s',
  async how => {
    const repo = personRepo({ 'old.bin': '\0\x01\x02', 'two.bin': '\0\x05', 'other.txt': 'other\n' });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ agent: 'fixer' });
    await session.edit('move', { path: 'old.bin', new_path: 'new.bin' });
    await session.edit('delete', { path: 'two.bin' });
    const { hunks } = (await workspace.review()).data;
    expect(hunks.map(one => [one.path, one.renamed?.path])).toEqual([
      ['new.bin', 'old.bin'],
      ['old.bin', 'new.bin'],
      ['two.bin', undefined],
    ]);
    const { commit: at, path, lines, version } = hunks[0]!;
    await workspace[how]({ at, path, lines, version: version ?? undefined });
    expect((await workspace.review()).data.hunks.map(one => one.path)).toEqual(['two.bin']);
    const kept = how === 'accept' ? 'new.bin' : 'old.bin';
    expect(['old.bin', 'new.bin'].filter(name => existsSync(repo.path(name)))).toEqual([kept]);
    expect(repo.read(kept)).toBe('\0\x01\x02');
  },
);

/** Everything of the engine that can hold text: reviews, rejections, refusals, prompts, caches, logs. */

import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allOf } from '../helpers/all-of.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { bin } from '../helpers/vedit.ts';

const KEY = 'hunter2-4711-swordfish';
const what = { text: KEY, reason: 'a key' };
const user = { name: 'Ada', email: 'ada@example.com' };

it.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('cleans reviews, rejections, refusals, prompts, kept texts and logs, %s', async (_, make) => {
  const repo: Place = make({ 'a.txt': 'a\n' });
  repo.git('config', 'core.logAllRefUpdates', 'always');
  const workspace = await repo.open({ recordRefusals: true, user });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k.env', file_text: `A=1\nK=${KEY}\nB=1\nC=1\nD=1\nE=1\n` });
  await workspace.accept({ all: true });
  await session.edit('str_replace', { path: 'k.env', old_str: 'E=1', new_str: `E=${KEY}` });
  await workspace.reject({ path: 'k.env', reason: `no ${KEY} here` });
  await session.edit('str_replace', { path: 'k.env', old_str: `X=${KEY}`, new_str: 'x' }).catch(() => {});
  await session.edit('create', { path: 'k.env', file_text: 'A=1\n', overwrite: true });
  await session.undo();
  await session.redo();
  const engine = repo.path('.git/vedit');
  for (const folder of ['kept', 'prompts', 'land/x']) mkdirSync(`${engine}/${folder}`, { recursive: true });
  writeFileSync(`${engine}/kept/1-k.env`, `typed ${KEY}\n`);
  writeFileSync(`${engine}/prompts/t1`, `${JSON.stringify({ turn: 't1', prompt: `use ${KEY}\nplease` })}\n`);
  writeFileSync(`${engine}/land/x/message`, KEY);
  await session.log();
  expect(allOf(repo)).toContain(KEY);
  const { data } = await workspace.purge(what);
  expect(data.held).toEqual([]);
  expect(data.cleaned).toEqual(
    expect.arrayContaining(['vedit/kept/1-k.env', 'vedit/prompts/t1', 'vedit/land/x/message']),
  );
  await repo.close();
  expect(allOf(repo)).not.toContain(KEY);
  expect(JSON.parse(readFileSync(`${engine}/prompts/t1`, 'utf8'))).toMatchObject({
    prompt: 'use [purged]\nplease',
  });
  const again = await repo.open({ recordRefusals: true, user });
  expect((await again.verify()).data.faults).toEqual([]);
  await again.review();
  const next = again.session({ id: 's1', agent: 'claude' });
  const { entries } = (await next.log()).data;
  expect(entries.some(({ reason }) => reason.includes('no [purged] here'))).toBe(true);
  await next.undo();
  expect(repo.read('k.env')).toContain('K=[purged]\nB=1');
  expect((await again.verify()).data.faults).toEqual([]);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  await repo.close();
});

it('leaves a file alone to which a link of its folder leads', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open({ user });
  await workspace.session({ agent: 'claude' }).edit('create', { path: 'k.env', file_text: `K=${KEY}\n` });
  const [theirs, link] = [repo.path('.git/theirs'), repo.path('.git/vedit/kept/link')];
  writeFileSync(theirs, `mine: ${KEY}\n`);
  mkdirSync(repo.path('.git/vedit/kept'), { recursive: true });
  symlinkSync(theirs, link);
  const { data } = await workspace.purge(what);
  expect(data.cleaned).not.toContain('vedit/kept/link');
  expect(readFileSync(theirs, 'utf8')).toBe(`mine: ${KEY}\n`);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  await repo.close();
});

it('purges while other processes edit: none of their edits is lost', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k.env', file_text: `${KEY}\n` });
  await session.edit('create', { path: 'k.env', file_text: 'gone\n', overwrite: true });
  const others = [1, 2, 3, 4, 5, 6].map(async n => {
    const made: string[] = [];
    for (const m of [1, 2]) {
      const { code } = await bin(repo, ['create', `f${n}-${m}.txt`, '-'], { input: `${n}\n` });
      if (code === 0) made.push(`f${n}-${m}.txt`);
    }
    return made;
  });
  const { data } = await workspace.purge(what);
  const made = (await Promise.all(others)).flat();
  expect(made.length).toBeGreaterThan(6);
  expect(data.held).toEqual([]);
  await repo.close();
  const recorded = repo.git('ls-tree', '-r', '--name-only', 'refs/vedit/main').split('\n');
  expect(recorded).toEqual(expect.arrayContaining(made));
  expect(allOf(repo)).not.toContain(KEY);
  const again = await repo.open();
  expect((await again.verify()).data.faults).toEqual([]);
  await repo.close();
});

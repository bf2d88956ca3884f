import { expect, it } from 'vitest';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';

const MOMENT = Date.UTC(2026, 10, 20, 12);

/** A clock whose zone is so many minutes west of UTC, as JavaScript counts. */
function clock(west: number): () => Date {
  return () => Object.assign(new Date(MOMENT), { getTimezoneOffset: () => west });
}

it.each([
  [-900, '+1500'],
  [900, '-1500'],
  [-1439, '+2359'],
  [-845.5, '+1405'],
  // No commit can hold these.
  [-1440, '+0000'],
  [1500, '+0000'],
  [-167 * 60, '+0000'],
  [Number.NaN, '+0000'],
  [Number.POSITIVE_INFINITY, '+0000'],
])('a clock %s minutes west of UTC refuses no edit, and its moment is right', async (west, zone) => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const session = await repo.session('s1', { now: clock(west) });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  const [author, committer] = repo
    .git('log', '-1', '--format=%ad%n%cd', '--date=raw', 'vedit/main')
    .split('\n');
  expect([author, committer]).toEqual(Array(2).fill(`${MOMENT / 1000} ${zone}`));
  expect(repo.git('fsck', '--strict')).toBe('');
});

it.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
])('blame and shortlog tell agents apart, and the person from them, %s', async (_where, make, trail) => {
  const repo = make({ 'a.txt': 'one\ntwo\nthree\n' });
  const user = { name: 'Ada', email: 'ada@example.com' };
  const workspace = await repo.open({ user });
  const [fixer, writer] = ['fixer', 'writer'].map(agent => workspace.session({ agent }));
  await fixer!.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: '1' });
  await writer!.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
  repo.write('a.txt', '1\n2\nthree\nfour\n');
  await writer!.edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: '3' });
  const lines = repo.git('blame', '--line-porcelain', trail, '--', 'a.txt').match(/(?<=^author ).*/gm);
  expect(lines).toEqual(['fixer', 'writer', 'writer', 'Ada']);
  expect(repo.git('shortlog', '-sn', trail).replace(/\s+/g, ' ').trim()).toBe('2 Ada 2 writer 1 fixer');
  expect(repo.git('log', '-1', '--format=%cn', trail)).toBe('vedit');
});

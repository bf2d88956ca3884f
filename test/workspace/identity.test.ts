import { expect, it } from 'vitest';
import { personRepo } from './person-repo.ts';

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

import { describe, expect, it } from 'vitest';
import { calls, keepsTheContract } from './calls.ts';

describe('restore', () => {
  it('keeps the contract of tools', () => keepsTheContract('restore', false));

  it('makes one file what it was', async () => {
    const { done, refused, read } = await calls();
    await done('delete', { path: 'b.txt' });
    await done('restore', { path: 'b.txt', from: '~1' });
    expect(read('b.txt')).toBe('b\n');
    expect(await refused('restore', { path: 'b.txt', from: '~1' })).toBe('FILE_NOT_FOUND');
  });

  it('brings back what was lost outside, and with `missing` from a commit that is named only that', async () => {
    const { done, refused, read, write, git } = await calls();
    await done('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    await done('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    git('checkout', '-q', '.');
    expect((await done('restore', { path: '.' })).paths).toMatchObject([
      { path: 'a.txt' },
      { path: 'b.txt' },
    ]);
    expect(await refused('restore', { path: '.' })).toBe('NO_CHANGE');
    git('checkout', '-q', 'a.txt');
    write('b.txt', 'mine\n');
    const { notes } = await done('restore', { path: '.', from: 'vedit/main', missing: true });
    expect([notes, read('a.txt'), read('b.txt')]).toEqual([
      ['kept, since what somebody else wrote is in them now: b.txt'],
      '1\ntwo\n3\n4\n5\n',
      'mine\n',
    ]);
  });
});

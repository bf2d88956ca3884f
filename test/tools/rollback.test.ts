import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('rollback', () => {
  it('keeps the contract of tools', () => keepsTheContract('rollback', false));

  it('goes back to a commit, only where it is told to', async () => {
    const { done, read } = await calls();
    await done('str_replace', EDIT);
    await done('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    await done('rollback', { commit: 'main', paths: ['b.txt'] });
    expect([read('a.txt').includes('two'), read('b.txt')]).toEqual([true, 'b\n']);
    expect(await done('rollback', { commit: 'main', dry_run: true })).toMatchObject({
      commit: null,
      dry_run: true,
    });
  });

  it('takes back what others edited only with_others', async () => {
    const { done, refused, read, session } = await calls();
    await done('str_replace', EDIT);
    await (await session('other')).edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    expect(await refused('rollback', { commit: '~1' })).toBe('CONFLICT');
    await done('rollback', { commit: '~1', with_others: true });
    expect([read('a.txt').includes('two'), read('b.txt')]).toEqual([true, 'b\n']);
  });
});

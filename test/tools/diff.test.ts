import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('diff', () => {
  it('keeps the contract of tools', () => keepsTheContract('diff', true));

  it('compares two commits', async () => {
    const { done } = await calls();
    await done('str_replace', EDIT);
    await done('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    expect((await done('diff', {})).paths).toMatchObject([{ path: 'a.txt' }, { path: 'b.txt' }]);
    expect((await done('diff', { from: '~1', to: '@' })).paths).toMatchObject([{ path: 'b.txt' }]);
    expect((await done('diff', { path: 'a.txt' })).diff).toContain('+two');
  });
});

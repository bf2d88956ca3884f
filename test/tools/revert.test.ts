import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('revert', () => {
  it('keeps the contract of tools', () => keepsTheContract('revert', false));

  it('takes one edit out of the middle', async () => {
    const { done, refused, read } = await calls();
    await done('str_replace', EDIT);
    await done('str_replace', { ...EDIT, old_str: '5', new_str: 'five' });
    await done('revert', { commit: '~1' });
    expect(read('a.txt')).toBe('1\n2\n3\n4\nfive\n');
    expect(await refused('revert', { commit: 'main' })).toBe('INVALID_INPUT');
  });
});

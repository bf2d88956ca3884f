import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('show', () => {
  it('keeps the contract of tools', () => keepsTheContract('show', true));

  it('shows who, why and what', async () => {
    const { done, refused } = await calls();
    await done('str_replace', EDIT);
    expect(await done('show', {})).toMatchObject({
      op: 'str_replace',
      agent: 'claude',
      reason: 'words',
      diff: expect.stringContaining('-2\n+two\n'),
    });
    expect(await refused('show', { commit: 'nothing' })).toBe('INVALID_INPUT');
  });
});

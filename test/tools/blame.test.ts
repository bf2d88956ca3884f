import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('blame', () => {
  it('keeps the contract of tools', () => keepsTheContract('blame', true));

  it('names the edit behind a line', async () => {
    const { done } = await calls();
    const { commit } = await done('str_replace', EDIT);
    const { lines } = await done('blame', { path: 'a.txt', view_range: [2, 2] });
    expect(lines).toMatchObject([{ line: 2, text: 'two', commit, agent: 'claude', reason: 'words' }]);
  });
});

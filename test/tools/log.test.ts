import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('log', () => {
  it('keeps the contract of tools', () => keepsTheContract('log', true));

  it('lists edits by path, kind and time', async () => {
    const { done, refused } = await calls();
    await done('str_replace', EDIT);
    await done('create', { path: 'c.txt', file_text: 'c' });
    const ops = async (input: unknown): Promise<unknown[]> =>
      ((await done('log', input)).entries as { op: string }[]).map(entry => entry.op);
    expect(await ops({})).toEqual(['create', 'str_replace']);
    expect(await ops({ path: 'a.txt' })).toEqual(['str_replace']);
    expect(await ops({ op: 'create', limit: 1 })).toEqual(['create']);
    expect(await ops({ session: 'other' })).toEqual([]);
    expect(await refused('log', { since: 'no time at all' })).toBe('INVALID_INPUT');
  });
});

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
});

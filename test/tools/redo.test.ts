import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('redo', () => {
  it('keeps the contract of tools', () => keepsTheContract('redo', false));

  it('puts back what was undone, until a new edit comes', async () => {
    const { done, refused, read } = await calls();
    await done('str_replace', EDIT);
    await done('undo', {});
    await done('redo', {});
    expect(read('a.txt')).toContain('two');
    await done('undo', {});
    await done('create', { path: 'c.txt', file_text: 'c' });
    expect(await refused('redo', {})).toBe('NO_CHANGE');
  });
});

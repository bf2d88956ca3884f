import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('undo', () => {
  it('keeps the contract of tools', () => keepsTheContract('undo', false));

  it('takes the own edits back, and says when there is nothing', async () => {
    const { done, refused, read } = await calls();
    await done('str_replace', EDIT);
    expect(await done('undo', {})).toMatchObject({ op: 'undo', paths: [{ path: 'a.txt' }] });
    expect(read('a.txt')).toBe('1\n2\n3\n4\n5\n');
    expect(await refused('undo', { count: 2 })).toBe('NO_CHANGE');
    expect(await refused('undo', { count: 0 })).toBe('INVALID_INPUT');
  });

  it('sent twice with one edit_id undoes once', async () => {
    const { done, read } = await calls();
    await done('str_replace', EDIT);
    await done('str_replace', { ...EDIT, old_str: '4', new_str: 'four' });
    await done('undo', { edit_id: 'u1' });
    expect(await done('undo', { edit_id: 'u1' })).toMatchObject({ repeated: true });
    expect(read('a.txt')).toBe('1\ntwo\n3\n4\n5\n');
  });
});

import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('change', () => {
  it('keeps the contract of tools', () => keepsTheContract('change', false));

  it('makes several edits one commit, or none', async () => {
    const { done, refused, git, read } = await calls();
    const edits = [
      { edit: 'str_replace', ...EDIT },
      { edit: 'create', path: 'c.txt', file_text: 'c\n' },
    ];
    expect(await refused('change', { edits: [...edits, { edit: 'delete', path: 'none.txt' }] })).toBe(
      'FILE_NOT_FOUND',
    );
    expect(read('a.txt')).toContain('2\n');
    await done('change', { edits });
    expect(git('show', '--format=%s', '--name-only', 'vedit/main').split('\n').filter(Boolean)).toEqual([
      'words (2 files)',
      'a.txt',
      'c.txt',
    ]);
  });

  it.each([[{ edits: [] }], [{ edits: [{}] }], [{ edits: [{ edit: 'nope' }] }], [{ edits: 'x' }]])(
    'refuses %j',
    async input => {
      expect(await (await calls()).refused('change', input)).toBe('INVALID_INPUT');
    },
  );
});

import { describe, expect, it } from 'vitest';
import { codeOf, personRepo } from '../workspace/person-repo.ts';

const EDIT = { path: 'a.txt', old_str: 'a', new_str: 'b' };

describe('a trail that is named', () => {
  it.each(['refs/heads/x', 'refs/tags/x', 'refs/stash', 'refs/vedit-kept/x', 'refs/'])(
    'cannot be %s, and nothing is written',
    async trail => {
      const repo = personRepo({ 'a.txt': 'a\n' });
      const session = await repo.session('s1', { trail });
      const error = await session.edit('str_replace', EDIT).catch(thrown => thrown);
      expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'trail' } });
      expect(error.message).toContain('below refs/vedit/');
      expect(error.message).toContain('Give "');
      expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
      expect(repo.read('a.txt')).toBe('a\n');
      expect(await codeOf(session.log())).toBe('INVALID_INPUT');
    },
  );

  it.each(['x', 'vedit/x', 'refs/vedit/x'])('is the same as %s', async trail => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session('s1', { trail });
    await session.edit('str_replace', EDIT);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/')).toBe('refs/vedit/x');
  });
});

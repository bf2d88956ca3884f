import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, personRepo } from '../helpers/person-repo.ts';

describe('a file that is moved to where it is', () => {
  it.each([false, true])(
    'is not changed, by whatever name that place goes; overwrite: %s',
    async overwrite => {
      const repo = personRepo({ f: '1\n' });
      symlinkSync('f', repo.path('link'));
      const agent = await repo.session();
      const codes = ['f', './f', repo.path('f'), 'link'].map(new_path =>
        codeOf(agent.edit('move', { path: 'f', new_path, overwrite })),
      );
      expect(new Set(await Promise.all(codes))).toEqual(new Set(['NO_CHANGE']));
      expect(repo.read('f')).toBe('1\n');
    },
  );
});

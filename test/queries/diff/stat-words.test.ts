import { describe, expect, it } from 'vitest';
import { statWords } from '../../../src/engine/diff-words.ts';
import { render } from '../../../src/wording.ts';

describe('the files of a change', () => {
  it('are told with what became of them, and the version to cite', () => {
    const version = '0123456789abcdef0123456789abcdef01234567';
    expect(
      statWords([
        { path: 'café', kind: 'modify', added: 1, removed: 2, version },
        { path: 'b', from: 'a', kind: 'move', added: 0, removed: 0, version },
        { path: 'c', kind: 'delete', added: 0, removed: 3, version: null },
      ]).map(line => render(line)),
    ).toEqual([
      'edited café (+1 -2), version 0123456789ab',
      'moved a to b (+0 -0), version 0123456789ab',
      'deleted c (+0 -3)',
    ]);
  });

  it('are summed up where they are many', () => {
    const files = Array.from({ length: 60 }, (_, n) => ({
      path: `f${n}`,
      kind: 'create' as const,
      added: 2,
      removed: 1,
    }));
    expect(statWords(files)).toHaveLength(51);
    expect(statWords(files).at(-1)).toBe('and 10 more files (+20 -10)');
  });
});

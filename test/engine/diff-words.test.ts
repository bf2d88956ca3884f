import { describe, expect, it } from 'vitest';
import { diffWords, MAX_DIFF } from '../../src/engine/diff-words.ts';
import { render } from '../../src/wording.ts';

const stat = (path: string, added: number) => ({ path, kind: 'modify' as const, added, removed: 0 });

describe('a diff for a model', () => {
  it('is whole where it is short', () => {
    expect(diffWords('+a\n', [stat('a', 1)], 'look there')).toBe('+a\n');
  });

  it('begins with its files where it is long, and says where the rest is', () => {
    const files = [stat('a', 9_000), stat('b', 1_000)];
    const words = render(diffWords('+abcdefg\n'.repeat(10_000), files, 'look there'));
    expect(words).toMatch(/^edited a \(\+9000 -0\)\nedited b \(\+1000 -0\)\n\n\+abcdefg\n/);
    expect(words).toMatch(/\+abcdefg\n\[cut: 3333 of 10000 lines of this diff are shown; look there\]$/);
    expect(words.length).toBeLessThan(MAX_DIFF + 200);
  });

  it('shows nothing of a line that is too long', () => {
    expect(render(diffWords(`+${'x'.repeat(MAX_DIFF)}\n`, [stat('a', 1)], 'look there'))).toBe(
      'edited a (+1 -0)\n\n[cut: 0 of 1 lines of this diff are shown; look there]',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { render } from '../../../../src/surfaces/cli/terminal/style.ts';
import { diffPieces } from '../../../../src/surfaces/cli/views/shown-diff.ts';

const plain = (pieces: Parameters<typeof render>[0]): string =>
  render(pieces, { color: false, escape: false });

describe('diffPieces', () => {
  const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ f()\n--- a\n+++ b\n c\n';

  it('keeps every byte', () => {
    expect(plain(diffPieces(diff))).toBe(diff);
    expect(plain(diffPieces(''))).toBe('');
  });

  it('puts many lines into few pieces, each of them coloured', () => {
    const long = `${diff}${'+ added\n'.repeat(5000)}`;
    const pieces = [...diffPieces(long)];
    expect(plain(pieces)).toBe(long);
    expect(pieces.length).toBeLessThan(20);
    const shown = render(pieces, { color: true, escape: true });
    expect(shown.split('\u001b[32m+ added\u001b[m\n')).toHaveLength(5001);
  });

  it('tells a removed line that begins with dashes from a header', () => {
    const styles = Array.from(diffPieces(diff), piece => (typeof piece === 'string' ? '' : piece.style));
    expect(styles).toEqual(['bold', 'cyan', '', 'red', 'green', '']);
  });
});

import { describe, expect, it } from 'vitest';
import { diffPieces } from '../../../src/surfaces/cli/diff-view.ts';
import { render } from '../../../src/surfaces/cli/style.ts';

const plain = (pieces: Parameters<typeof render>[0]): string =>
  render(pieces, { color: false, escape: false });

describe('diffPieces', () => {
  const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ f()\n--- a\n+++ b\n c\n';

  it('keeps every byte', () => {
    expect(plain(diffPieces(diff))).toBe(diff);
    expect(plain(diffPieces(''))).toBe('');
  });

  it('tells a removed line that begins with dashes from a header', () => {
    const styles = diffPieces(diff).map(piece => (typeof piece === 'string' ? '' : piece.style));
    expect(styles).toEqual(['bold', 'bold', 'bold', 'cyan', '', 'red', 'green', '']);
  });
});

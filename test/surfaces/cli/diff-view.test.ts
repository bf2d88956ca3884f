import { describe, expect, it } from 'vitest';
import { diffPieces, statPieces, statsOf } from '../../../src/surfaces/cli/diff-view.ts';
import { render } from '../../../src/surfaces/cli/style.ts';
import { repository } from '../../git/real-git.ts';

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

describe('statsOf', () => {
  it('counts as git does, and names files as git does', () => {
    const box = repository();
    box.write('two words.txt', '-- a\n++ b\n');
    box.write('ü.txt', 'x\n');
    box.write('gone.txt', 'x\ny');
    box.write('empty.txt', '');
    box.git('add', '.');
    box.git('commit', '-qm', '1');
    box.write('two words.txt', '++ b\n-- c\n');
    box.write('ü.txt', 'x\ny\n');
    box.write('new/empty.txt', '');
    box.git('rm', '-q', 'gone.txt', 'empty.txt');
    box.git('add', '.');
    box.git('commit', '-qm', '2');
    const stats = statsOf(box.git('diff', 'HEAD~', 'HEAD', '--no-renames'));
    const lines = stats.map(({ path, added, removed }) => `${added}\t${removed}\t${path}`);
    expect(lines.join('\n')).toBe(box.git('diff', '--numstat', '--no-renames', 'HEAD~', 'HEAD'));
  });

  it('names both sides of a move', () => {
    const diff = 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n';
    expect(statsOf(diff)).toEqual([{ path: 'a => b', added: 0, removed: 0 }]);
  });
});

describe('statPieces', () => {
  it('is what git diff --stat prints, for changes that fit', () => {
    const stats = [
      { path: 'a.txt', added: 2, removed: 1 },
      { path: 'src/b.txt', added: 10, removed: 0 },
    ];
    expect(plain(statPieces(stats, 80))).toBe(
      ' a.txt     |  3 ++-\n src/b.txt | 10 ++++++++++\n 2 files changed, 12 insertions(+), 1 deletion(-)\n',
    );
  });

  it('stays within the columns, and draws no change as none', () => {
    const stats = [
      { path: `${'long/'.repeat(40)}a.txt`, added: 9000, removed: 1 },
      { path: 'b', added: 0, removed: 1 },
    ];
    const lines = plain(statPieces(stats, 80)).split('\n');
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^ \.\.\..*a\.txt \| 9001 \++-$/);
    expect(lines[1]).toMatch(/\| {4}1 -$/);
  });

  it('says nothing of nothing', () => {
    expect(statPieces([], 80)).toEqual([]);
  });
});

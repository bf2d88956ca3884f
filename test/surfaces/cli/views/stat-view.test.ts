import { describe, expect, it } from 'vitest';
import type { FileStat } from '../../../../src/engine/diff-words.ts';
import { render } from '../../../../src/surfaces/cli/terminal/style.ts';
import { statPieces } from '../../../../src/surfaces/cli/views/stat-view.ts';
import { repository, type Sandbox } from '../../../helpers/real-git.ts';

const drawn = (stats: readonly FileStat[], columns: number): string =>
  render(statPieces(stats, columns), { color: false, escape: false });

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

const change = (path: string, added: number, removed: number): FileStat => ({
  path,
  kind: 'modify',
  added,
  removed,
});

/** A repository in whose index these changes are staged. */
function staged(stats: readonly FileStat[]): Sandbox {
  const box = repository();
  for (const { path, from, removed, binary } of stats)
    box.write(
      from ?? path,
      binary ? `\0${'x'.repeat(binary.bytes_before - 1)}` : `${lines(removed, 'old')}kept\n`,
    );
  box.git('add', '.');
  box.git('commit', '-qm', '1');
  for (const { path, from, added, binary } of stats) {
    if (from !== undefined) box.git('rm', '-q', '--cached', from);
    box.write(path, binary ? `\0${'y'.repeat(binary.bytes_after - 1)}` : `${lines(added, 'new')}kept\n`);
    box.git('add', path);
  }
  return box;
}

describe('statPieces', () => {
  it.each<[string, FileStat[]]>([
    ['changes that fit', [change('a.txt', 2, 1), change('src/b.txt', 10, 0)]],
    [
      'many lines',
      [change('a', 1, 0), change('b.txt', 0, 700), change('c', 300, 1000), change('d', 1, 1000)],
    ],
    [
      'long names',
      [change(`${'long/'.repeat(30)}name.txt`, 90, 1), change('b', 0, 1), change('x'.repeat(90), 1, 1)],
    ],
    ['names that git quotes', [change('ä ö.txt', 1, 1), change('a\tb', 0, 2)]],
    [
      'files that are no text',
      [
        change('a', 1, 1),
        {
          path: 'bin',
          kind: 'modify',
          added: 0,
          removed: 0,
          binary: { bytes_before: 10, bytes_after: 2000 },
        },
      ],
    ],
  ])('draws %s as git diff --stat does, however wide the terminal is', (_, stats) => {
    const box = staged(stats);
    const sorted = [...stats].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
    for (const width of [20, 40, 72, 80, 81, 132, 250])
      expect(drawn(sorted, width)).toBe(`${box.git('diff', '--cached', `--stat=${width}`)}\n`);
  });

  it.each([
    ['a.txt', 'b.txt'],
    ['src/one.ts', 'src/two.ts'],
    ['src/x/f.ts', 'src/y/f.ts'],
    ['lib/deep/f.ts', 'lib/f.ts'],
    ['g/f.ts', 'g/deep/f.ts'],
    ['a/b/c.ts', 'c.ts'],
    ['ä.txt', 'a.txt'],
  ])('names the move of %s to %s as git does', (from, path) => {
    const moved: FileStat = { path, from, kind: 'move', added: 0, removed: 0 };
    expect(drawn([moved], 80)).toBe(`${staged([moved]).git('diff', '--cached', '-M', '--stat=80')}\n`);
  });

  it('says nothing of nothing', () => {
    expect(statPieces([], 80)).toEqual([]);
  });
});

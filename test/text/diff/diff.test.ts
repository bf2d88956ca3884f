import { readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/text/diff/diff.ts';
import { messyText } from '../../helpers/arbitrary.ts';
import { repository, sandbox } from '../../helpers/real-git.ts';

const modified = (oldText: string, newText: string) =>
  unifiedDiff({ oldPath: 'f', newPath: 'f', oldText, newText });

/** What git makes of its own diff without context. */
function appliedByGit(oldText: string, newText: string): string {
  const box = repository();
  box.write('f', oldText);
  box.git('add', 'f');
  box.write('f', newText);
  const patch = box.pipe('', 'diff', '-U0');
  box.write('f', oldText);
  box.pipe(patch, 'apply', '--unidiff-zero', '--whitespace=nowarn');
  return readFileSync(box.path('f'), 'utf8');
}

describe('unifiedDiff', () => {
  it('is empty for equal texts', () => {
    expect(modified('a\n', 'a\n')).toEqual({ text: '', changes: [], added: 0, removed: 0 });
  });

  it('is what git prints', () => {
    const box = repository();
    const ten = Array.from({ length: 10 }, (_, i) => `l${i + 1}\n`).join('');
    const newText = ten.replace('l2\n', 'L2\n').replace('l10\n', 'l10');
    box.write('f', ten);
    box.git('add', 'f');
    box.write('f', newText);
    const printed = box.git('diff').replace(/^index .*\n/m, '');
    const diff = modified(ten, newText);
    expect(diff.text.trimEnd()).toBe(printed);
    expect(box.git('diff', '--numstat')).toBe(`${diff.added}\t${diff.removed}\tf`);
  });

  it('prints files that come, go and move as git does', () => {
    const box = repository();
    for (const name of ['gone', 'old name', 'mode', 'empty'])
      box.write(name, name === 'empty' ? '' : name === 'gone' ? 'gone\n' : 'a\nb\n');
    box.git('add', '.');
    box.git('commit', '-q', '-m', 'x');
    box.git('rm', '-q', 'gone', 'empty');
    box.git('mv', 'old name', 'caf\u00e9');
    box.write('new', 'x');
    box.git('add', 'new');
    box.git('update-index', '--chmod=+x', 'mode');
    const text = 'a\nb\n';
    const diffs = [
      { oldPath: 'old name', newPath: 'caf\u00e9', oldText: text, newText: text },
      { oldPath: 'empty', newPath: 'empty', oldText: '', newText: null },
      { oldPath: 'gone', newPath: 'gone', oldText: 'gone\n', newText: null },
      {
        oldPath: 'mode',
        newPath: 'mode',
        oldText: text,
        newText: text,
        oldMode: '100644',
        newMode: '100755',
      },
      { oldPath: 'new', newPath: 'new', oldText: null, newText: 'x' },
    ];
    const printed = box.git('diff', '--cached', '-M').replace(/^index .*\n/gm, '');
    expect(
      diffs
        .map(input => unifiedDiff(input).text)
        .join('')
        .trimEnd(),
    ).toBe(printed);
  });

  it('prints a line for what is not text', () => {
    const diff = unifiedDiff({ oldPath: 'a b', newPath: 'a b', oldText: '', newText: null, binary: true });
    expect(diff.text).toBe(
      'diff --git a/a b b/a b\ndeleted file mode 100644\nBinary files a/a b and /dev/null differ\n',
    );
  });

  it('gives git apply what it needs to make the new files, byte for byte', () => {
    const name = fc.constantFrom('', ' sp ace', 'é', '"q"', 'tab\t', 'back\\slash', '-dash', '日本');
    const side = fc.option(messyText, { nil: null, freq: 6 });
    const change = fc.record({
      oldText: side,
      newText: side,
      name,
      moved: fc.boolean(),
      context: fc.constantFrom(0, 1, 3),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 60, maxLength: 60 }), changes => {
        const box = sandbox();
        const files = changes.map(({ oldText, newText, name, moved, context }, i) => {
          const oldPath = `d/${i}${name}`;
          const newPath = moved && oldText !== null && newText !== null ? `${oldPath}.moved` : oldPath;
          return {
            oldPath,
            newPath,
            oldText,
            newText: oldText === null ? (newText ?? '') : newText,
            context,
          };
        });
        for (const { oldPath, oldText } of files) if (oldText !== null) box.write(oldPath, oldText);
        const patch = files.map(file => unifiedDiff(file).text).join('');
        if (patch !== '') box.pipe(patch, 'apply', '--unidiff-zero', '--whitespace=nowarn', '-');
        for (const { newPath, oldText, newText, context } of files) {
          if (newText !== null) {
            const text = readFileSync(box.path(newPath), 'utf8');
            // Without context git misplaces what its own diff says of some lines that repeat, `}\r\n}` without its end for one.
            const expected =
              context === 0 && text !== newText ? appliedByGit(oldText ?? '', newText) : newText;
            expect(text).toBe(expected);
          } else expect(() => statSync(box.path(newPath))).toThrow();
        }
      }),
      { numRuns: 8 },
    );
  });

  it('changes a mode through git apply', () => {
    const box = sandbox();
    box.write('f', 'a\n');
    const input = { oldPath: 'f', newPath: 'f', oldText: 'a\n', newText: 'b\n', newMode: '100755' };
    box.pipe(unifiedDiff(input).text, 'apply', '-');
    expect(statSync(box.path('f')).mode & 0o111).not.toBe(0);
  });

  it('is right when it is not the shortest', () => {
    const numbers = (step: number): string =>
      Array.from({ length: 3000 }, (_, i) => `${(i * step) % 97}\n`).join('');
    const input = {
      oldPath: 'f',
      newPath: 'f',
      oldText: `a\n${numbers(31)}z`,
      newText: `a\n${numbers(53)}z\n`,
    };
    const diff = unifiedDiff(input);
    const box = sandbox();
    box.write('f', input.oldText);
    box.pipe(diff.text, 'apply', '-');
    expect(readFileSync(box.path('f'), 'utf8')).toBe(input.newText);
  });
});

describe('counts', () => {
  it('of lines that are added and removed', () => {
    const counts = (oldText: string, newText: string): object => {
      const { added, removed } = unifiedDiff({ oldPath: 'f', newPath: 'f', oldText, newText });
      return { added, removed };
    };
    expect(counts('a\nb\nc\n', 'a\nX\nY\nc')).toEqual({ added: 3, removed: 2 });
    expect(counts('', 'a\n')).toEqual({ added: 1, removed: 0 });
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileContent, merge, mergeFile } from '../../../src/text/diff/merge.ts';
import { Branches } from '../../helpers/branches.ts';

const numbers = (n: number): string => Array.from({ length: n }, (_, i) => `${i + 1}\n`).join('');

describe('three-way merge', () => {
  it('joins changes of different places', () => {
    const base = numbers(9);
    expect(merge(base, base.replace('2\n', 'two\n'), base.replace('8\n', ''))).toBe(
      '1\ntwo\n3\n4\n5\n6\n7\n9\n',
    );
  });

  it('takes what both sides did alike once', () => {
    expect(merge('a\nb\nc\n', 'a\nX\nc\n', 'a\nX\nc\n')).toBe('a\nX\nc\n');
  });

  it('names the region that both changed', () => {
    const result = merge('a\nb\nc\nd\n', 'a\nours\nc\nd\n', 'a\ntheirs\nc\nD\n');
    expect(result).toEqual([{ start_line: 2, end_line: 2, present: 'ours\n', wanted: 'theirs\n' }]);
  });

  it('keeps every line end as its side has it', () => {
    expect(merge('a\r\nb\nc\r\nd\r\n', 'A\r\nb\nc\r\nd\r\n', 'a\r\nb\nc\r\nd')).toBe('A\r\nb\nc\r\nd');
    expect(merge('a\rb\rc\rd\r', 'A\rb\rc\rd\r', 'a\rb\rc\rD\r')).toBe('A\rb\rc\rD\r');
  });

  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    .map(lines => lines.map(line => `${line}\n`).join(''));

  it('one side alone is that side; the order of the sides does not matter', () => {
    const branches = new Branches('clean', 'conflict');
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(merge(base, ours, base)).toBe(ours);
        expect(merge(base, base, theirs)).toBe(theirs);
        expect(merge(base, ours, ours)).toBe(ours);
        const there = merge(base, ours, theirs);
        const back = merge(base, theirs, ours);
        expect(typeof back).toBe(typeof there);
        branches.ran(typeof there === 'string' ? 'clean' : 'conflict');
        if (typeof there === 'string') expect(back).toBe(there);
      }),
    );
    branches.expectAll();
  });

  it('agrees with git merge-file where lines differ from each other', () => {
    const dir = mkdtempSync(join(tmpdir(), 'vedit-merge-'));
    const branches = new Branches('clean', 'conflict');
    const base = numbers(30);
    const edit = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 29 }), fc.constantFrom('change', 'delete', 'insert')),
      { maxLength: 4 },
    );
    const apply = (edits: [number, string][], mark: string): string => {
      const lines = base.split(/(?<=\n)/);
      for (const [at, kind] of edits)
        lines[at] =
          kind === 'delete' ? '' : kind === 'change' ? `${mark}${at}\n` : `${mark}+${at}\n${at + 1}\n`;
      return lines.join('');
    };
    fc.assert(
      fc.property(edit, edit, (a, b) => {
        const ours = apply(a, 'o');
        const theirs = apply(b, 't');
        for (const [name, content] of Object.entries({ base, ours, theirs }))
          writeFileSync(join(dir, name), content);
        const git = spawnSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], {
          cwd: dir,
          encoding: 'utf8',
        });
        const result = merge(base, ours, theirs);
        expect(typeof result === 'string').toBe(git.status === 0);
        branches.ran(typeof result === 'string' ? 'clean' : 'conflict');
        if (typeof result === 'string') expect(result).toBe(git.stdout);
      }),
      { numRuns: 150 },
    );
    branches.expectAll();
    rmSync(dir, { recursive: true });
  });
});

describe('the merge of a file', () => {
  const file = (text: string | Uint8Array): FileContent => {
    return { bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text, version: '' };
  };
  const merged = (...[base, ours, theirs]: readonly string[]): unknown => {
    const result = mergeFile('a.txt', file(base!), file(ours!), file(theirs!));
    return 'content' in result
      ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(result.content)
      : result.conflict;
  };

  it('takes a byte order mark that one side added or removed', () => {
    expect(merged('1\n2\n3\n', '\ufeff1\n2\n3\n', '1\n2\nthree\n')).toBe('\ufeff1\n2\nthree\n');
    expect(merged('\ufeff1\n2\n3\n', '\ufeff1\n2\nthree\n', '1\n2\n3\n')).toBe('1\n2\nthree\n');
  });

  it('names the lines that both changed, as ours has them', () => {
    expect(merged('1\n2\n3\n', '0\n1\nII\n3\n', '1\ntwo\n3\n')).toEqual([
      { start_line: 3, end_line: 3, present: 'II\n', wanted: 'two\n' },
    ]);
  });

  it('of what is no text there is none', () => {
    const text = file('1\n');
    expect(() => mergeFile('a.txt', text, text, file(new Uint8Array([0])))).toThrow(/binary/);
  });
});

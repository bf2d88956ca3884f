import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { occurrences } from '../../../src/text/search/match.ts';
import { alreadyThere, nearestText } from '../../../src/text/search/nearest.ts';

const nearest = (text: string, old: string) => nearestText(linesOf(text), old).nearest;

const CODE = [
  'export function load(path: string) {',
  '  if (!path) {',
  '    throw new Error("no path");',
  '  }',
  '  return read(path);',
  '}',
  '',
  'export function save(path: string, text: string) {',
  '  if (!path) {',
  '    throw new Error("no path");',
  '  }',
  '  return write(path, text);',
  '}',
  '',
].join('\n');

describe('nearestText', () => {
  it.each([
    ['indentation', 'export function load(path: string) {\n    if (!path) {', 1, 2],
    [
      'indentation',
      '\tif (!path) {\n\t\tthrow new Error("no path");\n\t}\n\treturn write(path, text);',
      9,
      12,
    ],
    ['line-number prefix', '     5\t  return read(path);\n     6\t}', 5, 6],
    ['escapes', '  return read(path);\\n}', 5, 6],
    ['quotes', 'throw new Error(“no path”);\n  }\n  return write', 10, 12],
    ['letter case', 'return Read(path);', 5, 5],
    ['blanks', 'export function save(path:string, text:string) {', 8, 8],
    ['trailing blanks', '  return read(path);   \n}', 5, 6],
    ['blank lines', '  return read(path);\n}\nexport function save', 5, 8],
    ['code fence', '```\n  return read(path);\n}\n```', 5, 6],
    ['diff marks', '-  return read(path);\n-}', 5, 6],
    ['line breaks', 'return\n  read(path);', 5, 5],
  ])('%s: the exact text, to be sent as it is', (kind, old, startLine, endLine) => {
    const found = nearest(CODE, old);
    expect(found).toMatchObject({ kinds: [kind], startLine, endLine, exactOnce: true, places: 1 });
    expect(occurrences(CODE, found!.text, 100).count).toBe(1);
  });

  it('says so when the same is at several places', () => {
    const found = nearest(CODE, '    if (!path) {');
    expect(found).toMatchObject({ kinds: ['indentation'], startLine: 2, exactOnce: false, places: 2 });
  });

  it('takes the place with the fewest differences', () => {
    expect(nearest('  FOO  (x)\n  foo (x)\n', 'foo(x)')).toMatchObject({ startLine: 2, kinds: ['blanks'] });
  });

  it('names all that differs when it is more than one thing', () => {
    const found = nearest(CODE, '\tthrow new Error(‘no path’);');
    expect(found?.kinds).toContain('text');
    expect(nearest(CODE, '\treturn  Write(path, text);')).toMatchObject({
      kinds: ['indentation', 'letter case', 'blanks'],
      text: '  return write(path, text);',
      exactOnce: true,
    });
  });

  it.each([
    [
      'another line',
      'export function save(path: string, text: string) {\n  if (path) {\n    throw new Error("no path");\n  }',
      'line 9 has `!path` where old_str has `path`',
      9,
    ],
    [
      'lines left out',
      'export function save(path: string, text: string) {\n  return write(path, text);\n}',
      'old_str leaves out lines 9-11: `  if (!path) {`',
      9,
    ],
    [
      'a line too many',
      '  return read(path);\n  log(path);\n}',
      'old_str has 1 line that the file does not have after line 5: `  log(path);`',
      6,
    ],
    [
      'a line before the first',
      'import x;\nexport function load(path: string) {',
      'old_str has 1 line that the file does not have before line 1: `import x;`',
      1,
    ],
    [
      'a line after the last',
      '  return write(path, text);\n}\nmore();',
      'old_str has 1 line that the file does not have after the end of the file: `more();`',
      13,
    ],
  ])('tells where the lines part: %s', (_, old, words, differsAt) => {
    const found = nearest(CODE, old);
    expect(found).toMatchObject({ kinds: ['text'], exactOnce: false, differsAt });
    expect(found?.difference).toBe(words);
  });

  it.each([
    [
      'a mark left out',
      'const a = 1;\nconst b = 2;\n',
      'const a = 1\nconst b = 2;',
      'line 1 goes on with `;` where old_str ends the line',
    ],
    [
      'a mark too many',
      'const a = 1\nconst b = 2;\n',
      'const a = 1;\nconst b = 2;',
      'line 1 ends where old_str goes on with `;`',
    ],
    [
      'a break moved',
      'a();\nb();\nc();\n',
      'a()\n;b();\nc();',
      'the lines break at other places, first at line 1 of the file, `a();`',
    ],
    [
      'a character moved',
      'x\u200by = 1;\n',
      'xy\u200b = 1;',
      'in line 1 the file has a zero-width space (U+200B) elsewhere than old_str',
    ],
  ])('names what differs, and nothing that is the same: %s', (_, text, old, words) => {
    expect(nearest(text, old)?.difference).toBe(words);
  });

  it('counts further places and names hidden differences before them', () => {
    const old =
      'export function save(path: string, text: string) {\n\tif (!path) {\n    throw Error();\n  }\n  return write(text);\n}';
    expect(nearest(CODE, old)?.difference).toBe(
      'line 10 of the file is `    throw new Error("no path");` where old_str has `    throw Error();`; 1 more place after that; ' +
        'line 9 is indented with 2 spaces in the file, with 1 tab in old_str',
    );
  });

  it('finds a similar line when no line is the same', () => {
    expect(nearest(CODE, 'return wirte(path, text);')).toMatchObject({
      startLine: 12,
      endLine: 12,
      kinds: ['text'],
    });
    expect(nearest(CODE, '12: return wirte(path, text);')?.kinds).toEqual(['line-number prefix', 'text']);
  });

  it('finds nothing where nothing is alike', () => {
    expect([nearest(CODE, 'completely unrelated'), nearest(CODE, '     '), nearest('', 'a')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('sees through Unicode forms', () => {
    expect(nearest('e\u0301\n', 'é')).toMatchObject({
      kinds: ['Unicode form'],
      text: 'e\u0301',
      exactOnce: true,
    });
  });

  it("gives the file's own line ends", () => {
    expect(nearest('a  \r\nbc\r\n', 'a\nbc')?.text).toBe('a  \r\nbc');
  });

  it('says how much it searched', () => {
    expect(nearestText(linesOf(CODE), 'zzz').searchedLines).toBe(13);
    const large = linesOf('abc def ghi\n'.repeat(800_000));
    expect(nearestText(large, 'zzz').searchedLines).toBeLessThan(large.count);
  });
});

describe('one mistake in a copied text', () => {
  const MISTAKES: ReadonlyArray<[string, (lines: string[]) => string[]]> = [
    ['indentation', lines => lines.map(line => `  ${line}`)],
    [
      'indentation',
      lines => lines.map(line => line.replace(/^ +/, blanks => '\t'.repeat(blanks.length / 2))),
    ],
    ['trailing blanks', lines => lines.map(line => `${line}  `)],
    ['line-number prefix', lines => lines.map((line, i) => `${String(i + 7).padStart(6)}\t${line}`)],
    ['quotes', lines => lines.map(line => line.replaceAll('"', '”'))],
    ['dashes', lines => lines.map(line => line.replaceAll('-', '–'))],
    ['special spaces', lines => lines.map(line => line.replace(' = ', ' =\u00a0'))],
    ['letter case', lines => lines.map(line => line.replace('value', 'Value'))],
    ['blanks', lines => lines.map(line => line.replace(' = ', '='))],
    ['escapes', lines => lines.map(line => line.replaceAll('"', '\\"'))],
    ['diff marks', lines => lines.map(line => `-${line}`)],
  ];
  const line = (i: number): string => `${'  '.repeat(1 + (i % 3))}value${i} = call("x-${i}", ${i});`;
  const copied = fc.record({
    end: fc.constantFrom('\n', '\r\n'),
    count: fc.integer({ min: 1, max: 40 }),
    from: fc.nat(39),
    size: fc.integer({ min: 1, max: 6 }),
    mistake: fc.constantFrom(...MISTAKES),
  });

  it('is found, named and answered with the exact text', () => {
    fc.assert(
      fc.property(copied, ({ end, count, from, size, mistake: [kind, make] }) => {
        fc.pre(from < count);
        const lines = Array.from({ length: count }, (_, i) => line(i));
        const text = lines.map(one => one + end).join('');
        const meant = lines.slice(from, from + size);
        const found = nearest(text, make(meant).join('\n'));
        expect(found).toMatchObject({
          kinds: [kind],
          startLine: from + 1,
          endLine: from + meant.length,
          exactOnce: true,
        });
        expect(found!.text.trimStart()).toBe(meant.join(end).trimStart());
      }),
      { numRuns: 400 },
    );
  });
});

describe('alreadyThere', () => {
  it('says where a text is and how often', () => {
    const lines = linesOf('a\nnew text\nb\nnew text\n');
    expect(alreadyThere(lines, 'new text')).toEqual({ line: 2, count: 2, lines: [2, 4] });
    expect([alreadyThere(lines, 'other'), alreadyThere(lines, ' \n'), alreadyThere(lines, '')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

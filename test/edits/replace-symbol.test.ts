import { beforeAll, describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/edits/edit.ts';
import { parseInput } from '../../src/edits/input.ts';
import { loadSymbols } from '../../src/edits/symbols.ts';
import { isEditError } from '../../src/errors.ts';
import { edit, file } from './planning.ts';

beforeAll(() => loadSymbols('a.ts', 'a.json', 'a.yml', 'a.toml', 'a.md'));

/** The text of a file after an edit; of a refusal its code. */
function edited(name: string, path: string, text: string, input: object): string {
  const known = edit(name);
  const files = new Map([[path, file(path, text)]]);
  try {
    const parsed = parseInput(known, { path, ...input }) as never;
    known.check?.(parsed);
    const changes = known.plan(parsed, files);
    return applyChanges(files, changes).get(path)!.text;
  } catch (error) {
    if (!isEditError(error)) throw error;
    return error.code;
  }
}

const CLASS = 'class A {\n  /** Doc. */\n  m() {\n    return 1;\n  }\n\n  n() {}\n}\n';
const JSON_TEXT = '{\n  "a": 1, // one\n  "b": {\n    "c": 2\n  }\n}\n';

describe('replace_symbol', () => {
  it.each([
    [
      'a method',
      'a.ts',
      CLASS,
      { symbol: 'A.m', new_content: '  m() {\n    return 2;\n  }' },
      CLASS.replace('1', '2'),
    ],
    [
      'with its comment',
      'a.ts',
      CLASS,
      { symbol: 'm', new_content: '  m() {}\n', with_doc: true },
      'class A {\n  m() {}\n\n  n() {}\n}\n',
    ],
    ['by nothing', 'a.ts', CLASS, { symbol: 'm', with_doc: true }, 'class A {\n\n  n() {}\n}\n'],
    [
      'in a file with CRLF',
      'a.ts',
      'f();\r\nfunction g() {}\r\n',
      { symbol: 'g', new_content: 'function g() {\n}\n' },
      'f();\r\nfunction g() {\r\n}\r\n',
    ],
    [
      'a key, the comma kept',
      'a.json',
      JSON_TEXT,
      { symbol: 'a', new_content: '  "a": 2\n' },
      JSON_TEXT.replace('1,', '2,'),
    ],
    [
      'a key, the comma given',
      'a.json',
      JSON_TEXT,
      { symbol: 'a', new_content: '  "a": 2,' },
      JSON_TEXT.replace('1,', '2,'),
    ],
    [
      'the last key, a comma given',
      'a.json',
      JSON_TEXT,
      { symbol: 'b.c', new_content: '    "c": 3,\n' },
      JSON_TEXT.replace('2', '3'),
    ],
    ['the last key, by nothing', 'a.json', JSON_TEXT, { symbol: 'b' }, '{\n  "a": 1 // one\n}\n'],
    [
      'a key of YAML',
      'a.yml',
      'a: 1 # one\nb:\n  c: 2\n',
      { symbol: 'b.c', new_content: '  c: 3\n' },
      'a: 1 # one\nb:\n  c: 3\n',
    ],
    [
      'a table of TOML',
      'a.toml',
      '# c\n[a]\nb = 1\n\n[c]\nd = 2\n',
      { symbol: 'a', new_content: '[a]\nb = 2\n' },
      '# c\n[a]\nb = 2\n\n[c]\nd = 2\n',
    ],
    [
      'a section',
      'a.md',
      '# A\n\nx\n\n## B\n\ny\n',
      { symbol: '#B', new_content: '## B\n\nz' },
      '# A\n\nx\n\n## B\n\nz\n',
    ],
    ['what is so already', 'a.ts', CLASS, { symbol: 'n', new_content: '  n() {}' }, 'NO_CHANGE'],
    ['what is not there', 'a.ts', CLASS, { symbol: 'x', new_content: '' }, 'NO_MATCH'],
    ['what is there twice', 'a.ts', `${CLASS}${CLASS}`, { symbol: 'm', new_content: '' }, 'AMBIGUOUS'],
    [
      'one of two',
      'a.ts',
      'f(1);\nfunction f() {}\nfunction f() {}\n',
      { symbol: 'f#2' },
      'f(1);\nfunction f() {}\n',
    ],
    ['one key of a line', 'a.json', '{ "a": 1, "b": 2 }\n', { symbol: 'a' }, 'INVALID_INPUT'],
  ])('replaces %s', (_, path, text, input, after) => {
    expect(edited('replace_symbol', path, text, input)).toBe(after);
  });
});

describe('insert', () => {
  it.each([
    [
      'before a symbol and its comment',
      'a.ts',
      CLASS,
      { before_symbol: 'm', insert_text: '  l() {}' },
      CLASS.replace('  /**', '  l() {}\n  /**'),
    ],
    [
      'after a symbol',
      'a.ts',
      CLASS,
      { after_symbol: 'm', insert_text: '  l() {}' },
      CLASS.replace('  }\n\n', '  }\n  l() {}\n\n'),
    ],
    [
      'after a key',
      'a.json',
      JSON_TEXT,
      { after_symbol: 'a', insert_text: '  "x": 0' },
      JSON_TEXT.replace('one\n', 'one\n  "x": 0,\n'),
    ],
    [
      'after the last key',
      'a.json',
      JSON_TEXT,
      { after_symbol: 'b.c', insert_text: '    "x": 0,' },
      JSON_TEXT.replace('2\n', '2,\n    "x": 0\n'),
    ],
    [
      'before a key',
      'a.json',
      JSON_TEXT,
      { before_symbol: 'b.c', insert_text: '    "x": 0\n' },
      JSON_TEXT.replace('    "c"', '    "x": 0,\n    "c"'),
    ],
    [
      'at two places',
      'a.ts',
      CLASS,
      { before_symbol: 'm', insert_line: 1, insert_text: 'x' },
      'INVALID_INPUT',
    ],
  ])('inserts %s', (_, path, text, input, after) => {
    expect(edited('insert', path, text, input)).toBe(after);
  });
});

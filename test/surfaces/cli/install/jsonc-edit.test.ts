import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  UneditableError,
  valueAt,
  withAppended,
  without,
  withValue,
} from '../../../../src/surfaces/cli/install/jsonc-edit.ts';

const SERVER = { command: 'vedit', args: ['mcp'] };
const PATH = ['mcpServers', 'vedit'];

/** Settings as people keep them; each with a server of their own. */
const SETTINGS: ReadonlyArray<readonly [string, string]> = [
  ['two blanks', '{\n  "mcpServers": {\n    "own": { "command": "x" }\n  }\n}\n'],
  ['tabs, no final line end', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"own": {}\n\t}\n}'],
  [
    'CRLF and a byte order mark',
    '\ufeff{\r\n  "mcpServers": {\r\n    "own": {}\r\n  },\r\n  "z": [1]\r\n}\r\n',
  ],
  [
    'comments',
    '// mine\n{\n  /* all */ "mcpServers": { // these\n    // the first\n    "own": {} // it\n    // the end\n  }\n}\n',
  ],
  ['trailing commas', '{\n  "mcpServers": {\n    "own": {}, // it\n  },\n}\n'],
  ['one line', '{"mcpServers":{"own":{}},"z":1}'],
  [
    'a text that looks like a comment',
    '{\n  "url": "http://x", "mcpServers": {\n    "own": { "a": "/* no */" }\n  }\n}\n',
  ],
];

describe.each(SETTINGS)('settings with %s', (_, text) => {
  const put = withValue(text, PATH, SERVER);

  it('get the entry, and keep all that they had', () => {
    expect(valueAt(put, PATH)).toEqual(SERVER);
    expect(valueAt(put, ['mcpServers', 'own'])).toEqual(valueAt(text, ['mcpServers', 'own']));
    const kept = text.split(/\r?\n/).filter(line => line.trim() !== '');
    const missing = kept.filter(
      line => !put.replaceAll(',', '').includes(line.replaceAll(',', '').trimEnd().replace(/\}+$/, '')),
    );
    expect(missing.filter(line => !text.startsWith('{"') && line !== '')).toEqual([]);
  });

  it('are byte for byte what they were when it is taken out', () => {
    expect(without(put, PATH)).toBe(text);
  });

  it('have the new value when it is put in again', () => {
    const again = withValue(put, PATH, { command: 'other' });
    expect(valueAt(again, PATH)).toEqual({ command: 'other' });
    expect(without(again, PATH)).toBe(text);
  });
});

describe('an entry', () => {
  it.each([
    [
      '',
      '{  "mcpServers": {\n    "vedit": {\n      "command": "vedit",\n      "args": [\n        "mcp"\n      ]\n    }\n  }}',
    ],
    [
      '{}',
      '{ "mcpServers": {\n    "vedit": {\n      "command": "vedit",\n      "args": [\n        "mcp"\n      ]\n    }\n  }}',
    ],
  ])('is put into %j', (text, expected) => {
    expect(withValue(text, PATH, SERVER)).toBe(expected);
  });

  it('is put before a comment that is alone', () => {
    expect(withValue('{\n  // none yet\n}\n', ['a'], 1)).toBe('{ "a": 1\n  // none yet\n}\n');
  });

  it.each([
    ...['{}', '{ }', '{\n}\n', '{  }', '{ /* c */ }', '{ // c\n}', '\n', '   \n\n', '{"a":1,}', '{"a":1, }'],
    ...[
      '{"mcpServers":{}}',
      '{ "mcpServers": { } }',
      '{\n  "mcpServers": {\n  }\n}',
      '{ "mcpServers": {}, }',
    ],
    ...['{\r\n}\r\n', '\ufeff{}', '{\n "a": 1 }', '{\n  "a": 1, // x\n  // y\n}\n', '{\n  "a": 1 // x\n}'],
  ])('leaves %j as it was when it goes', text => {
    const put = withValue(text, PATH, SERVER);
    expect(valueAt(put, PATH)).toEqual(SERVER);
    expect(without(put, PATH)).toBe(text);
  });

  it('takes the objects with it that held nothing else, and no comment', () => {
    expect(without('{\n  "a": 1,\n  "b": {\n    "c": {}\n  }\n}\n', ['b', 'c'])).toBe('{\n  "a": 1\n}\n');
    expect(without('{\n  "b": {\n    // mine\n    "c": {}\n  }\n}\n', ['b', 'c'])).toBe(
      '{\n  "b": {\n    // mine\n  }\n}\n',
    );
    expect(without('{"a":1}', ['b', 'c'])).toBe('{"a":1}');
  });

  it('is not put where there is something else', () => {
    expect(() => withValue('{"mcpServers": []}', PATH, 1)).toThrow('mcpServers is not an object');
    expect(() => withValue('[1]', PATH, 1)).toThrow('what is in it is not an object');
    expect(() => withAppended('{"a": {}}', ['a'], 1)).toThrow('a is not a list there');
  });
});

describe('an item of a list', () => {
  it.each([
    ...['{}', '{"hooks":{}}', '{"hooks": { "A": [] }}', '{\n  "hooks": {\n    "A": [ ]\n  }\n}\n'],
    ...['{"hooks":{"A":[1,]}}', '{"hooks":{"A":[\n  1\n]}}', '\n', '{ "x": 1 }'],
  ])('leaves %j as it was when it goes', text => {
    const twice = withAppended(withAppended(text, ['hooks', 'A'], { a: 1 }), ['hooks', 'B'], { b: 1 });
    expect(valueAt(twice, ['hooks', 'B'])).toEqual([{ b: 1 }]);
    const list = valueAt(twice, ['hooks', 'A']) as unknown[];
    expect(without(without(twice, ['hooks', 'B', 0]), ['hooks', 'A', list.length - 1])).toBe(text);
  });

  it('comes after the others, and goes again', () => {
    const text = '{\n  "a": [\n    // first\n    { "x": 1 }\n  ]\n}\n';
    const put = withAppended(text, ['a'], { y: 2 });
    expect(valueAt(put, ['a'])).toEqual([{ x: 1 }, { y: 2 }]);
    expect(without(put, ['a', 1])).toBe(text);
    expect(valueAt(withAppended('', ['a', 'b'], 1), ['a', 'b'])).toEqual([1]);
  });
});

describe('a text that is not JSON', () => {
  it.each(['{', '{"a" 1}', '{"a": 1 "b": 2}', '{} x', '{"a": nul}', '[1,,2]', '/* open', '{"a": "\n"}'])(
    '%j',
    text => {
      expect(() => valueAt(text, [])).toThrow(UneditableError);
      expect(() => valueAt(text, [])).toThrow('it is not JSON at line');
    },
  );

  it('is named where it is nested deeper than any settings', () => {
    expect(() => valueAt('['.repeat(100_000), [])).toThrow('line 1');
  });

  it('is named with its line', () => {
    expect(() => valueAt('{\n  "a": 1\n  "b": 2\n}', [])).toThrow('line 3');
  });
});

describe('any JSON', () => {
  it('is read as JSON.parse reads it, and comes back after an entry came and went', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2, '\t'), fc.string(), (value, indent, key) => {
        fc.pre(
          !Object.hasOwn(value, key) && key !== '__proto__' && !JSON.stringify(value).includes('__proto__'),
        );
        const text = JSON.stringify(value, null, indent);
        expect(valueAt(text, [])).toEqual(JSON.parse(text));
        const put = withValue(text, [key], SERVER);
        expect(JSON.parse(put)).toEqual({ ...JSON.parse(text), [key]: SERVER });
        expect(without(put, [key])).toBe(text);
      }),
    );
  });
});

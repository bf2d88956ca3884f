import { describe, expect, it } from 'vitest';
import { findAll, findOne } from '../../src/edits/str-replace.ts';
import { EditError } from '../../src/errors.ts';
import type { FindOptions } from '../../src/text/search/match.ts';

const file = (text: string) => ({ path: 'src/a.ts', text });

function refused(text: string, old: string, options: FindOptions = {}): EditError {
  try {
    findOne(file(text), old, options);
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
  throw new Error('was found');
}

describe('findOne', () => {
  it('is the place of the only occurrence', () => {
    expect(findOne(file('a\r\nb\r\n'), 'a\nb')).toEqual({ start: 0, end: 4 });
  });
});

describe('findAll', () => {
  it('is every place, without overlaps', () => {
    expect(findAll(file('aaaa'), 'aa')).toHaveLength(2);
    expect(() => findAll(file('a'), 'b')).toThrow(EditError);
  });

  it('refuses more than a million', () => {
    expect(() => findAll(file('a'.repeat(1_000_001)), 'a')).toThrow(/occurs 1000001 times.*at most 1000000/);
  });
});

describe('NO_MATCH', () => {
  it('gives the exact text to send', () => {
    const error = refused('\tif (a) {\n\t\tfoo();\n\t}\n', '    if (a) {\n        foo();\n    }');
    expect(error.code).toBe('NO_MATCH');
    expect(error.message).toBe(
      [
        'old_str does not occur in src/a.ts. Nothing was changed.',
        'Lines 1-3 differ only in this: the file indents lines 1-3 with tabs, old_str with spaces. If you mean them, send as old_str (and indent new_str so, too):',
        '```',
        '\tif (a) {',
        '\t\tfoo();',
        '\t}',
        '```',
      ].join('\n'),
    );
    expect(error.data).toEqual({
      path: 'src/a.ts',
      nearest: {
        start_line: 1,
        end_line: 3,
        text: '\tif (a) {\n\t\tfoo();\n\t}',
        difference: expect.stringContaining('with tabs'),
        kinds: ['indentation'],
        exact_once: true,
        places: 1,
      },
      already_there: null,
      searched_lines: 3,
    });
  });

  it('shows the lines of the file where the text itself differs', () => {
    const error = refused('a\nfoo(1);\nb\n', 'a\nfoo(2);\nb');
    expect(error.message).toContain(
      'First difference: line 2 of the file is `foo(1);` where old_str has `foo(2);`.',
    );
    expect(error.message).toContain('The file has:\n```\na\nfoo(1);\nb\n```');
  });

  it('asks for lines around a text that is at several places', () => {
    const error = refused('let x = 1;\nlet x = 1;\n', 'let X = 1;');
    expect(error.message).toContain(
      'The nearest text is at 2 places, first at line 1, and differs only in this',
    );
    expect(error.message).toContain('send it as old_str with some of the lines around it');
  });

  it('says when the change was made before, at the place that may be meant', () => {
    const options = { replacement: 'const b = 2;' };
    expect(refused('const b = 2;\n', 'const a = 1;', options).message).toContain(
      'new_str is already in the file (line 1): this change may have been made before.',
    );
    const far = `const a = 2;\n${'x\n'.repeat(30)}const b = 2;\n`;
    expect(refused(far, 'const a = 1;', options).message).not.toContain('already');
    expect(refused('const b = 2;\nconst b = 2;\n', 'const a = 1;', options).message).toContain(
      '(lines 1 and 2)',
    );
  });

  it.each(['x', 'return', '}', '  });\n', '123456789'])(
    'does not say so of %j, which any file has',
    replacement => {
      const error = refused(`${replacement}\nconst a = 2;\n`, 'const a = 1;', { replacement });
      expect(error.message).not.toContain('already');
      expect(error.data.already_there).toBeNull();
    },
  );

  it('calls an ellipsis that, where the file has none', () => {
    const old = 'function f() {\n  // ... existing code ...\n  return 2;\n}';
    const { message } = refused('function f() {\n  const a = 1;\n  return 2;\n}\n', old);
    expect(message).toContain(
      'old_str holds an ellipsis (`// ... existing code ...`), which is not a wildcard',
    );
    expect(refused('f(...a);\ng();\n', 'f(...b);\ng();').message).not.toContain('wildcard');
  });

  it('names the places that are as near', () => {
    const block = 'def x(r):\n    a(r)\n    return r\n\n';
    const error = refused(block.repeat(3), '    a(r)\n    return s\n');
    expect(error.message).toContain('The nearest text is lines 2-3 (as near: lines 6, 10).');
  });

  it('lets the line that differs decide between equal blocks', () => {
    const block = (n: number): string => `open()\ncall(${n}, first)\nclose()\n\n`;
    const { message } = refused(block(1) + block(22) + block(3), 'open()\ncall(22, second)\nclose()\n');
    expect(message).toContain('The nearest text is lines 5-7. First difference: line 6');
    expect(message).not.toContain('as near');
  });

  it('lays a text beside the place where all of it is, though a line of the file is left out', () => {
    const text = 'f() {\n  open();\n  check();\n  close();\n}\ng() {\n  open();\n}\n';
    expect(refused(text, '  open();\n  close();\n}').message).toContain(
      'The nearest text is lines 2-5. First difference: old_str leaves out line 3: `  check();`.',
    );
  });

  it.each([
    ['an empty file', '', 'a', 'The file is empty.'],
    ['only white space', 'a\n', '   ', 'old_str is only white space ("   ")'],
    [
      'nothing alike',
      'a\nb\n',
      'something else',
      'Nothing in the file (2 lines) is much like `something else`.',
    ],
  ])('of %s', (_, text, old, words) => {
    const error = refused(text, old);
    expect(error.message).toContain(words);
    expect(error.data.nearest).toBeNull();
  });

  it('shows a long text around its first difference', () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line number ${i}`);
    const error = refused(lines.join('\n'), lines.join('\n').replace('number 150', 'number x'));
    expect(error.message).toContain('\nline number 150\n');
    expect(error.message).not.toContain('line number 20\n');
  });

  it("speaks the caller's words", () => {
    const error = refused('new text\n  b\n', 'new text\nb', {
      name: 'the SEARCH text',
      replacement: 'new text',
      replacementName: 'the REPLACE text',
    });
    expect(error.message).toMatch(/^the SEARCH text does not occur/);
    expect(error.message).toContain('the REPLACE text is already in the file');
    expect(error.message).not.toMatch(/old_str|new_str/);
  });

  it('cuts what it shows of a very long text', () => {
    const long = 'x = 1\n'.repeat(2000);
    const error = refused(long.replaceAll('x', '  x'), long);
    expect(error.message.length).toBeLessThan(6000);
    expect(error.message).toContain('more characters; view the lines for the rest');
  });
});

describe('AMBIGUOUS', () => {
  const text = 'def a(t):\n    return validate(t)\n\n\n\n\ndef b(t):\n    return validate(t)\n';

  it('gives the count, the lines and what tells them apart', () => {
    const error = refused(text, 'validate(t)', { allField: 'replace_all' });
    expect(error.code).toBe('AMBIGUOUS');
    expect(error.message).toBe(
      [
        'old_str occurs 2 times in src/a.ts, on lines 2 and 8. Nothing was changed.',
        'Send old_str with lines around it, so that it names one place, or set replace_all: true to change both. Found only once:',
        '[1] lines 1-2',
        'def a(t):',
        '    return validate(t)',
        '[2] lines 7-8',
        'def b(t):',
        '    return validate(t)',
      ].join('\n'),
    );
    expect(error.data).toMatchObject({
      count: 2,
      lines: [2, 8],
      occurrences: [
        { line: 2, end_line: 2, column: 12, unique_text: 'def a(t):\n    return validate(t)' },
        { line: 8, end_line: 8, column: 12, unique_text: 'def b(t):\n    return validate(t)' },
      ],
    });
  });

  it.each([
    [
      'the line before',
      'a\nx\nb\nx\n',
      'x',
      'the line before it, or set all: true to change both. Before it stand:\nline 1: a\nline 3: b',
    ],
    [
      'the lines before',
      'a\nk\nx\nz\nb\nk\nx\nz\n',
      'x',
      'the 2 lines before it, or set all: true to change both. Before it stand:\nlines 1-2:\na\nk\nlines 5-6:\nb\nk',
    ],
    ['as many as it takes', 'a\nx\nb\nk\nx\nc\nk\nx\nd\n', 'x', null],
    [
      'the line behind',
      'k\nx\na\nk\nx\nb\n',
      'x',
      'the line behind it, or set all: true to change both. Behind it stand:\nline 3: a\nline 6: b',
    ],
    ['no lines beside a part of one', 'a\nf(x)\nb\nf(x)\n', 'x', null],
    ['no lines beside long ones', `${'a'.repeat(300)}\nx\n${'b'.repeat(300)}\nx\n`, 'x', null],
  ])('shows what to send besides, where that is enough: %s', (_, text, old, words) => {
    const { message } = refused(text, old, { allField: 'all' });
    if (words === null) expect(message).toContain('Found only once:');
    else
      expect(message).toBe(
        `old_str occurs 2 times in src/a.ts, on lines ${message.match(/lines (\d+ and \d+)/)![1]}. Nothing was changed.\nSend it with ${words}`,
      );
  });

  it('tells places on one line apart by column', () => {
    const { message } = refused('foo foo\n', 'foo');
    expect(message).toContain('on line 1 at columns 1 and 5');
    expect(message).toContain('[1] line 1, column 1\n[2] line 1, column 5\n     1\tfoo foo');
    expect(message).not.toContain('replace_all');
  });

  it('shows the part of a long line around each place', () => {
    const { message } = refused(`${'x'.repeat(3000)}HERE${'y'.repeat(3000)}HERE\n`, 'HERE');
    expect(message.match(/HERE/g)).toHaveLength(2);
    expect(message.length).toBeLessThan(1200);
  });

  it('lists ten and counts the rest', () => {
    const error = refused('return;\n'.repeat(50), 'return');
    expect(error.message).toContain('[10] line 10');
    expect(error.message).not.toContain('[11]');
    expect(error.message).toContain('... and 40 more places.');
    expect(error.data.count).toBe(50);
    expect(error.data.cut_fields).toEqual([{ field: 'occurrences', length: 50, kept: 10 }]);
  });

  it('points to line numbers when the places look the same', () => {
    const { message } = refused('return;\n'.repeat(50), 'return', { allField: 'replace_all' });
    expect(message).toContain(
      'Their surroundings are alike: name one by its line numbers with replace_lines, or set replace_all: true to change all 50.',
    );
  });

  it('leaves out the middle of places that have very many lines', () => {
    const { message } = refused('}\n'.repeat(3000), '}\n'.repeat(1000));
    expect(message.length).toBeLessThan(4000);
  });
});

describe('hostile input', () => {
  it.each([
    ['one unit over and over', 'a'.repeat(2_000_000), `${'a'.repeat(500_000)}b`],
    ['blank lines', '\n'.repeat(1_000_000), `${'\n'.repeat(500_000)}x`],
    ['brackets', '}\n'.repeat(500_000), `${'}\n'.repeat(50_000)}{\n`],
    ['blanks', `${' '.repeat(2_000_000)}x`, `${' '.repeat(1_000_000)}\tx`],
    ['look-alike characters', '“'.repeat(200_000), '"'.repeat(100_000)],
    ['combining marks', `e${'\u0301'.repeat(500_000)}`, `é${'\u0301'.repeat(300_000)}x`],
    ['line-number prefixes', '1: a\n'.repeat(300_000), '12: 1: b\n'.repeat(30_000)],
    ['backslashes', '\\n'.repeat(1_000_000), '\\\\n'.repeat(300_000)],
    ['fences', '`'.repeat(1_000_000), `${'`'.repeat(1_000_000)} x`],
  ])('comes to an end: %s', (_, text, old) => {
    const error = refused(text, old);
    expect(error.code).toBe('NO_MATCH');
    expect(error.message.length).toBeLessThan(20_000);
  });

  it('comes to an end with hundreds of thousands of places', () => {
    const error = refused('ab\n'.repeat(300_000), 'b\na');
    expect(error.data.count).toBe(299_999);
    expect(error.data.cut_fields).toEqual([
      { field: 'lines', length: 299_999, kept: 200 },
      { field: 'occurrences', length: 299_999, kept: 10 },
    ]);
  });
});

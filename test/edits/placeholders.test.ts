import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlaceholder, placeholderNotes } from '../../src/edits/placeholders.ts';
import { file, planned } from './planning.ts';

describe('isPlaceholder', () => {
  it.each([
    '// ... existing code ...',
    '    # ... rest of the code ...',
    '/* ... unchanged ... */',
    '<!-- rest of the file remains the same -->',
    '// rest of methods ...',
    '(rest of methods ...)',
    '  ... other imports',
    '-- … remaining lines …',
    '// the remaining functions stay unchanged',
    '{/* ... existing code ... */}',
  ])('is true of %j', line => expect(isPlaceholder(line)).toBe(true));

  it.each([
    '...args',
    'f(...rest);',
    '// see the existing code for why',
    'const rest = { ...other };',
    '# Rest of the file',
    'Loading ...',
    '// TODO: handle other methods',
    'The rest of the code is described in another chapter ... and the remaining functions are explained there, too.',
    '',
  ])('is false of %j', line => expect(isPlaceholder(line)).toBe(false));
});

describe('placeholderNotes', () => {
  const notes = (edit: string, before: string | null, input: object): string[] =>
    placeholderNotes(planned(edit, before, input), new Map([['f.txt', file('f.txt', before)]]));

  it('names what an edit puts in', () => {
    const words = [
      'the new text of f.txt holds `// ... existing code ...` as it stands, which reads like a stand-in for text that was left out',
    ];
    const text = 'a();\n// ... existing code ...\n';
    expect(notes('str_replace', 'a();\nb();\n', { old_str: 'b();\n', new_str: text })).toEqual(words);
    expect(notes('create', null, { file_text: text })).toEqual(words);
    expect(notes('insert', 'a();\n', { insert_line: 1, insert_text: text })).toEqual(words);
  });

  it('says nothing of a line that was there', () => {
    const before = 'a();\n  // ... existing code ...\nb();\n';
    const file_text = '// ... existing code ...\nc();\n';
    expect(notes('create', before, { file_text, overwrite: true })).toEqual([]);
  });

  it('finds every such line, wherever it stands', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '// ... existing code ...',
        '  # ... other imports',
        'a();',
        '',
        'in other words, code',
      ),
      fc.nat(130).map(indent => `${' '.repeat(indent)}... rest of the lines`),
      fc.nat(130).map(length => `// ... unchanged ${'x'.repeat(length)}`),
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 8 })
      .map(lines => lines.flat().join(''));
    fc.assert(
      fc.property(text, line, (all, last) => {
        const lines = (all + last).split(/\r\n|\n|\r/).filter(isPlaceholder);
        const [note] = notes('create', null, { file_text: all + last });
        expect(note !== undefined).toBe(lines.length > 0);
        for (const one of [...new Set(lines.map(found => found.trim()))].slice(0, 2))
          expect(note).toContain(`\`${one}\``);
      }),
    );
  });
});

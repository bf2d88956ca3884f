import { describe, expect, it } from 'vitest';
import { EditError, prefixed } from '../src/errors.ts';
import {
  fieldName,
  ifField,
  ifTool,
  Look,
  look,
  optionWords,
  pathName,
  render,
  toolName,
  type Vocabulary,
} from '../src/wording.ts';

const WORDS = `${fieldName('old_str')} is not in ${pathName('a.txt')}. ${Look()} it${ifTool('create', `, or use ${toolName('create')}${ifField('overwrite', ` with ${fieldName('overwrite')}`)}`)}.`;

const VOCABULARIES: ReadonlyArray<readonly [name: string, words: Vocabulary, message: string]> = [
  ['everything', {}, 'old_str is not in a.txt. View it, or use create with overwrite.'],
  ['nothing', { tools: {} }, 'old_str is not in a.txt. Look at it.'],
  [
    'other names',
    {
      tools: { view: 'read_file', create: 'write_file' },
      fields: { old_str: 'old_string', overwrite: null },
      path: path => `/${path}`,
    },
    'old_string is not in /a.txt. Use read_file on it, or use write_file.',
  ],
  ['a verb', { tools: { view: 'read' } }, 'old_str is not in a.txt. Read it.'],
];

describe('a message', () => {
  it.each(VOCABULARIES)('for a reader who has %s', (_name, words, message) => {
    expect(render(WORDS, words)).toBe(message);
  });

  it('quotes characters whose second half is that of a mark', () => {
    const name = '\u{1f400}\u{1f401}\u{1f402}.txt';
    expect(render(`${pathName(name)} ${name}`)).toBe(`${name} ${name}`);
    expect(render(name)).toBe(name);
  });

  it('says an option as a program gives it, or as a flag', () => {
    const words = `${optionWords('withOutside', true)}, ${optionWords('keep', 'mine')}, ${fieldName('from')}`;
    expect(render(words)).toBe('withOutside: true, keep: "mine", from');
    const fields = { withOutside: '--with-outside', keep: '--keep', from: '--from' };
    expect(render(words, { fields })).toBe('--with-outside, --keep mine, --from');
  });

  it('names another tool for folders, or none', () => {
    const words = `${look('folder')} src, ${look()} src/a`;
    expect(render(words, { tools: { view: 'read_file', list: 'ls' } })).toBe(
      'use ls on src, use read_file on src/a',
    );
    expect(render(words, { tools: { view: 'read', list: '' } })).toBe('look at src, read src/a');
    expect(render(words)).toBe('view src, view src/a');
  });

  it('of a refusal is in the own words of the engine, and can be said in others, also with words before it', () => {
    const error = new EditError('FILE_EXISTS', WORDS, { path: 'a.txt' });
    expect(error.message).toBe('old_str is not in a.txt. View it, or use create with overwrite.');
    const second = prefixed(error, 'edit 2 of 3: ', { edit: 2 });
    const said = EditError.render(second, { tools: {}, fields: { old_str: 'old_text' } });
    expect(said.message).toBe('edit 2 of 3: old_text is not in a.txt. Look at it.');
    expect(said).toMatchObject({ code: 'FILE_EXISTS', data: { path: 'a.txt', edit: 2 } });
    expect(EditError.render(said, {})).toBe(said);
    const data = { nearest: { words: [WORDS] }, line: 1 };
    expect(new EditError('INVALID_INPUT', 'x', data).data).toEqual({
      nearest: { words: [error.message] },
      line: 1,
    });
  });
});

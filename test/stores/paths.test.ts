import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { checkPath, foldsTo, type PathOptions } from '../../src/stores/paths.ts';

interface Case {
  id: string;
  input: string;
  verdict: 'allow' | 'reject';
  verdict_win32?: 'reject';
  normalized?: string;
  code?: string;
}

const url = new URL('../conformance/hostile-paths.json', import.meta.url);
const cases = (JSON.parse(readFileSync(url, 'utf8')) as { lexical: Case[] }).lexical;

/** The code of the engine for each code of the list. */
const CODES: Record<string, string> = {
  EMPTY: 'INVALID_INPUT',
  NOT_A_FILE: 'INVALID_INPUT',
  EMPTY_COMPONENT: 'INVALID_INPUT',
  ABSOLUTE: 'OUTSIDE_WORKSPACE',
  HOME_EXPANSION: 'OUTSIDE_WORKSPACE',
  DRIVE_PREFIX: 'OUTSIDE_WORKSPACE',
  BACKSLASH: 'OUTSIDE_WORKSPACE',
  CONTROL_CHARACTER: 'INVALID_INPUT',
  BIDI_CONTROL: 'INVALID_INPUT',
  BAD_UNICODE: 'INVALID_INPUT',
  DOT_GIT: 'PROTECTED_PATH',
  PROTECTED_FILE: 'PROTECTED_PATH',
  TOO_LONG: 'INVALID_INPUT',
};

function refusal(path: unknown, options?: PathOptions): EditError {
  try {
    checkPath(path, options);
  } catch (error) {
    expect(error).toBeInstanceOf(EditError);
    return error as EditError;
  }
  throw new Error(`accepted: ${JSON.stringify(path)}`);
}

describe('the list of hostile paths', () => {
  test.each(cases.filter(c => c.verdict === 'reject'))('$id is refused: $reason', ({ input, code }) => {
    const error = refusal(input);
    const canonical = code === 'DOT_COMPONENT' && input === 'a/./b';
    expect(error.code).toBe(canonical ? 'INVALID_INPUT' : (CODES[code!] ?? 'OUTSIDE_WORKSPACE'));
    expect(refusal(input, { windows: true }).code).toBe(error.code);
  });

  test.each(cases.filter(c => c.verdict === 'allow'))('$id is kept as given: $reason', c => {
    expect(checkPath(c.input)).toBe(c.normalized ?? c.input);
    if (c.verdict_win32) expect(refusal(c.input, { windows: true }).code).toBe('INVALID_INPUT');
    else expect(checkPath(c.input, { windows: true })).toBe(c.normalized ?? c.input);
  });

  test('is not empty', () => expect(cases.length).toBeGreaterThan(100));
});

describe('spellings of git folders', () => {
  test.each([
    '.git',
    '.GIT',
    '.git...',
    '.git . .',
    'git~1',
    'GIT~9',
    'git~2.',
    '.gi\u200dt',
    '\ufeff.git',
    '.git:x',
    '.ｇｉｔ：x',
    '.git／config',
    'a＼.git',
  ])('%j is .git', name => {
    expect(foldsTo(name)).toBe('.git');
    expect(refusal(`a/${name}/config`).code).toBe('PROTECTED_PATH');
  });

  test.each([
    '.gitmodules',
    '.GitModules ',
    '.gitmodules::$DATA',
    'gitmod~1',
    'GITMOD~4',
    'gi7eba~1',
    'gi7e~123',
    '.git\u200cmodules',
  ])('%j is .gitmodules, editable only when allowed', name => {
    expect(foldsTo(name)).toBe('.gitmodules');
    expect(refusal(name).code).toBe('PROTECTED_PATH');
    expect(checkPath(name, { gitmodules: true })).toBe(name);
  });

  test.each(['. ', '.. ', '.. .', '. .', '‥', '.:x', '\u200c..', '..／x'])('%j is . or ..', name => {
    expect(foldsTo(name)).toBe('dots');
    expect(refusal(`a/${name}`).code).toBe('OUTSIDE_WORKSPACE');
  });

  test.each(['...', ' ', 'gitmod~5', 'git~0', 'git~10', 'gi7eba~12', '.git-x', '.gitmodules2', '…', '½'])(
    '%j is an ordinary name',
    name => {
      expect(foldsTo(name)).toBe(null);
      expect(checkPath(`a/${name}`)).toBe(`a/${name}`);
    },
  );
});

describe('absolute paths', () => {
  test('inside the root are taken relative to it', () => {
    expect(checkPath('/w/repo/a/b', { root: '/w/repo' })).toBe('a/b');
    expect(checkPath('/w/repo/a', { root: ['/other', '/w/repo/'] })).toBe('a');
    expect(checkPath('C:/w/a', { root: 'C:/w' })).toBe('a');
    expect(checkPath('/a', { root: '/' })).toBe('a');
  });

  test.each(['/w/repo-evil/a', '/w/repo/../x', '/w/repo//etc/passwd', '//w/repo/a', '/w', '/W/repo/a'])(
    '%s is not inside /w/repo',
    path => {
      expect(refusal(path, { root: '/w/repo' }).code).toBe('OUTSIDE_WORKSPACE');
    },
  );

  test('the root itself is no file', () => {
    expect(refusal('/w/repo', { root: '/w/repo' }).code).toBe('INVALID_INPUT');
    expect(refusal('/w/repo/', { root: '/w/repo' }).code).toBe('INVALID_INPUT');
  });
});

describe('folders', () => {
  test.each(['', '.', './', '/w', '/w/', '/w/.'])('%j is the root', path => {
    expect(checkPath(path, { folder: true, root: '/w' })).toBe('');
  });

  test('a trailing slash is dropped, all else holds', () => {
    expect(checkPath('src/', { folder: true })).toBe('src');
    expect(checkPath('./src', { folder: true })).toBe('src');
    for (const path of ['src//', '/', '..', '../', '.git/', '~/']) refusal(path, { folder: true });
  });
});

describe('messages', () => {
  test.each([
    ['a\\b', 'a/b'],
    ['a//b', 'a/b'],
    ['a/./b/', 'a/b'],
  ])('%j names the spelling that works', (path, suggestion) => {
    const error = refusal(path);
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.data).toMatchObject({ path, suggestion });
    expect(error.message).toContain(`"${suggestion}"`);
  });

  test('hold no character that acts on a terminal, and are short', () => {
    const { message } = refusal(`\u001b[2J\u202e\u2028\u0085${'x'.repeat(5000)}`);
    expect(message).toMatch(/^[\x20-\x7e]*$/);
    expect(message.length).toBeLessThan(400);
  });

  test.each([null, undefined, 7, {}, ['a']])('%j is no path', path => {
    expect(refusal(path).code).toBe('INVALID_INPUT');
  });
});

describe('any text', () => {
  const pieces = [
    ...new Set(cases.flatMap(c => [c.input, ...c.input.split(/(?<=[/\\:.~ ])|(?=[/\\:.~ ])/)])),
  ];
  const piece = fc.constantFrom(
    ...pieces.filter(text => text.length < 300),
    '/',
    '/',
    '..',
    '.',
    '~',
    '\u200c',
  );
  const path = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map(parts => parts.join('')),
    fc.array(piece, { maxLength: 8 }).map(parts => parts.join('/')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );

  test('is refused with a code, or answered as a path that stays inside and means the same again', () => {
    const root = '/top/root';
    fc.assert(
      fc.property(path, fc.boolean(), (text, windows) => {
        let answer: string;
        try {
          answer = checkPath(text, { root, windows });
        } catch (error) {
          expect(['OUTSIDE_WORKSPACE', 'PROTECTED_PATH', 'INVALID_INPUT']).toContain(
            (error as EditError).code,
          );
          return;
        }
        expect(checkPath(answer, { root, windows })).toBe(answer);
        expect(posix.join(root, answer)).toBe(`${root}/${answer}`);
        expect(answer).not.toMatch(/(^|\/)(\.git|git~[1-9])[. ]*(:|\/|$)/i);
        expect(text.endsWith(answer)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('with one refused component among good ones is refused', () => {
    const bad = fc.constantFrom(
      '..',
      '.',
      '',
      '.git',
      '.GIT.',
      'git~1',
      '.g\u200cit',
      'a\u0000',
      '.. ',
      '.gitmodules',
    );
    const good = fc.array(fc.constantFrom('a', 'src', '..foo', '.github'), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(good, bad, good, (before, component, after) => {
        refusal([...before, component, ...after].join('/'));
      }),
    );
  });
});

/** Every docstring can be read alone. */

import { describe, expect, it } from 'vitest';
import { sources } from '../helpers/source.ts';
import { unreadable } from './docstrings.ts';

const found = [...sources('src')].flatMap(([path, text]) => unreadable(path, text));
it('begin with a verb, or with the name of what they are about', () => {
  expect(found).toEqual([]);
});

describe('the reader of docstrings', () => {
  it.each(['What it does.', 'Of everything.', 'So many lines.', 'The same for bytes.', 'How much.'])(
    'finds %s',
    words => {
      expect(unreadable('a.ts', `/**\n * ${words}\n */\nconst a = 1;`)).toEqual([`a.ts:1 ${words}`]);
      expect(unreadable('a.ts', `const a = 1;\n  /** ${words} */`)).toEqual([`a.ts:2 ${words}`]);
    },
  );

  it.each([
    '/** Whatever it was. */',
    '/** Officially. */',
    '// What it does.',
    'a("/** What it does. */");',
  ])('lets %s pass', text => expect(unreadable('a.ts', text)).toEqual([]));
});

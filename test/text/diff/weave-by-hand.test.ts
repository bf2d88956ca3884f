/** What a person did to a file by hand, told from what edits did. */

import { describe, expect, it } from 'vitest';
import { ALL, BASE, made, type Step, with_, woven } from './weave-steps.ts';

/** Name, the steps, what stands with all edits, which of them are rejected, and which reduced. */
const HANDS: ReadonlyArray<readonly [string, Step[], string | null, string[], string[]]> = [
  [
    'all restored',
    [{ e1: made({ one: 'ONE' }) }, { e2: made({ one: 'ONE', four: '4' }) }, { hand: BASE }],
    BASE,
    ['e1', 'e2'],
    [],
  ],
  [
    'one of two hunks restored',
    [{ e1: made({ one: 'ONE', four: '4' }) }, { hand: made({ four: '4' }) }],
    made({ four: '4' }),
    [],
    ['e1'],
  ],
  [
    'one of two edits restored',
    [{ e1: made({ one: 'ONE' }) }, { e2: made({ one: 'ONE', four: '4' }) }, { hand: made({ one: 'ONE' }) }],
    made({ one: 'ONE' }),
    ['e2'],
    [],
  ],
  [
    'one of three lines of a hunk restored',
    [{ e1: made({ two: '2', three: '3', four: '4' }) }, { hand: made({ two: '2', four: '4' }) }],
    made({ two: '2', four: '4' }),
    [],
    ['e1'],
  ],
  [
    'an edit of the same line restored, of which an earlier one is left',
    [{ e1: made({ two: '2' }) }, { e2: made({ two: 'II' }) }, { hand: made({ two: '2' }) }],
    made({ two: '2' }),
    ['e2'],
    [],
  ],
  [
    'both edits of a line restored',
    [{ e1: made({ two: '2' }) }, { e2: made({ two: 'II' }) }, { hand: BASE }],
    BASE,
    ['e1', 'e2'],
    [],
  ],
  [
    'both edits of a line restored, beside a line of another one',
    [
      { e1: made({ two: '2' }) },
      { e2: made({ two: 'II' }) },
      { e3: made({ two: 'II', three: '3' }) },
      { hand: made({ three: '3' }) },
    ],
    made({ three: '3' }),
    ['e1', 'e2'],
    [],
  ],
  [
    'a line that was put in is deleted',
    [{ e1: made({ two: 'two\na\nb' }) }, { hand: made({ two: 'two\na' }) }],
    made({ two: 'two\na' }),
    [],
    ['e1'],
  ],
  [
    'a line that was replaced is deleted: the rest of that is the person’s own',
    [{ e1: made({ two: '2' }) }, { hand: made({ two: null }) }],
    BASE,
    ['e1'],
    [],
  ],
  [
    'a deleted line is back',
    [{ e1: made({ two: null, four: null }) }, { hand: made({ two: null }) }],
    made({ two: null }),
    [],
    ['e1'],
  ],
  [
    'text of one’s own elsewhere',
    [{ e1: made({ one: 'ONE' }) }, { hand: made({ one: 'ONE', five: 'mine\nfive' }) }],
    made({ one: 'ONE' }),
    [],
    [],
  ],
  [
    'text of one’s own in the middle of an edit’s',
    [{ e1: made({ two: 'a\nb' }) }, { hand: made({ two: 'a\nmine\nb' }) }],
    made({ two: 'a\nb' }),
    [],
    [],
  ],
  [
    'text of one’s own in place of an edit’s',
    [{ e1: made({ two: '2' }) }, { hand: made({ two: 'mine' }) }],
    BASE,
    ['e1'],
    [],
  ],
  [
    'restored, then edited again',
    [{ e1: made({ two: '2' }) }, { hand: BASE }, { e2: made({ two: 'II' }) }],
    made({ two: 'II' }),
    ['e1'],
    [],
  ],
  [
    'restored, and brought back again',
    [{ e1: made({ two: '2' }) }, { hand: BASE }, { hand: made({ two: '2' }) }],
    made({ two: '2' }),
    [],
    [],
  ],
  ['a file deleted', [{ e1: made({ two: '2', three: null }) }, { hand: null }], BASE, ['e1'], []],
  [
    'a file deleted and brought back as it was',
    [{ e1: made({ two: '2' }) }, { hand: null }, { hand: made({ two: '2' }) }],
    made({ two: '2' }),
    [],
    [],
  ],
  [
    'a file deleted, and restored by another edit',
    [{ e1: made({ two: '2' }) }, { hand: null }, { e2: made({ two: '2' }) }],
    made({ two: '2' }),
    [],
    [],
  ],
  [
    'a file deleted, and made anew by another edit',
    [{ e1: made({ two: '2' }) }, { hand: null }, { e2: 'one\nnew\n' }],
    'one\nnew\n',
    ['e1'],
    [],
  ],
  [
    'restored, and brought back by another edit',
    [{ e1: made({ two: '2' }) }, { hand: BASE }, { e2: made({ two: '2' }) }],
    made({ two: '2' }),
    [],
    [],
  ],
  ['a file recreated', [{ e1: made({ two: '2' }) }, { hand: 'quite another\n' }], BASE, ['e1'], []],
  ['a new file deleted', [{ e1: null }, { e2: 'n\n' }, { hand: null }], null, ['e2'], []],
  ['a new file recreated', [{ e1: null }, { e2: 'n\nm\n' }, { hand: 'mine\n' }], null, ['e2'], []],
  ['a new file emptied', [{ e1: null }, { e2: 'n\n' }, { hand: '' }], null, ['e2'], []],
  ['a new file with a line less', [{ e1: null }, { e2: 'n\nm\n' }, { hand: 'n\n' }], 'n\n', [], ['e2']],
  ['a deleted file restored', [{ e1: null }, { hand: BASE }], BASE, ['e1'], []],
  ['a deleted file written anew', [{ e1: null }, { hand: 'mine\n' }], BASE, ['e1'], []],
  ['a last line that was ended', [{ e1: 'one\nTWO' }, { hand: 'one\nTWO\n' }], 'one\nTWO', [], []],
];

describe('what the person did by hand', () => {
  it.each(HANDS)('%s', (name, steps, text, rejected, reduced) => {
    const isNew = name.startsWith('a new file');
    const weave = woven(isNew ? null : BASE, ...(isNew ? steps.slice(1) : steps));
    expect(weave.text(ALL)).toBe(text);
    const answers = weave.answers();
    expect([[...answers.rejected].sort(), [...answers.reduced].sort()]).toEqual([rejected, reduced]);
    expect([weave.revised(ALL), [...weave.unfounded(ALL)]]).toEqual([[], []]);
  });

  it('a line between others that were written anew has not come back', () => {
    const block = 'if (a) {\n  b();\n}\n';
    const weave = woven(`${BASE}${block}`, { e1: BASE }, { hand: `${BASE}while (c) {\n  d();\n}\n` });
    expect(weave.text(ALL)).toBe(BASE);
    expect(weave.answers().rejected.size).toBe(0);
  });

  it('a line that an edit took out has come back, also beside one of the person’s own', () => {
    const weave = woven(BASE, { e1: made({ two: null }) }, { hand: made({ two: 'two\nmine' }) });
    expect([weave.text(ALL), [...weave.answers().rejected]]).toEqual([BASE, ['e1']]);
  });

  it('what another HEAD took out does not come back as an edit', () => {
    const weave = woven(
      BASE,
      { e1: made({ one: 'ONE' }) },
      { base: made({ one: 'ONE', four: null }) },
      { hand: made({ one: 'ONE' }) },
    );
    expect(weave.text(ALL)).toBe(made({ one: 'ONE', four: null }));
  });

  it('a replaced part of what an edit wrote cannot be told from it', () => {
    const weave = woven(null, { e1: 'a\nb\nc\n' }, { hand: 'own\na\nB\nc\n' });
    expect(weave.revised(with_('e1'))).toEqual([{ line: 3, edits: ['e1'] }]);
    expect(weave.revised(with_('e2'))).toEqual([]);
    weave.hand('own\na\nc\n');
    expect([weave.revised(with_('e1')), weave.text(with_('e1'))]).toEqual([[], 'a\nc\n']);
  });

  it('an edit of what the person wrote has no ground without it', () => {
    const weave = woven(BASE, { hand: made({ two: 'mine' }) }, { e1: made({ two: 'mine, better' }) });
    expect([...weave.unfounded(ALL)]).toEqual(['e1']);
    const own = woven(null, { hand: 'mine\n' }, { e1: 'mine\nmore\n' });
    expect([...own.unfounded(ALL)]).toEqual(['e1']);
  });

  it('an edit in place of what the person deleted has none either', () => {
    const weave = woven(
      BASE,
      { hand: made({ two: null, three: null }) },
      { e1: made({ two: 'new', three: null }) },
    );
    expect([...weave.unfounded(ALL)]).toEqual(['e1']);
  });

  it('an edit of what another one wrote has none without that', () => {
    const weave = woven(
      BASE,
      { e1: made({ two: '2' }) },
      { e2: made({ two: 'II' }) },
      { hand: made({ two: 'II', five: '5' }) },
    );
    expect([...weave.unfounded(with_('e2'))]).toEqual(['e2']);
    expect(weave.text(with_('e1'))).toBe(made({ two: '2' }));
  });
});

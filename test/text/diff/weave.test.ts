import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Weave } from '../../../src/text/diff/weave.ts';

const BASE = 'one\ntwo\nthree\nfour\nfive\n';

type Step = {
  e1?: string | null;
  e2?: string | null;
  e3?: string | null;
  hand?: string | null;
  base?: string | null;
};

function woven(base: string | null, ...steps: Step[]): Weave {
  const weave = new Weave(base);
  for (const step of steps) {
    const [[who, text]] = Object.entries(step) as [[string, string | null]];
    if (who === 'hand') weave.hand(text);
    else if (who === 'base') weave.base(text);
    else weave.edit(who, text);
  }
  return weave;
}

const with_ = (...edits: string[]): Set<string> => new Set(edits);
const ALL = with_('e1', 'e2', 'e3');

/** BASE with some of its lines replaced; `null` leaves one out. */
function made(lines: Readonly<Record<string, string | null>>, text = BASE): string {
  return text.replace(/(.+)\n/g, (line, word) =>
    word in lines ? (lines[word] === null ? '' : `${lines[word]}\n`) : line,
  );
}

describe('the text with some of the edits', () => {
  const weave = woven(BASE, { e1: made({ one: 'ONE' }) }, { e2: made({ one: 'ONE', four: 'FOUR\n4' }) });

  it.each([
    [with_(), BASE],
    [with_('e1'), made({ one: 'ONE' })],
    [with_('e2'), made({ four: 'FOUR\n4' })],
    [ALL, made({ one: 'ONE', four: 'FOUR\n4' })],
  ])('%s', (edits, text) => {
    expect(weave.text(edits)).toBe(text);
    expect([...weave.unfounded(edits)]).toEqual([]);
  });

  it('of a file that one of them made, or deleted', () => {
    const made = woven(null, { e1: 'a\n' }, { e2: 'a\nb\n' }, { e3: null });
    expect([with_(), with_('e1'), with_('e1', 'e2'), ALL].map(edits => made.text(edits))).toEqual([
      null,
      'a\n',
      'a\nb\n',
      null,
    ]);
    expect(made.text(with_('e2'))).toBe(undefined);
    expect([...made.unfounded(with_('e2'))]).toEqual(['e2']);
  });

  it('with a base that moved in between', () => {
    const moved = woven(
      BASE,
      { e1: made({ one: 'ONE' }) },
      { base: made({ one: 'ONE', five: '5' }) },
      { e2: made({ one: 'ONE', five: '5', three: null }) },
    );
    expect(moved.text(with_())).toBe(made({ five: '5' }));
    expect(moved.text(with_('e2'))).toBe(made({ five: '5', three: null }));
  });

  it('ends a line that is not the last one any more', () => {
    const weave = woven(null, { e1: 'a' }, { hand: 'a\nmine\n' }, { e2: 'a\nmine\nb\n' });
    expect(weave.text(ALL)).toBe('a\nb\n');
  });
});

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

/** Steps that replace some lines by new ones, or by what the base had there. */
const steps = fc.array(
  fc.record({
    who: fc.constantFrom('e1', 'e2', 'e3', 'hand', 'hand'),
    start: fc.nat(6),
    count: fc.nat(3),
    fresh: fc.nat(3),
    restores: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('any steps', () => {
  it('what stands is in the file, or the base’s; and all that was restored is', () => {
    const base = BASE.split('\n').slice(0, -1);
    fc.assert(
      fc.property(steps, list => {
        const weave = new Weave(BASE);
        let lines = base;
        let hands = 0;
        for (const [at, { who, start, count, fresh, restores }] of list.entries()) {
          const own = Array.from({ length: fresh }, (_, n) => `${who}-${at}-${n}`);
          const put = restores && who === 'hand' ? base.slice(start, start + count) : own;
          lines = [...lines.slice(0, start), ...put, ...lines.slice(start + count)];
          const text = lines.map(line => `${line}\n`).join('');
          if (who === 'hand') hands++;
          if (who === 'hand') weave.hand(text);
          else weave.edit(who, text);
        }
        const stands = weave.text(ALL)!.split('\n').slice(0, -1);
        expect(stands.filter(line => !lines.includes(line) && !base.includes(line))).toEqual([]);
        expect(stands.filter(line => line.startsWith('hand'))).toEqual([]);
        if (hands === 0) expect(stands).toEqual(lines);
        expect(weave.text(new Set())).toBe(BASE);
        weave.hand(BASE);
        expect(weave.text(ALL)).toBe(BASE);
      }),
      { numRuns: 2_000 },
    );
  });
});

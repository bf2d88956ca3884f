import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Placement, Weave, type WovenRow } from '../../../src/trail/history/weave.ts';

/** Lines of a text, one a word: `one two }`. */
const rows = (words: string): string[] => words.split(' ').filter(Boolean);

/** The weave of a base and of steps whose ids are their numbers. */
function woven(base: string, ...steps: string[]): Weave {
  const weave = new Weave(rows(base));
  for (const [n, text] of steps.entries()) weave.step({ id: `e${n}`, kind: 'edit' }, rows(text));
  return weave;
}

/** All rows in order; `-` before those that are gone. */
function shown(weave: Weave): string {
  const live = new Set(weave.live);
  return [...weave.rows()].map(row => (live.has(row) ? row.token : `-${row.token}`)).join(' ');
}

const less = (some: ReadonlySet<WovenRow>, others: ReadonlySet<WovenRow>): Set<WovenRow> =>
  new Set([...some].filter(row => !others.has(row)));

/** What a step did: `+new`, `^returned`, `-gone`. */
function did(weave: Weave, step: number): string {
  const marked = (mark: string, some: readonly WovenRow[]): string[] => some.map(({ token }) => mark + token);
  return weave.hunks
    .filter(hunk => hunk.step === step)
    .flatMap(({ fresh, returned, gone }) => [
      ...marked('+', fresh),
      ...marked('^', returned),
      ...marked('-', gone),
    ])
    .join(' ');
}

/** The rows that a text holds, by their places in the weave. */
function heldIn(weave: Weave, placement: Placement): string {
  return [...weave.rows()]
    .map((row, at) => (placement.held.has(row) ? `${at}:${row.token}` : ''))
    .filter(Boolean)
    .join(' ');
}

const texts = fc.array(
  fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '}', '', 'ab'), { maxLength: 12 }),
  { minLength: 2, maxLength: 12 },
);

/** Texts of which each is the one before it with a part replaced, as edits are. */
const edited = fc
  .tuple(
    fc.array(fc.constantFrom('alpha', 'beta', 'gamma', '}', ''), { minLength: 4, maxLength: 12 }),
    fc.array(
      fc.tuple(
        fc.nat(12),
        fc.nat(3),
        fc.array(fc.constantFrom('alpha', 'beta', 'delta', '}', 'new1', 'new2', ''), { maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 14 },
    ),
  )
  .map(([base, changes]) => {
    const all: string[][] = [base];
    for (const [at, count, put] of changes) all.push(all.at(-1)!.toSpliced(at, count, ...put));
    return all;
  });

const histories = fc.oneof(texts, edited);

describe('a weave of any history', () => {
  it('has the rows of each version in order, and holds what is placed in it in order', () => {
    fc.assert(
      fc.property(histories, ([base, ...steps]) => {
        const weave = new Weave(base!);
        for (const [n, text] of steps.entries()) {
          weave.step({ id: `${n}`, kind: 'edit' }, text);
          const live = new Set(weave.live);
          const inOrder = [...weave.rows()].filter(row => live.has(row));
          expect(inOrder.map(({ token }) => token)).toEqual(text);
          expect(inOrder).toEqual([...weave.live]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds exactly the rows of a version in the text of that version', () => {
    fc.assert(
      fc.property(histories, ([base, ...steps]) => {
        const weave = new Weave(base!);
        const versions = [weave.live];
        for (const [n, text] of steps.entries()) {
          weave.step({ id: `${n}`, kind: 'edit' }, text);
          versions.push(weave.live);
        }
        for (const version of versions) {
          weave.live = version;
          const { held, own } = weave.place(version.map(({ token }) => token));
          expect([held, own]).toEqual([new Set(version), []]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is not changed by what is placed in it, and that is held and own rows in the order of the text', () => {
    fc.assert(
      fc.property(
        histories,
        fc.array(fc.constantFrom('alpha', 'beta', 'delta', '}', 'mine')),
        (all, text) => {
          const [base, ...steps] = all;
          const weave = new Weave(base!);
          for (const [n, step] of steps.entries()) weave.step({ id: `${n}`, kind: 'edit' }, step);
          const before = [shown(weave), weave.hunks.length, [...weave.rows()].map(row => row.events.length)];
          const { held, own } = weave.place(text);
          expect([shown(weave), weave.hunks.length, [...weave.rows()].map(row => row.events.length)]).toEqual(
            before,
          );
          const read: string[] = [];
          const add = (at: WovenRow | null): void => {
            for (const { index, before: row } of own) if (row === at) read.push(text[index]!);
          };
          for (const row of weave.rows()) {
            add(row);
            if (held.has(row)) read.push(row.token);
          }
          add(null);
          expect(read).toEqual(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('tells by its hunks which rows each step changed, and nothing else', () => {
    fc.assert(
      fc.property(histories, ([base, ...steps]) => {
        const weave = new Weave(base!);
        let before = new Set(weave.live);
        for (const [n, text] of steps.entries()) {
          weave.step({ id: `${n}`, kind: 'edit' }, text);
          const now = new Set(weave.live);
          const mine = weave.hunks.filter(({ step }) => step === n);
          expect(new Set(mine.flatMap(({ gone }) => gone))).toEqual(less(before, now));
          expect(new Set(mine.flatMap(one => [...one.fresh, ...one.returned]))).toEqual(less(now, before));
          before = now;
        }
        for (const row of weave.rows()) {
          const effects = row.events.map(({ effect }) => effect);
          const first = row.inBase ? 'taken out' : 'put in';
          expect(effects).toEqual(
            effects.map((_, n) => ((n % 2 === 0) === (first === 'put in') ? 'put in' : 'taken out')),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('rows that are equal', () => {
  it('of the base come first, then those that stand, then older ones', () => {
    const taken = woven('one two', 'two', 'two one');
    expect(heldIn(taken, taken.place(rows('one two')))).toBe('0:one 1:two');
    expect(heldIn(taken, taken.place(rows('two one')))).toBe('1:two 2:one');
    // Twice in the file, the base's is the one that is left.
    const twice = woven('one same two', 'one same same two');
    expect(did(twice, 0)).toBe('+same');
    expect(heldIn(twice, twice.place(rows('one same two')))).toMatch(/^0:one [12]:same 3:two$/);
    expect([...twice.place(rows('one same two')).held].every(row => row.inBase)).toBe(true);
    // In the place of one row stood the same text before, of the base and of edits: the base's returns.
    const back = woven('one text end', 'one other end', 'one text end');
    expect([did(back, 1), shown(back)]).toEqual(['^text -other', 'one text -other end']);
    const older = woven(
      'one end',
      'one text end',
      'one end',
      'one other text end',
      'one end',
      'one text end',
    );
    expect([did(older, 4), shown(older)]).toEqual(['^text', 'one -other text end']);
  });

  it('stand before the same text that is gone', () => {
    const weave = woven('one end', 'one text more end', 'one more text end');
    expect(heldIn(weave, weave.place(rows('one more text end')))).toBe('0:one 2:more 3:text 4:end');
  });
});

describe('rows that return', () => {
  it('are the old ones where they stood between the same rows', () => {
    const weave = woven('one two three', 'one three', 'one two three');
    expect([did(weave, 0), did(weave, 1), shown(weave)]).toEqual(['-two', '^two', 'one two three']);
  });

  it('are new ones elsewhere', () => {
    const weave = woven('one two three', 'one three', 'one three two');
    expect([did(weave, 1), shown(weave)]).toEqual(['+two', 'one -two three two']);
  });

  it('are no lone bracket or blank among new rows', () => {
    for (const lone of ['}', 'ab', '--']) {
      const weave = woven(`one ${lone} three`, 'one three', `one other ${lone} three`);
      expect(did(weave, 1)).toBe(`+other +${lone}`);
      expect(weave.place(rows(`one mine ${lone} three`)).own).toHaveLength(1);
    }
  });

  it('are a lone bracket that is all that returns, or one beside distinctive text', () => {
    const alone = woven('one } three', 'one three', 'one } three');
    expect(did(alone, 1)).toBe('^}');
    const beside = woven('one text } three', 'one three', 'one other text } three');
    expect(did(beside, 1)).toBe('+other ^text ^}');
  });

  it('come after new rows that are put before them', () => {
    const weave = woven('one old gone end', 'one gone end', 'one new old end');
    expect([did(weave, 1), shown(weave)]).toEqual(['+new ^old -gone', 'one new old -gone end']);
  });
});

describe('rows that are replaced', () => {
  it('stand before those that replace them', () => {
    expect(shown(woven('one two three', 'one 2 three', 'one II three'))).toBe('one -two -2 II three');
    expect(shown(woven('one two three end', 'one X end'))).toBe('one -two -three X end');
  });

  it('stand where they were, if later ones are gone', () => {
    const weave = woven('one two three end', 'one two end', 'one X end', 'one X three end');
    expect([did(weave, 2), shown(weave)]).toEqual(['^three', 'one -two X three end']);
  });
});

describe('a text that is placed', () => {
  it('has own rows, each before a row that it holds, or at the end', () => {
    const weave = woven('one two three', 'one 2 three');
    const { held, own, replaced } = weave.place(rows('mine one yours three last'));
    expect([...held].map(({ token }) => token)).toEqual(['one', 'three']);
    expect(own.map(({ index, before }) => [index, before?.token])).toEqual([
      [0, 'one'],
      [2, 'three'],
      [4, undefined],
    ]);
    expect([...replaced].map(({ token }) => token)).toEqual(['2']);
  });

  it('may be new by more rows than a call can have arguments', () => {
    const fresh = Array.from({ length: 300_000 }, (_, n) => `new ${n}`);
    expect(woven('one two').place(['one', ...fresh, 'two']).own).toHaveLength(300_000);
  });

  it('replaces no row with an old one, or with a blank', () => {
    const weave = woven('one two three', 'one 2 three');
    expect(weave.place(rows('one two three')).replaced.size).toBe(0);
    expect(weave.place(['one', '', 'three']).replaced.size).toBe(0);
    expect(weave.place(['one', 'two', 'mine', 'three']).replaced.size).toBe(1);
  });
});

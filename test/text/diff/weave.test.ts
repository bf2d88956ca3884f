import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Weave } from '../../../src/text/diff/weave.ts';
import { Branches } from '../../helpers/branches.ts';
import { ALL, BASE, made, with_, woven } from './weave-steps.ts';

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
    const branches = new Branches('edits alone', 'by hand');
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
        branches.ran(hands === 0 ? 'edits alone' : 'by hand');
        if (hands === 0) expect(stands).toEqual(lines);
        expect(weave.text(new Set())).toBe(BASE);
        weave.hand(BASE);
        expect(weave.text(ALL)).toBe(BASE);
      }),
      { numRuns: 2_000 },
    );
    branches.expectAll();
  });
});

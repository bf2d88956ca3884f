/** How much a weave compares, counted: no time is measured. */

import { describe, expect, it } from 'vitest';
import { Weave } from '../../../src/trail/history/weave.ts';

describe('the work of a weave', () => {
  const upTo = (count: number, what = 'row'): string[] =>
    Array.from({ length: count }, (_, n) => `${what} ${n}`);

  /** A weave of a text and of as many steps as are asked for. */
  function of(base: readonly string[], count: number, text: (n: number) => readonly string[]): Weave {
    const weave = new Weave(base);
    for (let n = 0; n < count; n++) weave.step({ id: `${n}`, kind: 'edit' }, text(n));
    return weave;
  }

  it('of 100,000 lines is their number for each version', () => {
    const base = upTo(100_000);
    const weave = of(base, 10, n => base.with(n * 997, `changed ${n}`));
    expect([weave.isCut, weave.hunks.length]).toEqual([false, 19]);
    expect(weave.work).toBeLessThan(15 * 100_000);
  });

  it('of 20,000 lines that are all replaced and come back is a few times their number', () => {
    const base = upTo(20_000);
    const weave = of(base, 2, n => (n === 0 ? upTo(20_000, 'other') : base));
    expect([weave.hunks.at(-1)!.returned.length, weave.work < 6_000_000]).toEqual([20_000, true]);
  });

  it('of 10,000 versions is what the text has for each', () => {
    const base = upTo(100);
    const weave = of(base, 10_000, n => base.with((n * 31) % 100, `changed ${n}`));
    expect([weave.isCut, weave.work < 10_000_000]).toEqual([false, true]);
  });

  it('of one minified line is one comparison, however long it is', () => {
    const minified = 'var a=1;'.repeat(1 << 17);
    const weave = of([minified], 100, n => [`${minified}${n % 7}`]);
    expect([weave.isCut, weave.work < 10_000]).toEqual([false, true]);
  });

  it('of 100,000 edits that toggle one line is a few comparisons each', () => {
    const weave = of(['one', 'two', 'end'], 100_000, n => ['one', n % 2 ? 'two' : 'other', 'end']);
    expect([weave.isCut, [...weave.rows()].length, weave.work < 2_000_000]).toEqual([false, 4, true]);
    const unique = of(['one', 'two', 'end'], 100_000, n => ['one', `text ${n}`, 'end']);
    expect([unique.isCut, unique.work < 2_000_000]).toEqual([false, true]);
  });

  it('of too much ends, and the weave says so', () => {
    const weave = new Weave(['one', 'two', 'end'], 1_000_000);
    for (let n = 0; n < 3000; n++)
      weave.step({ id: `${n}`, kind: 'edit' }, ['one', `text ${n % 1500}`, 'end']);
    expect([weave.isCut, weave.work < 1_010_000]).toEqual([true, true]);
    const hunks = weave.hunks.length;
    weave.step({ id: 'last', kind: 'edit' }, ['nothing']);
    expect([weave.hunks.length, weave.steps.at(-1)?.id]).toEqual([hunks, 'last']);
  });
});

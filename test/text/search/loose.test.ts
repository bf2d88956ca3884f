import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { looseKey, looseText, originalPlace } from '../../../src/text/search/loose.ts';
import { messyText } from '../../helpers/arbitrary.ts';

describe('looseKey', () => {
  it('folds white space, letter case, quotes, dashes, spaces and Unicode form', () => {
    expect(looseKey('  Foo( “a”,\tb )')).toBe('foo("a",b)');
    expect(looseKey('e\u0301\u00a0—\u200bX')).toBe(looseKey('É-x'));
  });
});

describe('looseText', () => {
  it('puts the folded lines one after the other', () => {
    const loose = looseText(linesOf('  A\n\n\tb c\n'), 100, 100);
    expect([loose.text, loose.count, loose.key(1), loose.key(2), loose.key(3)]).toEqual([
      'abc',
      3,
      'a',
      '',
      'bc',
    ]);
    expect([0, 1, 2].map(at => loose.lineAt(at))).toEqual([1, 3, 3]);
  });

  it('stops at its limits', () => {
    expect(looseText(linesOf('aa\nbb\ncc\n'), 6, 100).text).toBe('aabb');
    expect(looseText(linesOf('aa\nbb\ncc\n'), 100, 1).count).toBe(1);
  });
});

describe('originalPlace', () => {
  it('is the part of the text that folds to the part asked for', () => {
    const place = messyText.chain(text => {
      const lines = linesOf(text);
      const loose = looseText(lines, 1e6, 1e6);
      const offset = fc.nat(Math.max(0, loose.text.length - 1));
      return fc.record({ lines: fc.constant(lines), loose: fc.constant(loose), a: offset, b: offset });
    });
    fc.assert(
      fc.property(place, ({ lines, loose, a, b }) => {
        fc.pre(loose.text.length > 0);
        const [start, end] = [Math.min(a, b), Math.max(a, b) + 1];
        fc.pre(!/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(loose.text.slice(start, end)));
        const exact = originalPlace(lines, loose, { start, end });
        const found = lines.text.slice(exact.start, exact.end);
        expect(looseKey(found)).toBe(loose.text.slice(start, end));
        expect(found).toBe(found.trim());
      }),
      { numRuns: 300 },
    );
  });

  it('takes the combining marks of its last character along', () => {
    const lines = linesOf('xe\u0301y\n');
    const loose = looseText(lines, 100, 100);
    expect(originalPlace(lines, loose, { start: 1, end: 2 })).toEqual({ start: 1, end: 3 });
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../../src/text/diff/line-diff.ts';
import { numberRows } from '../../../src/text/diff/shortest-edit.ts';
import { messyText } from '../../helpers/arbitrary.ts';

it('gives equal rows the same number, and others another one', () => {
  fc.assert(
    fc.property(messyText, messyText, fc.constantFrom('\n', '\r' as const), (oldText, newText, lineBreak) => {
      const [old, fresh] = [splitLines(oldText, lineBreak), splitLines(newText, lineBreak)];
      const numbers = numberRows(old, fresh);
      const distinct = [...new Set([...old, ...fresh])];
      expect([...numbers.old, ...numbers.fresh]).toEqual(
        [...old, ...fresh].map(line => distinct.indexOf(line)),
      );
      expect(numbers.count).toBe(distinct.length);
    }),
    { numRuns: 500 },
  );
});

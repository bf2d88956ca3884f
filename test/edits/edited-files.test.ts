import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, type FileChange } from '../../src/edits/edit.ts';
import { EditError } from '../../src/errors.ts';
import { type TextFile, textFile } from '../../src/text/document.ts';
import type { Span } from '../../src/text/spans.ts';
import { messyText } from '../helpers/arbitrary.ts';

const part = fc.constantFrom('', 'a', 'é', '😀', '\ud83d', '\ude00', '\n', '\uFEFF', '\uFEFF\uFEFFx');
const edit = fc.record({
  text: fc.tuple(messyText, fc.constantFrom('', '\uFEFF')).map(parts => parts.reverse().join('')),
  bom: fc.boolean(),
  places: fc.array(fc.tuple(fc.nat(200), fc.nat(5), part), { maxLength: 5 }),
});

/** Spans apart from each other, of which some part surrogate pairs. */
function spansIn(text: string, places: readonly [number, number, string][]): Span[] {
  const spans: Span[] = [];
  let free = 0;
  for (const [at, length, put] of [...places].sort((a, b) => a[0] - b[0])) {
    const start = Math.min(Math.max(at, free), text.length);
    free = Math.min(start + length, text.length);
    spans.push({ start, end: free, text: put });
  }
  return spans;
}

/** The text with the spans put in, the last first; those that only put in come before others of the same place. */
function spelledOut(text: string, spans: readonly Span[]): string {
  const order = spans.map((span, index) => ({ ...span, index }));
  order.sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index);
  return order.reduce((whole, one) => whole.slice(0, one.start) + one.text + whole.slice(one.end), text);
}

function edited(file: TextFile, spans: Span[]): TextFile {
  const change: FileChange = { kind: 'modify', path: 'a.txt', spans };
  return applyChanges(new Map([['a.txt', file]]), [change]).get('a.txt')!;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a modified file', () => {
  it('has the bytes of the whole new text, behind the mark that it had, or refuses half a character', () => {
    fc.assert(
      fc.property(edit, ({ text, bom, places }) => {
        const file = textFile('a.txt', utf8((bom ? '\uFEFF' : '') + text), '1'.repeat(40));
        const spans = [
          ...spansIn(file.text, places),
          { start: file.text.length, end: file.text.length, text: '.' },
        ];
        const whole = (file.bom ? '\uFEFF' : '') + spelledOut(file.text, spans);
        const found = edited(file, spans);
        expect([found.path, found.version]).toEqual(['a.txt', '']);
        expect((found.bom ? '\uFEFF' : '') + found.text).toBe(whole);
        if (whole.isWellFormed()) {
          // Decoded anew, under the id that the workspace gives it.
          const again = textFile('a.txt', found.bytes, 'f'.repeat(40));
          expect(found.bytes).toEqual(utf8(whole));
          expect([again.bom, again.text]).toEqual([found.bom, found.text]);
        } else {
          expect(() => found.bytes).toThrow(EditError);
        }
      }),
      {
        numRuns: 5000,
        examples: [
          [
            {
              text: '',
              bom: false,
              places: [
                [0, 0, ''],
                [0, 0, '\uFEFF'],
              ],
            },
          ],
        ],
      },
    );
  });

  it('is edited again and again before anybody asks for its bytes', () => {
    let file = textFile('a.txt', utf8('\uFEFFé'), '');
    for (let n = 0; n < 20_000; n++) file = edited(file, [{ start: 0, end: 1, text: `${n % 10}` }]);
    expect(file.bytes).toEqual(utf8('\uFEFF9'));
    expect(edited(file, [{ start: 1, end: 1, text: 'x' }]).bytes).toEqual(utf8('\uFEFF9x'));
  });

  it('refuses spans that overlap at once', () => {
    const spans = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    expect(() => edited(textFile('a.txt', utf8('abc'), ''), spans)).toThrow(RangeError);
  });
});

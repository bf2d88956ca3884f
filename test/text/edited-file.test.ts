import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { type TextFile, textFile, unwrittenFile } from '../../src/text/document.ts';
import { editedFile } from '../../src/text/edited-file.ts';
import { applySpans, type Span } from '../../src/text/spans.ts';
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

/** What a file comes to, or the refusal of its bytes. */
function outcome(make: () => TextFile): unknown {
  const file = make();
  try {
    const { bytes, bom, version, path } = file;
    // Decoded anew, under the id that the workspace gives it.
    const again = textFile(path, bytes, 'f'.repeat(40));
    return { bytes, bom, version, path, text: file.text, again: again.text, mark: again.bom };
  } catch (error) {
    if (error instanceof EditError) return [error.code, error.message, error.data];
    throw error;
  }
}

describe('editedFile', () => {
  it('is the file whose whole text was encoded, byte for byte and refusal for refusal', () => {
    fc.assert(
      fc.property(edit, ({ text, bom, places }) => {
        const bytes = new TextEncoder().encode((bom ? '\uFEFF' : '') + text);
        const file = textFile('a.txt', bytes, '1'.repeat(40));
        const spans = spansIn(file.text, places);
        const slow = outcome(() => unwrittenFile('b.txt', applySpans(file.text, spans), file.bom));
        expect(outcome(() => editedFile(file, 'b.txt', spans))).toEqual(slow);
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
    let file = textFile('a.txt', new TextEncoder().encode('\uFEFFé'), '');
    for (let n = 0; n < 20_000; n++)
      file = editedFile(file, 'a.txt', [{ start: 0, end: 1, text: `${n % 10}` }]);
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes)).toBe('\uFEFF9');
    expect(editedFile(file, 'a.txt', [{ start: 1, end: 1, text: 'x' }]).bytes).toEqual(
      new TextEncoder().encode('\uFEFF9x'),
    );
  });

  it('refuses spans that overlap at once', () => {
    const file = textFile('a.txt', new TextEncoder().encode('abc'), '');
    const spans = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    expect(() => editedFile(file, 'a.txt', spans)).toThrow(RangeError);
  });
});

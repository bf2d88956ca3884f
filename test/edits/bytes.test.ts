/** The promise of every edit: bytes outside the planned spans stay, whatever the file and the edit. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { linesOf } from '../../src/text/lines.ts';
import type { Span } from '../../src/text/spans.ts';
import { messyText } from '../helpers/arbitrary.ts';
import { edited, PATH, planned } from './planning.ts';

interface Case {
  text: string;
  edit: string;
  input: object;
}

function cases(text: string): fc.Arbitrary<Case> {
  const { count } = linesOf(text);
  const line = fc.integer({ min: 0, max: count + 1 });
  const part = fc.tuple(fc.nat(text.length), fc.nat(20)).map(([at, length]) => text.slice(at, at + length));
  const lineEdit = fc.record({ from: line, to: fc.option(line), content: fc.option(messyText) });
  const make = (edit: string, input: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Case> =>
    fc.record(input).map(given => ({ text, edit, input: given }));
  return fc.oneof(
    make('str_replace', { old_str: part, new_str: fc.option(messyText), replace_all: fc.boolean() }),
    make('insert', { insert_line: line, insert_text: messyText }),
    make('insert', { before_line: line, insert_text: messyText }),
    make('replace_lines', { start_line: line, end_line: line, new_content: fc.option(messyText) }),
    make('edit_lines', { edits: fc.array(lineEdit, { minLength: 1, maxLength: 4 }) }),
  );
}

const anyEdit = fc
  .tuple(messyText, fc.boolean())
  .chain(([text, bom]) => cases(text).map(one => ({ ...one, bom })));

/** `null` where the edit is refused; a failure that is no EditError is a failure of the test. */
function spansOf({ text, edit, input }: Case): Span[] | null {
  try {
    const [change] = planned(edit, text, input);
    if (change?.kind !== 'modify') throw new Error('not a modification');
    return change.spans;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

describe('bytes outside the planned spans', () => {
  it('stay as they are, and the byte order mark too', () => {
    let done = 0;
    fc.assert(
      fc.property(anyEdit, ({ bom, ...one }) => {
        const spans = spansOf(one);
        if (spans === null) return;
        done++;
        const mark = bom ? '\uFEFF' : '';
        const result = edited(one.edit, mark + one.text, one.input)!;
        expect(result).toBe(mark + naivelyApplied(one.text, spans));
        expect(result).not.toBe(mark + one.text);
      }),
      { numRuns: 3000 },
    );
    expect(done).toBeGreaterThan(300);
  });

  it('stay through a change of the file path by a move', () => {
    expect(planned('move', 'a\r\nb', { new_path: 'g' })).toEqual([
      { kind: 'move', path: PATH, to: 'g', spans: [] },
    ]);
  });
});

/** From the last span to the first, so that offsets need no adding up. */
function naivelyApplied(text: string, spans: Span[]): string {
  const order = spans.map((span, i) => ({ span, i }));
  order.sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end || b.i - a.i);
  return order.reduce(
    (result, { span }) => result.slice(0, span.start) + span.text + result.slice(span.end),
    text,
  );
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineMap } from '../../src/text/diff/line-diff.ts';
import { linesOf } from '../../src/text/lines.ts';
import { edit, edited, refusal } from './planning.ts';

const lines = 'l1\nl2\nl3\n';

describe('edit_lines', () => {
  it.each([
    [
      'replaces, whatever the order given',
      [
        { from: 3, to: 3, content: 'C' },
        { from: 1, to: 1, content: 'A' },
      ],
      'A\nl2\nC\n',
    ],
    ['inserts at the end', [{ from: 4, content: 'X' }], 'l1\nl2\nl3\nX\n'],
    [
      'deletes with null and with nothing',
      [
        { from: 1, to: 1, content: null },
        { from: 3, to: 3, content: '' },
      ],
      'l2\n',
    ],
    [
      'inserts behind a replaced range',
      [
        { from: 1, to: 2, content: 'A' },
        { from: 3, content: 'B' },
      ],
      'A\nB\nl3\n',
    ],
    ['takes to: null for no to', [{ from: 2, to: null, content: 'X' }], 'l1\nX\nl2\nl3\n'],
  ])('%s', (_, edits, expected) => {
    expect(edited('edit_lines', lines, { edits })).toBe(expected);
  });

  it.each([
    [
      'replace and append',
      [
        { from: 2, to: 2, content: 'B' },
        { from: 3, content: 'c' },
      ],
      'a\nB\nc',
    ],
    [
      'delete and append',
      [
        { from: 2, to: 2 },
        { from: 3, content: 'c' },
      ],
      'a\nc',
    ],
    [
      'append twice',
      [
        { from: 3, content: 'c\n' },
        { from: 3, content: 'd\n' },
      ],
      'a\nb\nc\nd',
    ],
    [
      'before and after',
      [
        { from: 1, content: 'x' },
        { from: 3, content: 'c' },
      ],
      'x\na\nb\nc',
    ],
    [
      'an edit above, replace and append',
      [
        { from: 1, to: 1, content: 'A' },
        { from: 2, to: 2, content: 'B' },
        { from: 3, content: 'c' },
      ],
      'A\nB\nc',
    ],
    [
      'delete all and append',
      [
        { from: 1, to: 2 },
        { from: 3, content: 'c' },
      ],
      'c',
    ],
  ])('keeps an open end open: %s', (_, edits, expected) => {
    expect(edited('edit_lines', 'a\nb', { edits })).toBe(expected);
  });

  it('gives each edit the line ends of its place', () => {
    const edits = [
      { from: 1, to: 1, content: 'A\nB' },
      { from: 2, to: 2, content: 'C\nD' },
    ];
    expect(edited('edit_lines', 'a\r\nb\nc\r\n', { edits })).toBe('A\r\nB\r\nC\nD\nc\r\n');
  });

  it.each([
    [
      'ranges',
      [
        { from: 1, to: 2, content: 'A' },
        { from: 2, to: 3, content: 'B' },
      ],
    ],
    [
      'a range and an insertion inside it',
      [
        { from: 1, to: 3, content: 'A' },
        { from: 2, content: 'B' },
      ],
    ],
    [
      'a range given twice',
      [
        { from: 1, to: 1 },
        { from: 1, to: 1 },
      ],
    ],
  ])('refuses an overlap of %s', (_, edits) => {
    const error = refusal('edit_lines', lines, { edits });
    expect([error.code, error.data.fields]).toEqual(['INVALID_INPUT', ['edits[0]', 'edits[1]']]);
  });

  it.each([
    [{ from: 0, to: 1 }, 'edits[0].from', 1, 3],
    [{ from: 2, to: 9 }, 'edits[0].to', 2, 3],
    [{ from: 5, content: 'x' }, 'edits[0].from', 1, 4],
  ])('refuses %j', (one, field, min, max) => {
    const error = refusal('edit_lines', lines, { edits: [one] });
    expect(error.code).toBe('LINE_OUT_OF_RANGE');
    expect(error.data).toMatchObject({ field, min, max });
  });

  it('says how to insert where a range goes backwards, whatever the file is', () => {
    for (const before of [lines, null]) {
      const error = refusal('edit_lines', before, { edits: [{ from: 3, to: 2, content: 'x' }] });
      expect([error.code, error.data.field]).toEqual(['LINE_OUT_OF_RANGE', 'edits[0].to']);
      expect(error.message).toContain('To insert before line 3, leave to out.');
    }
  });

  it('refuses an edit that does nothing', () => {
    for (const content of [undefined, null, '']) {
      expect(refusal('edit_lines', lines, { edits: [{ from: 2, content }] }).code).toBe('INVALID_INPUT');
    }
    expect(refusal('edit_lines', lines, { edits: [{ from: 2, to: 2, content: 'l2' }] }).code).toBe(
      'NO_CHANGE',
    );
  });

  it('names an unknown field of an edit', () => {
    const error = refusal('edit_lines', lines, { edits: [{ from: 1, text: 'x' }] });
    expect(error.message).toContain('`edits[0]` has no field `text` (fields: from, to, content)');
  });

  it('follows its lines to a later text, all or none', () => {
    const map = lineMap(lines, 'x\nl1\nl2\nL3\n');
    const renumber = (edits: object[]) => edit('edit_lines').renumber!({ edits } as never, map);
    expect(
      renumber([
        { from: 1, to: 2 },
        { from: 4, content: 'y' },
      ]),
    ).toEqual({
      edits: [
        { from: 2, to: 3 },
        { from: 5, content: 'y' },
      ],
    });
    expect(
      renumber([
        { from: 1, to: 2 },
        { from: 3, content: 'y' },
      ]),
    ).toBeNull();
  });

  it('makes of the lines what splicing a list of them makes', () => {
    const content = fc.array(fc.constantFrom('x', 'y z', '\tw'), { minLength: 1, maxLength: 3 });
    const step = fc.record({
      keep: fc.integer({ min: 1, max: 2 }),
      put: fc.option(content),
      take: fc.nat(2),
    });
    const given = fc.record({
      before: fc.array(fc.constantFrom('a', '  b', 'c'), { minLength: 1, maxLength: 8 }),
      open: fc.boolean(),
      end: fc.constantFrom('\n', '\r\n'),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      append: fc.option(content),
    });
    fc.assert(
      fc.property(given, ({ before, open, end, steps, append }) => {
        const edits: object[] = [];
        const expected: string[] = [];
        let rest = before;
        let cutsTail = false;
        for (const { keep, put, take } of steps) {
          if (rest.length < keep + take || (take === 0 && put === null)) continue;
          const from = before.length - rest.length + keep + 1;
          edits.unshift({ from, to: take === 0 ? null : from + take - 1, content: put?.join('\n') ?? null });
          expected.push(...rest.slice(0, keep), ...(put ?? []));
          rest = rest.slice(keep + take);
          cutsTail = rest.length === 0 && put === null;
        }
        expected.push(...rest, ...(append ?? []));
        if (append) edits.push({ from: before.length + 1, content: append.join('\n') });
        fc.pre(edits.length > 0 && String(expected) !== String(before));
        const text = before.join(end) + (open ? '' : end);
        const result = edited('edit_lines', text, { edits })!;
        const lines = linesOf(result);
        expect(Array.from({ length: lines.count }, (_, i) => lines.content(i + 1))).toEqual(expected);
        // A file of one line without an end has no kind of line end.
        const kind = open && before.length === 1 ? '\n' : end;
        const whole = expected.map(line => line + kind).join('');
        // Where the last lines are deleted, the line before them keeps its end.
        const isOpen = open && (append !== null || !cutsTail);
        expect(result).toBe(isOpen ? whole.slice(0, -kind.length) : whole);
      }),
      { numRuns: 500 },
    );
  });
});

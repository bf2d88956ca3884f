/** Random texts of the kinds that files have: every line end, mixed, unended, Unicode, tabs, blanks. */

import fc from 'fast-check';

const CONTENT = [
  '',
  'a',
  'b',
  'foo',
  'foo bar',
  '  x',
  '\ty',
  'é',
  'e\u0301',
  '😀',
  'a\u2028b',
  'c\fd',
  '}',
  'tail  ',
];
const ENDS = ['\n', '\r\n', '\r'] as const;

const content = fc.constantFrom(...CONTENT);

function withEnds(end: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const line = fc.tuple(content, end).map(parts => parts.join(''));
  return fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.oneof(fc.constant(''), content))
    .map(([lines, last]) => {
      return lines.join('') + last;
    });
}

/** Texts with one kind of line end, and texts with all of them. */
export const messyText: fc.Arbitrary<string> = fc.oneof(
  ...ENDS.map(end => withEnds(fc.constant(end))),
  withEnds(fc.constantFrom('\n', '\r\n')),
  withEnds(fc.constantFrom(...ENDS)),
);

/** Lines by the rule of the design, with their ends, in the simplest possible way. */
export function naiveLines(text: string): string[] {
  return text.match(text.includes('\n') ? /[^\n]*\n|[^\n]+$/g : /[^\r]*\r|[^\r]+$/g) ?? [];
}

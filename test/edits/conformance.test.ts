/** Every case of the conformance list at the level of planning; the workspace runs them with history. */

import { describe, expect, it } from 'vitest';
import cases from '../conformance/edits.json' with { type: 'json' };
import { type Content, edit, edited, refusal } from './planning.ts';

interface Case {
  id: string;
  before: string | { base64: string } | null;
  edit: string;
  input: Record<string, unknown>;
  after?: string;
  error?: string;
}

const content = (before: Case['before']): Content =>
  typeof before === 'object' && before !== null
    ? Uint8Array.from(atob(before.base64), unit => unit.charCodeAt(0))
    : before;

describe.each(cases as Case[])(
  '$id',
  ({ before, edit: name, input: { base, ...input }, after: expected, error }) => {
    if (error === 'NOT_VIEWED') {
      it('is a claim about a version, which the workspace asks for', () => {
        expect([edit(name).addressesLines, base]).toEqual([true, undefined]);
      });
    } else if (error !== undefined) {
      it(`is refused with ${error}`, () => {
        const refused = refusal(name, content(before), input);
        expect(refused.code).toBe(error);
        expect(refused.message.length).toBeGreaterThan(20);
      });
    } else {
      it('gives the bytes expected', () => {
        expect(edited(name, content(before), input)).toBe(expected);
      });
    }
  },
);

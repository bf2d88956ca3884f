/** The facts of other projects' tools, at the level of planning; and the list of what is refused here on purpose. */

import { expect, it } from 'vitest';
import { applied, refusedEdit } from '../edits/patch/files.ts';
import { UPSTREAM } from './upstream.ts';

it.each(UPSTREAM.map(one => [one.from, one.name, one] as const))('%s: %s', (_, __, one) => {
  const { edit, input, before, after, instead } = one;
  if (instead && instead.code !== 'done') {
    expect(refusedEdit(edit, input, before).code).toBe(instead.code);
    expect(after).not.toBeNull();
  } else if (instead) expect(applied(edit, input, before).files).not.toEqual(after);
  else if (after === null) expect(refusedEdit(edit, input, before).message.length).toBeGreaterThan(20);
  else expect(applied(edit, input, before).files).toEqual(after);
});

it('differs on purpose only, and says why', () => {
  const different = UPSTREAM.filter(one => one.instead);
  expect(different.every(({ instead }) => instead!.why.length > 20)).toBe(true);
  expect(different.length / UPSTREAM.length).toBeLessThan(0.4);
});

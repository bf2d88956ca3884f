import { expect, it } from 'vitest';
import type { TrailEntry } from '../../src/history/walk.ts';
import { editsOf } from '../../src/review/listing.ts';

const edit: TrailEntry = {
  commit: 'ab'.repeat(20),
  parents: [],
  tree: 'cd'.repeat(20),
  time: 1_700_000_000,
  author: { name: 'A', email: 'a@example.com', seconds: 1_700_000_000, timezone: '+0000' },
  subject: 'str_replace f (+1 -1)',
  reason: '',
  meta: null,
} as unknown as TrailEntry;

it('tells the edits of a hunk with their fields in the order that the interface has', () => {
  const [told] = editsOf([edit]);
  const order = 'commit subject reason session agent model turn author time person';
  expect(Object.keys(told!).join(' ')).toBe(order);
});

/** Misspelt names, and those that were meant. */

import { describe, expect, it } from 'vitest';
import { closestName, slipsBetween } from '../src/near-names.ts';

describe('slips', () => {
  it.each([
    ['undo', 'undo', 0],
    ['unod', 'undo', 1],
    ['und', 'undo', 1],
    ['undoo', 'undo', 1],
    ['untu', 'undo', 2],
    ['', 'undo', 4],
    ['undo', '', 4],
    // A letter that was swapped is not changed again.
    ['ca', 'abc', 3],
  ])('from %j to %j are %i', (one, other, slips) => expect(slipsBetween(one, other)).toBe(slips));
});

describe('the closest name', () => {
  it.each([
    ['old_string', ['old_str', 'new_str'], 'old_str'],
    ['fielPath', ['path', 'file_path'], 'file_path'],
    ['str_replcae', ['insert', 'str_replace'], 'str_replace'],
    ['frobnicate', ['undo', 'redo'], null],
    ['x'.repeat(41), ['x'.repeat(42)], null],
    ['undo', [], null],
  ])('to %j among %j is %j', (given, names, meant) => expect(closestName(given, names)).toBe(meant));
});

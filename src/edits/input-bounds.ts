/** How large an input may be, whatever its schema: what is deeper or has more parts than any call is refused unread. */

import { EditError } from '../errors.ts';

/** Lists and objects in each other; the deepest schema has four. */
const DEEPEST = 64;

/** Values of all kinds, in all depths; 10,000 edits in one change are about 60,000. */
const MOST = 1_000_000;

/**
 * Throws INVALID_INPUT for lists and objects more than 64 deep, which a value that contains itself is, and TOO_LARGE
 * for more than a million values. Without recursion, which such a value is made to break.
 */
export function checkBounds(name: string, raw: unknown): void {
  let level: unknown[] = [raw];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (seen > MOST) throw tooMany(name);
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? parts(value) : []));
    if (depth === DEEPEST && level.length > 0) throw tooDeep(name);
  }
}

function parts(value: object): unknown[] {
  return Array.isArray(value) ? value : Object.values(value);
}

function tooDeep(name: string): EditError {
  const message = `${name}: the input has lists or objects more than ${DEEPEST} deep in each other, which no tool takes. Nothing was done.`;
  return new EditError('INVALID_INPUT', message, { limit: DEEPEST });
}

function tooMany(name: string): EditError {
  const message = `${name}: the input has more than ${MOST} values. Nothing was done. Make the change in several calls.`;
  return new EditError('TOO_LARGE', message, { limit: MOST });
}

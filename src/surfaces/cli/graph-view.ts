/** How a commit looks in the graph. */

import type { LaneEntry } from '../../workspace/queries/lanes.ts';
import { type Piece, styled } from './style.ts';

const WAYS_BACK: ReadonlySet<string | null> = new Set(['undo', 'revert', 'rollback', 'restore']);

/** `@` is where the history stands, whatever kind of commit that is. */
export function glyphOf({ entry, lane, current }: LaneEntry): Piece {
  if (current) return styled('bold', '@');
  if (lane === 'outside') return styled('cyan', '+');
  if (entry.op === null) return styled('cyan', '*');
  if (entry.undone) return styled('dim', 'x');
  if (entry.op === 'redo') return styled('yellow', '>');
  return WAYS_BACK.has(entry.op) ? styled('yellow', '<') : styled('green', 'o');
}

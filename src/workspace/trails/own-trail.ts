/** The trail of another clone is read here and never written: only fetch moves its mirror. */

import { EditError } from '../../errors.ts';
import type { TrailHead } from '../../trail/head.ts';
import { parsePeerRef, peerName } from '../../trail/peer-names.ts';

/** Throws INVALID_INPUT for the mirror of a trail of another clone. */
export function assertOwnTrail({ ref, mirror }: Pick<TrailHead, 'ref' | 'mirror'>): void {
  if (!mirror) return;
  const name = peerName(parsePeerRef(ref)!);
  throw new EditError(
    'INVALID_INPUT',
    `${name} is the trail of another clone, which only fetch writes here. Nothing was changed. Leave trail out to edit on a trail of your own; vedit merge ${name} takes the edits of that one.`,
    { field: 'trail', trail: name },
  );
}

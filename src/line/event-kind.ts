/** The kind of event that a commit of a history is, and whether an agent is its author. */

import type { Step } from '../history/read-steps.ts';
import { isOutside } from '../operations.ts';
import type { LineEvent } from './event.ts';

/** `isBeside`: the history is beside the branch, so that a commit that joins HEAD is HEAD's. */
export function kindOf(
  { kind, meta, brings }: Step,
  isBeside: boolean,
): Pick<LineEvent, 'kind' | 'byAgent' | 'isRejection'> {
  if (kind === 'head') return { kind: isBeside ? 'head' : 'outside', byAgent: false };
  if (kind === 'reject') return { kind: 'back', byAgent: false, isRejection: true };
  if (kind === 'back') return { kind: 'back', byAgent: false };
  const byAgent = meta?.agent !== undefined;
  // A command formats files, or pops a stash: what it does is compared, and no edit's.
  const isCommand = kind === 'edit' && brings && meta?.redoes === undefined && meta?.unrejects === undefined;
  if (isCommand) return { kind: 'outside', byAgent: true };
  return isOutside(meta?.op) || kind === 'outside'
    ? { kind: 'outside', byAgent }
    : { kind: 'edit', byAgent: true };
}

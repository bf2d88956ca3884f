/** Events of a line: each is one commit of it, and exactly what one author did in the folder. */

import type { Step } from '../history/read-steps.ts';
import { isOutside, isOverwrite } from '../operations.ts';

/**
 * - `edit`: what an agent or a person asked the engine for.
 * - `outside`: what the files held otherwise: somebody typed, a command ran, a tool told by a hook.
 * - `head`: what HEAD brought.
 * - `undo`: an undo or a redo. What it flips follows from the events that it names (formula.ts).
 * - `back`: a way back that flips rows of its own: rollback, restore, reject.
 */
export type EventKind = 'edit' | 'outside' | 'head' | 'undo' | 'back';

export interface LineEvent {
  /** The commit. */
  readonly id: string;
  /** The place on the line: a later event has a higher one. */
  readonly at: number;
  readonly kind: EventKind;
  /** True where an agent is its author; HEAD's are nobody's. */
  readonly byAgent: boolean;
  /** True where a person's hand did it, by typing or through the engine. */
  readonly byPerson?: boolean;
  /** True for an edit that writes a file anew, as a tool of another's does: what it only formats keeps its author. */
  readonly isWhole?: boolean;
  /** True for a head event inside an agent's command: what it brings is not accepted by that. */
  readonly inCommand?: boolean;
  /** True for a person's rejection of what an agent did. */
  readonly isRejection?: boolean;
  /** The events that an undo takes back. */
  readonly undoes?: ReadonlySet<LineEvent>;
  /** The events that a redo puts back: earlier undos hold for the others alone. */
  readonly redoes?: ReadonlySet<LineEvent>;
}

/**
 * The kind of event that a commit of a history is. `isBeside`: the history is beside the branch, so that a commit that joins
 * HEAD is HEAD's.
 */
export function kindOf(
  { kind, meta, brings }: Step,
  isBeside: boolean,
): Pick<LineEvent, 'kind' | 'byAgent' | 'isRejection' | 'isWhole'> {
  if (kind === 'head') return { kind: isBeside ? 'head' : 'outside', byAgent: false };
  if (kind === 'reject') return { kind: 'back', byAgent: false, isRejection: true };
  if (kind === 'back') return { kind: 'back', byAgent: false };
  const byAgent = meta?.agent !== undefined;
  // A command formats files, or pops a stash: what it does is compared, and no edit's.
  const isCommand = kind === 'edit' && brings && meta?.redoes === undefined && meta?.unrejects === undefined;
  if (isCommand) return { kind: 'outside', byAgent: true };
  return isOutside(meta?.op) || kind === 'outside'
    ? { kind: 'outside', byAgent }
    : { kind: 'edit', byAgent: true, ...(isWritten(meta) && { isWhole: true }) };
}

function isWritten(meta: Step['meta']): boolean {
  return isOverwrite(meta?.op) || meta?.certain === 'tool';
}

/** True for an event that has an author of its own: not for HEAD's, and not for undos, which follow from others. */
export function isAuthored({ kind }: LineEvent): boolean {
  return kind !== 'head' && kind !== 'undo';
}

/** True where it is the doing of a person's hand. */
export function isPersons({ kind, byAgent, byPerson = kind === 'outside' && !byAgent }: LineEvent): boolean {
  return byPerson;
}

/** True for what an agent did: an undo follows from others, and what was read first is nobody's. */
export function isAgents(event: LineEvent): boolean {
  return isAuthored(event) && event.at >= 0 && !isPersons(event);
}

/** True where what it puts or takes out is accepted by that. What a way back does is not: it may bring anything. */
export function accepts(event: LineEvent): boolean {
  return isPersons(event) && (event.kind === 'outside' || event.kind === 'edit');
}

/** True for an undo that takes anything back; one may put back alone, as a redo does. */
export function takesBack({ undoes }: LineEvent): boolean {
  return undoes !== undefined && undoes.size > 0;
}

/** Rows of a weave, and the steps that put them in and took them out; see weave.ts. */

import type { Token } from '../../text/diff/alignment.ts';

/** An edit, a way back, a rejection, a change from outside, or a commit of a person that HEAD came to. */
export type StepKind = 'edit' | 'back' | 'reject' | 'outside' | 'sync';

export interface WeaveStep {
  /** The commit. */
  id: string;
  kind: StepKind;
  /** Where HEAD stood, by its commit: only where hosts share the trail, so that what was seen before may be another one's HEAD. */
  head?: string;
}

/** A row that some version had. Rows are linked in the order of the weave. */
export interface WovenRow {
  readonly token: Token;
  /** True for a row of the text before the first step. */
  readonly inBase: boolean;
  /** The steps that put it in or took it out, oldest first. */
  readonly events: RowEvent[];
  next: WovenRow | null;
  previous: WovenRow | null;
}

export interface RowEvent {
  effect: Effect;
  hunk: Hunk;
}

/** True where the row is in the version that this step made. */
export function isLiveAfter({ inBase, events }: WovenRow, step: number): boolean {
  const last = events.findLast(({ hunk }) => hunk.step <= step);
  return last ? last.effect === 'put in' : inBase;
}

/** The rows that one step put in and took out in one place. */
export interface Hunk {
  /** Index in `steps`. */
  step: number;
  /** Rows that no version had before the step. */
  fresh: readonly WovenRow[];
  /** Rows that it brought back, and rows that it took out. */
  returned: readonly WovenRow[];
  gone: readonly WovenRow[];
  /** The rows around the place; `null` at an end. */
  left: WovenRow | null;
  right: WovenRow | null;
}

export type Effect = 'put in' | 'taken out';

/** True for a row that says nothing: a blank line, or what stands for a missing last line end. */
export const isBlank = (token: Token): boolean => !/[^\s\0\\]/.test(token);

/** True for a row with three letters or digits: a bracket or a blank says nothing of where it came from. */
export function isDistinctive(token: Token): boolean {
  return (token.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

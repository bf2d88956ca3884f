/** Rows of a weave, and the steps that put them in and took them out; see weave.ts. */

import type { Token } from '../../text/diff/alignment.ts';

/** An edit, a way back, a rejection, a change from outside, or a commit of a person that HEAD came to. */
export type StepKind = 'edit' | 'back' | 'reject' | 'outside' | 'sync';

export interface WeaveStep {
  id: string;
  kind: StepKind;
  /** True where what it brings back is not its own: of a way back, or a command such as `git stash pop`. */
  brings?: boolean;
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
  step: number;
  fresh: readonly WovenRow[];
  /** Rows that the step brought back, and rows that it took out. */
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

export class RowList {
  first: WovenRow | null = null;
  last: WovenRow | null = null;
  readonly tokens: Set<Token> = new Set();
  #all: readonly WovenRow[] | null = null;

  get all(): readonly WovenRow[] {
    this.#all ??= this.between(null, null);
    return this.#all;
  }

  /** The rows between two of them; `null` at an end. */
  between(left: WovenRow | null, right: WovenRow | null): WovenRow[] {
    const rows: WovenRow[] = [];
    for (let row = left ? left.next : this.first; row && row !== right; row = row.next) rows.push(row);
    return rows;
  }

  insertAfter(previous: WovenRow | null, token: Token, inBase: boolean): WovenRow {
    this.#all = null;
    const next = previous ? previous.next : this.first;
    const row: WovenRow = { token, inBase, events: [], next, previous };
    if (previous) previous.next = row;
    else this.first = row;
    if (next) next.previous = row;
    else this.last = row;
    this.tokens.add(token);
    return row;
  }
}

export interface Placement {
  held: ReadonlySet<WovenRow>;
  /** For each row of the text the woven one; `null` for one that no version had there. */
  rows: ReadonlyArray<WovenRow | null>;
  /** Rows of the text that no version had there, by their index in it, each with the woven row that it stands before. */
  own: Array<{ index: number; before: WovenRow | null }>;
  /** Rows of the present version in whose place the text has some that no version had there, and not only blank ones. */
  replaced: ReadonlySet<WovenRow>;
}

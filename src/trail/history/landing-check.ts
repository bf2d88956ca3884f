/**
 * The last look at a landing, from texts, whoever planned it: what a file will be in HEAD is what HEAD, the file or one
 * recorded version has, place by place; and where it is not what the file holds, something says why.
 */

import type { Token } from '../../text/diff/alignment.ts';
import { isMark } from './status.ts';
import type { Hunk, Weave, WovenRow } from './weave.ts';

/** Something that the check will not let pass. */
export interface LandingFault {
  kind: 'nobody wrote it' | 'never stood so' | 'left out for nothing';
  /** Lines of it, as the result has them. */
  lines: string[];
}

/** Stands for HEAD as a step of the weave. */
const HEAD = '\0head';

/** What one file may become. */
export class LandingCheck {
  readonly #weave: Weave;
  readonly #head: ReadonlySet<WovenRow>;
  readonly #file: ReadonlySet<WovenRow>;
  readonly #places: readonly WovenRow[][];

  /** The weave is given over: HEAD before the landing and the file are added to it. */
  constructor(weave: Weave, { head, file }: { head: readonly Token[]; file: readonly Token[] }) {
    this.#weave = weave;
    this.#head = rowsOfStep(weave, HEAD, head);
    this.#file = rowsOfStep(weave, '\0file', file);
    this.#places = placesIn(weave.hunks.filter(({ step }) => weave.steps[step]!.id !== HEAD));
  }

  /**
   * Tells the faults of a result. `mayLack` says of a place in which the result is not the file, whether it holds what the
   * landing may leave out: text from outside, or an edit that was not chosen; absent: a landing of chosen edits or onto
   * another branch, which may differ from the file everywhere.
   */
  faults(result: readonly Token[], mayLack?: (rows: readonly WovenRow[]) => boolean): LandingFault[] {
    const { held, own } = this.#weave.place(result);
    if (own.length > 0) return [{ kind: 'nobody wrote it', lines: own.map(({ index }) => result[index]!) }];
    const faults: LandingFault[] = [];
    for (const rows of this.#places) {
      const reads = (version: ReadonlySet<WovenRow>): boolean =>
        rows.every(row => version.has(row) === held.has(row));
      if (reads(this.#file)) continue;
      const lines = rows.filter(row => held.has(row) && !isMark(row)).map(({ token }) => token);
      if (!reads(this.#head) && !stoodOnce(rows, held)) faults.push({ kind: 'never stood so', lines });
      else if (mayLack && !mayLack(rows)) faults.push({ kind: 'left out for nothing', lines });
    }
    return faults;
  }
}

/** The rows of a text that is added as a step, while the present version stays. */
function rowsOfStep(weave: Weave, id: string, text: readonly Token[]): ReadonlySet<WovenRow> {
  const present = weave.live;
  weave.step({ id, kind: 'outside' }, text);
  const rows = new Set(weave.live);
  weave.live = present;
  return rows;
}

/** True where some recorded version had exactly these of the rows. */
function stoodOnce(rows: readonly WovenRow[], held: ReadonlySet<WovenRow>): boolean {
  const steps = new Set([-1, ...rows.flatMap(({ events }) => events.map(({ hunk }) => hunk.step))]);
  return [...steps].some(step =>
    rows.every(({ inBase, events }, at) => {
      const last = events.findLast(({ hunk }) => hunk.step <= step);
      return (last ? last.effect === 'put in' : inBase) === held.has(rows[at]!);
    }),
  );
}

/** Rows that belong together, because one step put them in or took them out in one place. */
function placesIn(hunks: readonly Hunk[]): WovenRow[][] {
  const groupOf = new Map<WovenRow, Set<WovenRow>>();
  for (const { fresh, returned, gone } of hunks) {
    const rows = [...fresh, ...returned, ...gone];
    const groups = new Set(rows.flatMap(row => groupOf.get(row) ?? []));
    const joined = new Set([...[...groups].flatMap(group => [...group]), ...rows]);
    for (const row of joined) groupOf.set(row, joined);
  }
  return [...new Set(groupOf.values())].map(group => [...group]);
}

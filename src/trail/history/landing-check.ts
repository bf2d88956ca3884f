/**
 * The last look at a landing, from texts, whoever planned it: what a file will be in HEAD is what HEAD, the file or one
 * recorded version has, place by place; it has no more than was asked for; and where it is not what the file holds,
 * something says why.
 */

import type { Token } from '../../text/diff/alignment.ts';
import { isModeOfNew } from './components.ts';
import { Settled } from './settled.ts';
import { isMark, OWN } from './status.ts';
import { type Hunk, isLiveAfter, type Weave, type WovenRow } from './weave.ts';

/** Something that the check will not let pass. */
export interface LandingFault {
  kind: 'nobody wrote it' | 'never stood so' | 'left out for nothing' | 'not asked for';
  /** Lines of it, as the result has them. */
  lines: string[];
}

/** The edits and texts that a landing may take, and leave. */
export interface LandingTerms {
  /** True for an edit that is to land. */
  takes(commit: string): boolean;
  /** True where text from outside is to land, too. */
  outside: boolean;
  /** True for a row that stays out as the file has it: rejected text that is there again. */
  leavesOut(row: WovenRow): boolean;
  /** False for named edits, or another branch: then the result may differ from the file everywhere. */
  isWhole: boolean;
}

/** Stands for HEAD as a step of the weave. */
const HEAD = '\0head';

/** Checks the text that one file is to have on the branch. */
export class LandingCheck {
  readonly #weave: Weave;
  readonly #head: ReadonlySet<WovenRow>;
  /** The rows of the file, in order. */
  readonly file: readonly WovenRow[];
  readonly #file: ReadonlySet<WovenRow>;
  readonly #settled: Settled;
  readonly #places: ReadonlyArray<readonly WovenRow[]>;

  /** The weave is given over: HEAD before the landing and the file are added to it. */
  constructor(weave: Weave, { head, file }: { head: readonly Token[]; file: readonly Token[] }) {
    const recorded = weave.steps.length;
    this.#weave = weave;
    this.#head = new Set(rowsOfStep(weave, HEAD, head));
    this.file = rowsOfStep(weave, '\0file', file);
    this.#file = new Set(this.file);
    this.#settled = new Settled(weave, this.#head, recorded);
    this.#places = placesIn(weave, this.#settled);
  }

  /** Tells the faults of a result. */
  faults(result: readonly Token[], terms: LandingTerms): LandingFault[] {
    const { held, own } = this.#weave.place(result);
    if (own.length > 0) return [{ kind: 'nobody wrote it', lines: own.map(({ index }) => result[index]!) }];
    return this.#places.flatMap(rows => {
      const kind = this.#faultOf(rows, held, terms);
      if (kind === null) return [];
      return [{ kind, lines: rows.filter(row => held.has(row) && !isMark(row)).map(({ token }) => token) }];
    });
  }

  #faultOf(
    rows: readonly WovenRow[],
    held: ReadonlySet<WovenRow>,
    terms: LandingTerms,
  ): LandingFault['kind'] | null {
    const reads = (version: ReadonlySet<WovenRow>): boolean =>
      rows.every(row => version.has(row) === held.has(row));
    const isAsFile = reads(this.#file);
    if (!isAsFile && !reads(this.#head) && !this.#stoodOnce(rows, held)) return 'never stood so';
    // All that a version has otherwise than HEAD is asked for.
    const isAskedFor = (version: ReadonlySet<WovenRow>): boolean =>
      rows.every(
        row => version.has(row) === this.#head.has(row) || this.#isAskedFor(row, version.has(row), terms),
      );
    if (!isAskedFor(held)) return 'not asked for';
    return !isAsFile && terms.isWhole && isAskedFor(this.#file) ? 'left out for nothing' : null;
  }

  /** True where some recorded version had exactly these of the rows; none from before what HEAD has of them was put in. */
  #stoodOnce(rows: readonly WovenRow[], held: ReadonlySet<WovenRow>): boolean {
    const since = this.#settled.since(rows);
    const steps = new Set([-1, ...rows.flatMap(({ events }) => events.map(({ hunk }) => hunk.step))]);
    return [...steps]
      .filter(step => step >= since)
      .some(step => rows.every(row => isLiveAfter(row, step) === held.has(row)));
  }

  /** True where what the landing does to the row is an edit that is to land, or from outside as that is. */
  #isAskedFor(row: WovenRow, isPut: boolean, { takes, outside, leavesOut }: LandingTerms): boolean {
    if (this.#file.has(row) === isPut && leavesOut(row)) return false;
    const owners = row.events
      .filter(({ effect }) => (effect === 'put in') === isPut)
      .map(({ hunk }) => this.#weave.steps[hunk.step]!)
      .filter(({ kind }) => OWN.has(kind));
    if (owners.length === 0) return outside || isModeOfNew(row, this.#head);
    return owners.some(({ id }) => takes(id));
  }
}

/** The rows of a text that is added as a step, while the present version stays. */
function rowsOfStep(weave: Weave, id: string, text: readonly Token[]): readonly WovenRow[] {
  const present = weave.live;
  weave.step({ id, kind: 'outside' }, text);
  const rows = weave.live;
  weave.live = present;
  return rows;
}

/** Rows that belong together, because one step put them in or took them out in one place; all others by themselves. */
function placesIn(weave: Weave, settled: Settled): WovenRow[][] {
  const isOfHead = ({ step }: Hunk): boolean => weave.steps[step]!.id === HEAD;
  const groupOf = new Map<WovenRow, Set<WovenRow>>();
  for (const { fresh, returned, gone } of weave.hunks.filter(hunk => !isOfHead(hunk) && !settled.has(hunk))) {
    const rows = [...fresh, ...returned, ...gone];
    const groups = new Set(rows.flatMap(row => groupOf.get(row) ?? []));
    const joined = new Set([...[...groups].flatMap(group => [...group]), ...rows]);
    for (const row of joined) groupOf.set(row, joined);
  }
  const alone = [...weave.rows()].filter(row => !groupOf.has(row)).map(row => [row]);
  return [...[...new Set(groupOf.values())].map(group => [...group]), ...alone];
}

/**
 * The parts of one file that a landing can take or leave. Rows that one step put in or took out together, in one place,
 * belong together: such a component lands as it reads in the file, or stays as HEAD has it. Where a recorded version had
 * each of its rows as HEAD or the file has it, it may land as in that, so that a person's line stays out. So a landing
 * commits nothing that the file lacks, and no text that nobody wrote, such as the old line and the new one. What HEAD has of
 * it already (`LandedHunks`) binds nothing.
 */

import type { Token } from '../../text/diff/alignment.ts';
import { hasWord, isOnlyFormatted } from '../../text/format.ts';
import { deciding, isMode, isName, isStillPersons, OWN, type SeenHead } from './status.ts';
import { type Effect, type Hunk, isLiveAfter, type StepKind, type Weave, type WovenRow } from './weave.ts';

export interface LandingCriteria {
  takes(commit: string): boolean;
  /** Also text from outside, which no edit wrote. */
  outside: boolean;
  isWayBack?(commit: string): boolean;
  /** The edits were named one by one. */
  named: boolean;
  /** True for a row that stays out as the file has it: rejected text that is there again. */
  leavesOut?(row: WovenRow): boolean;
}

export interface Chosen {
  rows: readonly WovenRow[];
  /** Those of the rows that the result has. */
  held: ReadonlySet<WovenRow>;
  /** Wanted edits of which something stands in the file and not in the result, by their commits. */
  missing: string[];
  /** True where all that is in their way was put there from outside after them. */
  isRevised: boolean;
  /** Edits of the same rows that are not wanted, oldest first. */
  needs: string[];
  /** Rows from outside that are left out. */
  outside: WovenRow[];
  /** Wanted edits of which something stays out, because it is together with rejected text. */
  leftOut: string[];
}

/** The rows of some text. */
type Version = ReadonlySet<WovenRow>;

/** The steps that stand for the file as it is, and for HEAD; neither is a commit of the history. */
const FILE = '\0file';
const HEAD = '\0head';

export class Components {
  readonly weave: Weave;
  /** The number of its steps that are recorded: HEAD and the file come after them. */
  readonly recorded: number;
  readonly head: ReadonlySet<WovenRow>;
  readonly file: ReadonlySet<WovenRow>;
  readonly settled: LandedHunks;
  /** Rows that belong together; a row of none stands alone. */
  readonly groups: ReadonlyArray<readonly WovenRow[]>;

  readonly #seen: readonly SeenHead[];

  /** The weave is given over: the file and HEAD are added to it. `seen`: HEAD as the history saw it. */
  constructor(
    weave: Weave,
    texts: { file: readonly Token[]; head: readonly Token[] },
    seen: readonly SeenHead[] = [],
  ) {
    this.weave = weave;
    this.#seen = seen;
    this.recorded = weave.steps.length;
    const tip = weave.live;
    const { held, own } = weave.place(texts.head);
    this.head = own.length === 0 ? held : added(weave, HEAD, 'sync', texts.head);
    weave.live = tip;
    this.file = added(weave, FILE, 'outside', texts.file);
    weave.live = tip;
    this.settled = new LandedHunks(weave, this.head, this.recorded);
    this.groups = grouped(weave, this.settled);
  }

  /** Chooses for each component in which file and HEAD differ. */
  choose(wish: LandingCriteria): Chosen[] {
    const differs = (row: WovenRow): boolean => this.file.has(row) !== this.head.has(row);
    return this.groups.filter(rows => rows.some(differs)).map(rows => this.#chosen(rows, wish));
  }

  result(chosen: readonly Chosen[]): WovenRow[] {
    const by = new Map(chosen.flatMap(one => one.rows.map(row => [row, one.held] as const)));
    return this.weave.rows().filter(row => (by.get(row) ?? this.head).has(row));
  }

  /** The commits of edits that put the row in, or took it out; of a line that was only formatted from outside, those that wrote it. */
  ownersOf(row: WovenRow, effect: Effect): string[] {
    const own = this.#doersOf(row, effect);
    return own.length > 0 || effect === 'taken out' ? own : this.#writersOf(row);
  }

  /** The row that a row was formatted to from outside, once or again; itself, where it was not. */
  formatted(row: WovenRow): WovenRow {
    const last = row.events.at(-1);
    if (last?.effect !== 'taken out') return row;
    const into = last.hunk.fresh.find(one => this.#formattedFrom(one).includes(row));
    return into ? this.formatted(into) : row;
  }

  /** Those that wrote what was formatted to this row; none where several have a part in it. */
  #writersOf(row: WovenRow): string[] {
    const [writers = [], ...others] = this.#formattedFrom(row).map(one => this.ownersOf(one, 'put in'));
    return others.every(other => other.join() === writers.join()) ? writers : [];
  }

  /** The rows that a step from outside replaced by this one, or by a run with it, and that differ from it in their format alone. */
  #formattedFrom(row: WovenRow): readonly WovenRow[] {
    const hunk = row.events.findLast(({ effect }) => effect === 'put in')?.hunk;
    if (!hunk || this.#kindOf(hunk.step) !== 'outside' || !hunk.fresh.includes(row)) return [];
    const isLike = ({ token }: WovenRow): boolean => isOnlyFormatted([token], [row.token]);
    // A bracket or a blank tells only with its whole run where it came from.
    const line = hasWord(row.token)
      ? hunk.gone.filter(isLike)[hunk.fresh.filter(isLike).indexOf(row)]
      : undefined;
    if (line) return [line];
    const [before, after] = [hunk.gone, hunk.fresh].map(rows => rows.map(({ token }) => token));
    return isOnlyFormatted(before!, after!) ? hunk.gone : [];
  }

  #doersOf(row: WovenRow, effect: Effect): string[] {
    const steps = row.events.filter(one => one.effect === effect).map(({ hunk }) => hunk.step);
    return steps
      .filter(step => OWN.has(this.#kindOf(step)))
      .filter(step => !isStillPersons(this.weave, row, { effect, step }, this.#seen))
      .map(step => this.#idOf(step));
  }

  #chosen(rows: readonly WovenRow[], wish: LandingCriteria): Chosen {
    const since = this.settled.since(rows);
    const isLeftOut = rows.some(row => wish.leavesOut?.(row));
    const fits = this.#newest(rows, since, wish, isLeftOut) ?? this.head;
    const held = new Set(rows.filter(row => fits.has(row)));
    const left = rows.filter(
      row => this.file.has(row) !== this.head.has(row) && held.has(row) !== this.file.has(row),
    );
    const owners = unique(left.flatMap(row => this.ownersOf(row, this.#effectOf(row))));
    const missing = owners.filter(one => wish.takes(one) && this.#stands(one, rows, left));
    const outside = left.filter(row => this.ownersOf(row, this.#effectOf(row)).length === 0);
    const needs = this.#stepsOf(rows)
      .filter(step => OWN.has(this.#kindOf(step)))
      .map(step => this.#idOf(step))
      .filter(one => !wish.takes(one))
      .reverse();
    return {
      rows,
      held,
      missing: isLeftOut ? [] : missing,
      isRevised: needs.length === 0 && this.#isSince(outside, missing),
      needs,
      outside: isLeftOut ? [] : outside,
      leftOut: isLeftOut ? missing : [],
    };
  }

  /** True where the newest change of each row is newer than what these edits did. */
  #isSince(rows: readonly WovenRow[], commits: readonly string[]): boolean {
    const { steps } = this.weave;
    const newest = steps.findLastIndex(({ id }) => commits.includes(id));
    return rows.every(({ events }) => (events.at(-1)?.hunk.step ?? -1) > newest);
  }

  /**
   * The rows as the file has them, and then as each recorded version that counts had them, newest first: only such as have
   * nothing but HEAD's and the file's.
   */
  *#versions(rows: readonly WovenRow[], since: number): Generator<Version> {
    yield this.file;
    for (const step of [...this.#stepsOf(rows), -1]) {
      const version = new Set(rows.filter(row => isLiveAfter(row, step)));
      if (!this.isOfTexts(rows, version)) continue;
      if (step >= Math.max(0, since) || this.isWithoutPersons(rows, version)) yield version;
    }
  }

  /** True for rows as HEAD or the file has each of them. */
  isOfTexts(rows: readonly WovenRow[], version: Version): boolean {
    return rows.every(row => [this.head, this.file].some(text => text.has(row) === version.has(row)));
  }

  /** True for rows of the texts of which HEAD has those that the file has otherwise: what a way back brought back of a person's is left out. */
  isWithoutPersons(rows: readonly WovenRow[], version: Version): boolean {
    const differing = rows.filter(row => this.file.has(row) !== version.has(row));
    const isBrought = (row: WovenRow): boolean => {
      const last = row.events.findLast(({ hunk }) => hunk.step < this.recorded);
      if (!last) return false;
      const { effect, hunk } = last;
      return isStillPersons(this.weave, row, { effect, step: hunk.step }, this.#seen);
    };
    return differing.every(row => this.head.has(row) === version.has(row)) && differing.some(isBrought);
  }

  /**
   * Returns the newest version in which all that HEAD has otherwise is wanted. `isLeftOut`: of those without the rejected text,
   * the newest alone.
   */
  #newest(
    rows: readonly WovenRow[],
    since: number,
    wish: LandingCriteria,
    isLeftOut: boolean,
  ): Version | undefined {
    const isWithout = (version: Version): boolean =>
      rows.every(row => !wish.leavesOut!(row) || version.has(row) !== this.file.has(row));
    for (const version of this.#versions(rows, since)) {
      if (isLeftOut && !isWithout(version)) continue;
      if (this.#fits(rows, version, wish)) return version;
      if (isLeftOut) return undefined;
    }
    return undefined;
  }

  #effectOf(row: WovenRow): Effect {
    return this.file.has(row) ? 'put in' : 'taken out';
  }

  /** True where a row that decides what is said of the edit is in the file as it left it, and is left out. */
  #stands(commit: string, rows: readonly WovenRow[], left: readonly WovenRow[]): boolean {
    const done = rows.flatMap(row =>
      row.events
        .filter(({ hunk }) => this.#idOf(hunk.step) === commit)
        .map(({ effect }) => ({ row: effect === 'put in' ? this.formatted(row) : row, effect })),
    );
    return deciding(done).some(({ row, effect }) => left.includes(row) && effect === this.#effectOf(row));
  }

  /** True for a version of the component in which all that HEAD has otherwise is wanted. */
  #fits(rows: readonly WovenRow[], version: Version, wish: LandingCriteria): boolean {
    const changed = rows.filter(row => version.has(row) !== this.head.has(row));
    if (changed.length === 0) return false;
    return changed.every(row => {
      const effect = version.has(row) ? 'put in' : 'taken out';
      const owners = this.ownersOf(row, effect);
      if (owners.length > 0 && !owners.some(one => wish.takes(one))) return false;
      if (isModeOfNew(row, this.head)) return true;
      if (owners.length === 0) return wish.outside && version === this.file;
      return true;
    });
  }

  /** Newest first, without the file and HEAD. */
  #stepsOf(rows: readonly WovenRow[]): number[] {
    const steps = new Set(rows.flatMap(row => row.events.map(({ hunk }) => hunk.step)));
    return [...steps].filter(step => !this.#idOf(step).startsWith('\0')).sort((a, b) => b - a);
  }

  #idOf(step: number): string {
    return this.weave.steps[step]!.id;
  }

  #kindOf(step: number): StepKind {
    return this.weave.steps[step]!.kind;
  }
}

function added(weave: Weave, id: string, kind: StepKind, text: readonly Token[]): ReadonlySet<WovenRow> {
  weave.step({ id, kind }, text);
  return new Set(weave.live);
}

/** True for the mode of a file that HEAD lacks: it lands with the file, whoever set it. */
export function isModeOfNew(row: WovenRow, head: ReadonlySet<WovenRow>): boolean {
  return isMode(row) && ![...head].some(isName);
}

/** Joins the rows of each hunk. Where HEAD is another text, only what it put in anew tells what belongs together. */
function grouped({ hunks, steps }: Weave, settled: LandedHunks): WovenRow[][] {
  const above = new Map<WovenRow, WovenRow>();
  const top = (row: WovenRow): WovenRow => {
    let at = row;
    for (let next = above.get(at); next && next !== at; next = above.get(at)) at = next;
    above.set(row, at);
    return at;
  };
  const isOfHead = ({ step }: Hunk): boolean => steps[step]!.id === HEAD;
  for (const hunk of hunks) {
    if ((isOfHead(hunk) && hunk.fresh.length === 0) || settled.has(hunk)) continue;
    const [first, ...others] = [...hunk.fresh, ...hunk.returned, ...hunk.gone];
    above.set(top(first!), top(first!));
    for (const row of others) above.set(top(row), top(first!));
  }
  const groups = new Map<WovenRow, WovenRow[]>();
  for (const row of above.keys()) {
    const rows = groups.get(top(row)) ?? [];
    groups.set(top(row), rows);
    rows.push(row);
  }
  return [...groups.values()];
}

function unique(commits: readonly string[]): string[] {
  return [...new Set(commits)];
}

/**
 * Finds the hunks of a file's history that HEAD has: what they put in and took out is HEAD's own text since, and was
 * changed since line by line, not as one place. A hunk counts that HEAD has new lines of, and all the rest of which
 * later ones changed that it has, too.
 */
class LandedHunks {
  readonly #head: ReadonlySet<WovenRow>;
  readonly #known = new Map<Hunk, boolean>();
  readonly #recorded: number;
  readonly #hunks: ReadonlySet<Hunk>;

  /** `recorded`: how many steps of the weave are recorded; HEAD and the file may come after them. */
  constructor({ hunks }: Weave, head: ReadonlySet<WovenRow>, recorded: number) {
    this.#head = head;
    this.#recorded = recorded;
    // The newest first: each asks of later ones alone.
    const newest = [...hunks].reverse().filter(hunk => hunk.step < recorded && this.#isLanded(hunk));
    // What was there before it all tells nothing: HEAD may never have had more.
    this.#hunks = new Set(newest.filter(({ fresh }) => fresh.some(row => head.has(row))));
  }

  has(hunk: Hunk): boolean {
    return this.#hunks.has(hunk);
  }

  /** The step of the newest of these hunks that touched one of the rows; -1 for none. What was before it is over. */
  since(rows: readonly WovenRow[]): number {
    const hunks = rows.flatMap(({ events }) => events.map(({ hunk }) => hunk));
    return hunks.reduce((newest, hunk) => (this.has(hunk) ? Math.max(newest, hunk.step) : newest), -1);
  }

  #isLanded(hunk: Hunk): boolean {
    const known = this.#known.get(hunk);
    if (known !== undefined) return known;
    const isAs = (rows: readonly WovenRow[], wanted: boolean): boolean =>
      rows.every(row => this.#head.has(row) === wanted || this.#wasChangedSince(row, hunk, wanted));
    const { fresh, returned, gone } = hunk;
    const is = isAs(fresh, true) && isAs(returned, true) && isAs(gone, false);
    this.#known.set(hunk, is);
    return is;
  }

  #wasChangedSince({ events }: WovenRow, { step }: Hunk, wasPut: boolean): boolean {
    return events.some(({ hunk, effect }) => {
      const isLater = hunk.step > step && hunk.step < this.#recorded;
      return isLater && (effect === 'taken out') === wasPut && this.#isLanded(hunk);
    });
  }
}

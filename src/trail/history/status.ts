/**
 * Tells what became of an edit, from texts alone: the file, HEAD, and all recorded versions, woven (weave.ts). No
 * book-keeping: whatever a person does with git or an editor, the answer is about the lines that are there.
 *
 * Of each line that an edit put in or took out, the effect is looked for in the file and in HEAD:
 *
 *     in the file  in HEAD  last recorded event on the line          the line is
 *     yes          no       -                                        open
 *     yes          yes      -                                        landed
 *     no           yes      X, or none                               landed; X, or somebody by hand, changed it since
 *     no           no       a later edit X                           superseded by X
 *     no           no       undo, revert, rollback, restore X        taken back by X
 *     no           no       a rejection X                            rejected by X
 *     no           no       text from outside stands in its place    rewritten by hand
 *     no           no       none; from outside without text; a sync  not here, where the index, a stash, another branch,
 *                                                                    trail or work tree holds it; else taken back by hand
 *
 * A text that lacks a line need not have taken it out: an older branch never had it. So of a line that was taken out, only
 * places count that say what they were made from, the index and stashes.
 *
 * What HEAD had already when the edit was made, and has now, counts nothing: a line taken out that HEAD never had, a line
 * put in that the base had. So does what a way back brings back of a person's (`isStillPersons`).
 *
 * An edit has one word: that of the lines that it put in, or where there are none, of those that it took out (`deciding`).
 * Where they have several, it is the first of the list `WORDS`, and `lines` says how many lines have which.
 */

import { isLine } from './file-rows.ts';
import {
  type Effect,
  type Hunk,
  isBlank,
  type Placement,
  type RowEvent,
  type StepKind,
  type Weave,
  type WeaveStep,
  type WovenRow,
} from './weave.ts';

/** In the order in which they decide what is said of an edit. */
export const WORDS = [
  'rejected',
  'open',
  'not here',
  'taken back by hand',
  'rewritten by hand',
  'taken back',
  'superseded',
  'landed',
] as const;

/** Besides: every line counts nothing; or nobody can tell, as of a file that is too large to compare. */
export type StatusWord = (typeof WORDS)[number] | 'nothing left' | 'unknown';

export interface EditStatus {
  now: StatusWord;
  /**
   * The commit that superseded, took back, rejected or changed it, or recorded that somebody did by hand; `hand` where that
   * is not recorded; of what is not here, where it is; of what is unknown, why. `null`: nobody.
   */
  by: string | null;
  /** The commit of HEAD's history that brought it, also where it was replaced since. */
  landed_in: string | null;
  /** The number of deciding lines (`deciding`) by their word; empty for `nothing left`. */
  lines: Partial<Record<StatusWord, number>>;
}

export interface RowFate {
  row: WovenRow;
  effect: Effect;
  word: StatusWord;
  by: string | null;
  /** Index in the weave's steps; -1 where nobody looked. */
  step: number;
}

/** The rows that a text beside the history holds, and where it is: `stash@{0}`, `branch topic`. */
export interface TextElsewhere {
  where: string;
  held: ReadonlySet<WovenRow>;
  /** Those of the text that it was made from, where that is known. */
  from?: ReadonlySet<WovenRow>;
}

export interface SeenHead {
  /** The number of steps before the look: it tells of the step with this 0-based index, and of later ones. */
  step: number;
  held: ReadonlySet<WovenRow>;
}

export interface Present {
  file: Placement;
  head: ReadonlySet<WovenRow>;
  /** HEAD as the history saw it, oldest first. */
  seen: readonly SeenHead[];
  elsewhere: readonly TextElsewhere[];
}

/** Tells what became of every line that each step put in or took out, by the step's commit. */
export function fatesIn(weave: Weave, present: Present): Map<string, RowFate[]> {
  if (weave.isCut) return unknown(weave);
  const judge = new Judge(weave, present);
  const fates = new Map<string, RowFate[]>();
  for (const { step, fresh, returned, gone } of weave.hunks) {
    const { id, kind } = weave.steps[step]!;
    if (kind === 'sync') continue;
    const found = fates.get(id) ?? [];
    fates.set(id, found);
    const before = judge.headAt(step);
    for (const row of fresh) found.push(judge.fate(row, 'put in', step, before));
    for (const row of returned) found.push(judge.fate(row, 'put in', step, before));
    for (const row of gone) found.push(judge.fate(row, 'taken out', step, before));
  }
  return fates;
}

/** Returns one line of each step, whose fate is unknown, for all: which lines they are, nobody looked. */
function unknown(weave: Weave): Map<string, RowFate[]> {
  const [row] = weave.rows();
  const fate: RowFate = { row: row!, effect: 'put in', word: 'unknown', by: null, step: -1 };
  return new Map(weave.steps.filter(({ kind }) => kind !== 'sync').map(({ id }) => [id, [fate]]));
}

const LATER: Partial<Record<StepKind, StatusWord>> = {
  edit: 'superseded',
  back: 'taken back',
  reject: 'rejected',
};

class Judge {
  readonly #weave: Weave;
  readonly #present: Present;
  /** By hunk, true where it put text in that no version had there. */
  readonly #writes = new Map<Hunk, boolean>();
  /** The index in `seen` of the step that was asked for last: most are asked for in order. */
  #at = 0;

  constructor(weave: Weave, present: Present) {
    this.#weave = weave;
    this.#present = present;
  }

  /** `before`: the rows of HEAD when the step was made. */
  fate(row: WovenRow, effect: Effect, step: number, before: ReadonlySet<WovenRow>): RowFate {
    const wanted = effect === 'put in';
    const { file, head } = this.#present;
    const inFile = file.held.has(row) === wanted;
    const inHead = head.has(row) === wanted;
    const isNone = isStillPersons(this.#weave, row, { effect, step }, this.#present.seen);
    const of = (word: StatusWord, by: string | null = null): RowFate => ({ row, effect, word, by, step });
    if (isNone || (inHead && before.has(row) === wanted)) return of('nothing left');
    if (inFile) return of(inHead ? 'landed' : 'open');
    const last = this.#lastEvent(row, effect);
    const by = last ? this.#stepOf(last).id : 'hand';
    if (inHead) return of('landed', by);
    const word = last && LATER[this.#stepOf(last).kind];
    if (word) return of(word, by);
    // A line that was taken out and is back has itself in its place.
    const isReplaced = wanted && (last ? this.#isWriting(last.hunk) : file.replaced.has(row));
    if (isReplaced) return of('rewritten by hand', by);
    const { elsewhere } = this.#present;
    const hasIt = ({ held, from }: TextElsewhere): boolean =>
      wanted ? held.has(row) : from?.has(row) === true && !held.has(row);
    const where = elsewhere.find(hasIt)?.where;
    return where ? of('not here', where) : of('taken back by hand', by);
  }

  /** The rows of HEAD as the history saw it when a step was made. */
  headAt(step: number): ReadonlySet<WovenRow> {
    const { seen } = this.#present;
    while (this.#at > 0 && seen[this.#at]!.step > step) this.#at--;
    while (this.#at + 1 < seen.length && seen[this.#at + 1]!.step <= step) this.#at++;
    return seen[this.#at]!.held;
  }

  /** The newest event of the row, where that is what undid the effect, and no commit of a person did. */
  #lastEvent(row: WovenRow, effect: Effect): RowEvent | null {
    const last = row.events.at(-1)!;
    return last.effect === effect || this.#stepOf(last).kind === 'sync' ? null : last;
  }

  #stepOf({ hunk }: RowEvent): WeaveStep {
    return this.#weave.steps[hunk.step]!;
  }

  #isWriting(hunk: Hunk): boolean {
    const known = this.#writes.get(hunk) ?? hunk.fresh.some(({ token }) => !isBlank(token));
    this.#writes.set(hunk, known);
    return known;
  }
}

/**
 * True where a step only brought back what a person did last to the row, and HEAD was not so since anybody did it: it is still
 * the person's, whoever brought it back.
 */
export function isStillPersons(
  { steps }: Weave,
  row: WovenRow,
  { effect, step }: { effect: Effect; step: number },
  seen: readonly SeenHead[],
): boolean {
  if (!steps[step]!.brings) return false;
  const before = row.events.filter(one => one.effect === effect && one.hunk.step < step);
  const doers = before.map(({ hunk }) => hunk.step).filter(one => !steps[one]!.brings);
  if (doers.length === 0 || steps[doers.at(-1)!]!.kind !== 'outside') return false;
  const wasHeads = ({ step: from, held }: SeenHead, at: number): boolean =>
    from <= step && (seen[at + 1]?.step ?? step) > doers[0]! && held.has(row) === (effect === 'put in');
  return !seen.some(wasHeads);
}

/** True for what stands for a name, a mode or a missing final line end; see `rowsOf` in file-rows.ts. */
export const isMark = ({ token }: Pick<WovenRow, 'token'>): boolean => !isLine(token);

export const isMode = ({ token }: Pick<WovenRow, 'token'>): boolean => token.startsWith('\0mode ');

export const isName = ({ token }: Pick<WovenRow, 'token'>): boolean => token.startsWith('\0name ');

/**
 * Returns, of what an edit did, the rows that decide what is said of it: lines that it put in; else marks that it put
 * in, such as a mode; of a file that it deleted the name; else the lines that it took out.
 */
export function deciding<Done extends { row: Pick<WovenRow, 'token'>; effect: Effect }>(
  done: readonly Done[],
): Done[] {
  const put = done.filter(({ effect }) => effect === 'put in');
  const all = put.length > 0 ? put : done;
  const marks = all.filter(({ row }) => isMark(row));
  if (put.length === 0 && marks.some(({ row }) => isName(row))) return marks;
  return marks.length < all.length ? all.filter(({ row }) => !isMark(row)) : marks;
}

/** Sums up what became of the lines of one edit, of one file or several. */
export function statusOf(fates: readonly RowFate[]): Omit<EditStatus, 'landed_in'> {
  if (fates.some(({ word }) => word === 'unknown'))
    return { now: 'unknown', by: 'too large to compare', lines: {} };
  const left = deciding(fates.filter(({ word }) => word !== 'nothing left'));
  const now = WORDS.find(word => left.some(one => one.word === word)) ?? 'nothing left';
  const lines: EditStatus['lines'] = {};
  for (const { word } of left) lines[word] = (lines[word] ?? 0) + 1;
  const by = left.findLast(one => one.word === now && one.by !== null)?.by ?? null;
  return { now, by, lines };
}

/**
 * True where something that the step did is open. What a way back did and an edit did too, before or after it, counts as the
 * edit's, for to put an edit back adds nothing that is open; what several ways back did counts as the last one's.
 */
export function hasOpen(
  weave: Weave,
  commit: string,
  fates: readonly RowFate[],
  isWayBack: (commit: string) => boolean,
): boolean {
  const isOwn = ({ row, effect }: RowFate): boolean => {
    const steps = row.events
      .filter(event => event.effect === effect)
      .map(({ hunk }) => weave.steps[hunk.step]!)
      .filter(({ kind }) => OWN.has(kind));
    return steps.every(({ id }) => isWayBack(id)) && steps.at(-1)?.id === commit;
  };
  const left = deciding(fates.filter(({ word }) => word !== 'nothing left'));
  return left.some(fate => fate.word === 'open' && (!isWayBack(commit) || isOwn(fate)));
}

/** Kinds of steps that are no text from outside: rejecting is said to the engine, too. */
export const OWN: ReadonlySet<StepKind> = new Set(['edit', 'back', 'reject']);

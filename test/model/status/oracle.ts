/**
 * What became of every line of every edit, by the rules of the line, read from who is in which text and from the versions as
 * they were made. Shares no code with src: no text is compared with another one but by membership.
 */

import { changes, type Line, type Text } from './lines.ts';
import { ancestors, type Files, PATHS, type Scene, type Version } from './world.ts';

/** What became of one line: `+12 of a: superseded by edit 7`. */
export interface Fate {
  isPut: boolean;
  line: Line;
  path: string;
  word: string;
  by: string | null;
  /** True where it was written again after a way back, as a line of its own: which of the two comes back nobody can tell. */
  isTwice: boolean;
}

/** A step that put a line in or took it out. */
interface Flip {
  by: Step;
  isPut: boolean;
  /** True where text that nobody had written before came into the place of the line. */
  isReplaced: boolean;
  /** Whose doing it is, where it only repeats that. */
  as?: Step;
}

type Step = Pick<Version, 'id' | 'kind' | 'files'> & { at: number };

/** A line as one of those who wrote it put it in: one that is written again after a way back is another. */
interface Row {
  line: Line;
  log: Flip[];
  inHead: boolean;
  /** Where HEAD got it and lost it. */
  headMoves: number[];
}

const doer = ({ by, as = by }: Flip): Step => as;

/** By the id of a version, for all but syncs. */
export function fatesOf(scene: Scene): Map<string, Fate[]> {
  const fates = new Map<string, Fate[]>();
  for (const path of PATHS) {
    const history = new History(scene, path);
    for (const [id, fate] of history.fates()) fates.set(id, [...(fates.get(id) ?? []), fate]);
  }
  return fates;
}

/** In the order in which they decide what is said of an edit. */
const FIRST: readonly string[] = [
  'rejected',
  'open',
  'away',
  'taken out by hand',
  'rewritten',
  'taken back',
  'superseded',
  'changed',
  'landed',
];

/** The word of an edit, and of how many lines it is said. */
export function wordOf(fates: readonly Fate[]): { now: string; lines: Record<string, number> } {
  const left = fates.filter(({ word }) => word !== 'nothing left');
  const put = left.filter(({ isPut }) => isPut);
  const deciding = put.length > 0 ? put : left;
  const lines: Record<string, number> = {};
  for (const { word } of deciding) lines[word] = (lines[word] ?? 0) + 1;
  return { now: FIRST.find(word => lines[word]) ?? 'nothing left', lines };
}

const isWayBack = ({ kind }: Step): boolean => kind === 'back' || kind === 'reject' || kind === 'redo';
const isHeads = ({ kind }: Step): boolean => kind === 'head' || kind === 'base';
/** What happened beside the engine: lines come back by it, and go again as they had gone before. */
const isOutside = (step: Step): boolean =>
  isHeads(step) || step.kind === 'outside' || step.kind === 'command';

/** What the files hold otherwise. */
const NOT_RECORDED = 'hand';

class History {
  readonly #scene: Scene;
  readonly #path: string;
  readonly #rows: Row[] = [];
  /** The rows of the file. */
  readonly #live = new Map<Line, Row>();
  #text: Text;
  #head: Text;

  constructor(scene: Scene, path: string) {
    this.#scene = scene;
    this.#path = path;
    const [base, ...versions] = ancestors(scene.tip);
    this.#text = this.#head = base!.files[path]!;
    for (const line of this.#text) {
      const row = this.#made(line, true, -1);
      row.log.push({ by: { ...base!, at: -1 }, isPut: true, isReplaced: false });
      this.#live.set(line, row);
    }
    for (const [at, version] of versions.entries()) this.#step({ ...version, at }, version.head.files);
    const look = { id: NOT_RECORDED, kind: 'outside', files: scene.work, at: versions.length } as const;
    this.#step(look, scene.head);
  }

  #made(line: Line, inHead: boolean, at: number): Row {
    const row = { line, log: [], inHead, headMoves: inHead ? [at] : [] };
    this.#rows.push(row);
    return row;
  }

  #last(line: Line): Row | undefined {
    return this.#rows.findLast(row => row.line === line);
  }

  #step(step: Step, head: Files): void {
    const after = step.files[this.#path]!;
    const absent = this.#moveHead(step, head[this.#path]!, after);
    const before = this.#text;
    const put = after.filter(line => !before.includes(line));
    const back = new Map(put.map(line => [line, this.#returning(line, step)]));
    for (const change of changes(before, after)) {
      const isReplaced = change.put.some(line => back.has(line) && !back.get(line)?.log.length);
      for (const line of before.slice(change.from, change.to))
        if (!after.includes(line)) this.#take(line, step, isReplaced);
    }
    for (const [line, known] of back) {
      const row = known ?? this.#made(line, false, step.at);
      const as = step.kind === 'redo' ? row.log.findLast(({ isPut }) => isPut) : undefined;
      row.log.push({ by: step, isPut: true, isReplaced: false, ...(as && { as: doer(as) }) });
      this.#live.set(line, row);
    }
    this.#text = after;
    this.#noteAbsent(step, absent);
  }

  /** Answers the new lines that HEAD got and that the file lacks. */
  #moveHead({ at }: Step, head: Text, file: Text): Line[] {
    const old = this.#head;
    this.#head = head;
    for (const row of this.#rows)
      if (row.inHead && !head.includes(row.line)) {
        row.inHead = false;
        row.headMoves.push(at);
      }
    const absent: Line[] = [];
    for (const line of head.filter(one => !old.includes(one))) {
      const row = this.#live.get(line) ?? this.#last(line);
      if (!row && !file.includes(line)) absent.push(line);
      const own = row ?? this.#made(line, false, at);
      own.inHead = true;
      own.headMoves.push(at);
    }
    return absent;
  }

  /** A line of HEAD's that never came into the file counts as taken by whoever had emptied its place. */
  #noteAbsent(step: Step, absent: readonly Line[]): void {
    const emptiedBy = (line: Line | undefined): Step | null => {
      const last = line === undefined ? undefined : this.#last(line)!.log.at(-1);
      return last && !last.isPut && !isHeads(doer(last)) ? doer(last) : null;
    };
    const known = this.#head.filter(line => !absent.includes(line));
    for (const line of absent) {
      const at = this.#head.indexOf(line);
      const before = this.#head.slice(0, at).findLast(one => known.includes(one));
      const after = this.#head.slice(at).find(one => known.includes(one));
      const [x, y] = [emptiedBy(before), emptiedBy(after)];
      const as = before !== undefined && after !== undefined ? (x === y ? x : null) : (x ?? y);
      const flip = { by: step, isReplaced: false };
      const row = this.#last(line)!;
      row.log.push({ ...flip, isPut: true }, { ...flip, isPut: false, ...(as && { as }) });
    }
  }

  /** The row that comes back; none where an edit writes, or a person what a way back took out and HEAD lacks. */
  #returning(line: Line, step: Step): Row | undefined {
    const row = this.#last(line);
    if (!row || step.kind === 'edit') return undefined;
    const last = row.log.at(-1);
    const isTyped = step.kind === 'outside' || step.kind === 'command';
    return isTyped && last && isWayBack(last.by) && !row.inHead ? undefined : row;
  }

  #take(line: Line, step: Step, isReplaced: boolean): void {
    const row = this.#live.get(line)!;
    this.#live.delete(line);
    const at = row.log.findLastIndex(({ isPut }) => !isPut);
    const old = row.log[at];
    // What a landed edit took, and a way back brought again, a git restore takes once more.
    const mayBeUndone = old && !row.inHead && row.headMoves.length > 0 && doer(old).kind === 'edit';
    const isBack = ({ by }: Flip): boolean => isOutside(by) || (by.kind !== 'edit' && mayBeUndone === true);
    const isAgain = isOutside(step) && row.log.slice(at + 1).every(isBack);
    const as = old && (isAgain || step.kind === 'redo') && !isHeads(doer(old)) ? doer(old) : undefined;
    row.log.push({ by: step, isPut: false, isReplaced, ...(as && { as }) });
  }

  /** With the id of the version whose doing it is. */
  *fates(): Generator<[id: string, fate: Fate]> {
    for (const row of this.#rows) {
      if (row.log.length === 0) continue;
      for (const [step, isPut] of this.#doneTo(row))
        if (step.id !== NOT_RECORDED) yield [step.id, this.#fate(row, step, isPut)];
    }
  }

  #doneTo({ log }: Row): Array<[Step, boolean]> {
    const put = doer(log[0]!);
    const own = log.slice(1).filter(flip => !isHeads(doer(flip)));
    const takers = new Set(own.filter(one => !one.isPut && !isWayBack(doer(one))).map(doer));
    const [lastOut, lastIn] = [own.findLast(one => !one.isPut), own.findLast(one => one.isPut)];
    if (lastOut && isWayBack(doer(lastOut))) takers.add(doer(lastOut));
    const isBack = lastIn && isWayBack(doer(lastIn)) && doer(lastIn) !== put;
    return [
      ...(isHeads(put) ? [] : [[put, true] as [Step, boolean]]),
      ...[...takers].filter(one => one !== put).map((one): [Step, boolean] => [one, false]),
      ...(isBack ? [[doer(lastIn), true] as [Step, boolean]] : []),
    ];
  }

  #fate(row: Row, step: Step, isPut: boolean): Fate {
    const of = (word: string, by: string | null = null): Fate => {
      const { line } = row;
      const isTwice = this.#rows.filter(one => one.line === line).length > 1;
      return { isPut, line, path: this.#path, word, by, isTwice };
    };
    const had = (at: number): boolean => row.headMoves.filter(one => one <= at).length % 2 === 1;
    const isHead = row.inHead === isPut;
    const isOthers = isWayBack(step) && doer(row.log[0]!) !== step && row.headMoves.length === 0;
    if ((isHead && had(step.at) === isPut) || isOthers) return of('nothing left');
    if (row.log.at(-1)!.isPut === isPut) return of(isHead ? 'landed' : 'open');
    const flip = row.log.findLast(one => one.isPut !== isPut)!;
    // What only repeats something older was done since.
    const by = doer(flip).at <= step.at ? flip.by : doer(flip);
    const who = isHeads(by) ? 'hand' : by.id;
    if (isHead) return of('changed', who);
    if (by.kind === 'reject') return of('rejected', who);
    if (isWayBack(by)) return of('taken back', who);
    if (by.kind === 'edit' || by.kind === 'command') return of('superseded', who);
    const wentWithHead = isHeads(by) && row.headMoves.some(at => at > step.at && had(at) === isPut);
    if (!wentWithHead && isPut && flip.isReplaced) return of('rewritten', who);
    const has = (files: Files): boolean => files[this.#path]!.includes(row.line);
    // What a stash was made on is not in it.
    const found = this.#scene.elsewhere.find(({ files, from }) =>
      isPut ? has(files) && !(from && has(from)) : from && has(from) && !has(files),
    );
    if (found) return of('away', found.where);
    return wentWithHead ? of('away', 'HEAD') : of('taken out by hand', who);
  }
}

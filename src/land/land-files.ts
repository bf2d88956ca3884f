/** The files of a landing: what each of them becomes on the branch for a choice of edits (src/line/landing.ts). */

import { type Context, fromTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import type { TextBack } from '../engine/rejections/rejected-text.ts';
import { readIndexEntry } from '../git/index/file.ts';
import { bytesOfRows, endOf, fileOfRows, isName, marksOf, withEnd } from '../history/file-rows.ts';
import { fileAt, type Recorded, sameRecorded } from '../history/steps.ts';
import type { LineEvent } from '../line/event.ts';
import type { LineFile } from '../line/files.ts';
import {
  type ChosenPart,
  LandingParts,
  type LandingPast,
  type LandingWish,
  placeOf,
} from '../line/landing.ts';
import { isIn, lastText, type Row, textOf } from '../line/row.ts';
import { deciding, type EditStatus, statusOf } from '../line/standing.ts';
import { TextLines } from '../line/text-lines.ts';
import { type Fate, fatesIn } from '../line/words.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { type LandContents, nameOf, type PathContents } from './contents.ts';
import { hunkOf, type LandHunk } from './hunks.ts';
import type { LandRequest } from './request.ts';
import { isByPerson, type LeftOutText, type OmittedWork } from './stays-behind.ts';
import type { LandTarget } from './target.ts';

/** A place of a file that cannot land as it was asked for. */
export interface Stuck {
  path: string;
  /** 1-based, in the file. */
  line: number;
  /** Edits that are to land, and edits that would have to land with them. */
  edits: string[];
  needs: string[];
  /** True where text from outside is in the way. */
  outside: boolean;
  /** True where all that is in the way was put there from outside after them. */
  isRevised: boolean;
}

export interface LandedFile {
  /** As the trail records it, and as the workspace names it. */
  path: string;
  name: string;
  changes: PathContents;
  stuck: Stuck[];
  /** Edits of which something lands, and of those that are chosen such of which nothing more does. */
  lands: ReadonlySet<string>;
  stays: ReadonlySet<string>;
  /** True where text from outside is left out, but for what was rejected. */
  leavesOutside: boolean;
  /** Edits of which something is in the file and not on the branch, before the landing and after it. */
  open: { before: ReadonlySet<string>; after: ReadonlySet<string> };
  /** Names what the person took back of the chosen edits, and rejected text that is back. */
  omitted: OmittedWork | null;
  leftOut: LeftOutText[];
  /** True where something open stays out, because the person took the file out of git's hands. */
  isGivenUp: boolean;
  /** Its places, as they land; and whether one was left because it is not accepted, or was not chosen. */
  hunks: LandHunk[];
  isPart: boolean;
}

/** The names of those files, in order. */
export function namesOf(landed: readonly LandedFile[], is: (file: LandedFile) => boolean): string[] {
  const found = landed.filter(is).map(({ name }) => name);
  return found.sort();
}

/** Joins the changes of files: where one leaves a name and another comes to it, the latter counts. */
export function changesOf(landed: ReadonlyArray<Pick<LandedFile, 'changes'>>): Map<string, Recorded> {
  const all = landed.flatMap(({ changes }) => [...changes]);
  return new Map([...all.filter(([, held]) => held === null), ...all.filter(([, held]) => held !== null)]);
}

/** The name by which the branch has a file; undefined: it has none. */
export function nameInHead({ weave }: LineFile): string | undefined {
  return marksOf(weave.rows().flatMap(({ head }) => head ?? [])).path;
}

/** Tells of a file what its history does not. */
export interface LandAsked {
  target: LandTarget;
  past: LandingPast;
  contents: LandContents;
  /** The names that files of the history have now, and whether the branch has each of them by it. */
  present: ReadonlyMap<string, boolean>;
  /** The name of the agent that made a commit of the history. */
  agentOf(commit: string): string | undefined;
  /** Git's index, where the branch is checked out. */
  index: Uint8Array | null;
  /** Rejected text that is back. */
  rejected: readonly TextBack[];
  /** The accepted text, where only that lands. */
  accepted: readonly Token[] | undefined;
}

export class LandFile {
  /** As the trail records it, and as the workspace names it. */
  readonly path: string;
  readonly name: string;
  /** All that it had, the present one last. */
  readonly names: readonly string[];
  /** Names that it had before, at which there is another file now, of which the history knows nothing. */
  readonly former: Set<string> = new Set();
  /** The commits that changed it. */
  readonly commits: ReadonlySet<string>;
  /** By commit, what became of it in this file. */
  readonly statuses: ReadonlyMap<string, Pick<EditStatus, 'now' | 'lines'>>;
  /** True where the history has no such file any more. */
  readonly isGone: boolean;
  /** The texts that the branch and the file have. */
  readonly head: readonly Token[];
  readonly file: readonly Token[];
  readonly #asked: LandAsked;
  readonly #parts: LandingParts;
  readonly #done: ReadonlyMap<LineEvent, Fate[]>;
  readonly #before = new Map<string, Recorded>();
  /** Rows that are not accepted, and rejected ones that are back. */
  readonly #unaccepted: ReadonlySet<Row>;
  readonly #back: ReadonlySet<Row>;

  private constructor(context: Context, { names, weave, tip }: LineFile, asked: LandAsked) {
    this.path = names.at(-1)!;
    this.name = nameOf(context, this.path);
    this.names = names;
    this.isGone = tip === null;
    this.#asked = asked;
    this.#parts = new LandingParts(weave, asked.past);
    this.commits = new Set(this.#parts.rows.flatMap(({ log }) => log.map(({ event }) => event.id)));
    this.#done = fatesIn(this.#parts.rows);
    this.#back = new Set(asked.rejected.flatMap(({ rows }) => [...rows]));
    // What is in the file again, and may be there, was not taken out.
    const isGone = ({ row, isPut }: Fate): boolean => {
      const again = isPut ? this.#parts.againOf(row) : undefined;
      return again === undefined || this.#back.has(again);
    };
    const told = (done: readonly Fate[]) => statusOf(done.filter(isGone).map(one => ({ ...one, by: null })));
    this.statuses = new Map([...this.#done].map(([{ id }, done]) => [id, told(done)]));
    this.head = this.#parts.result([]);
    this.file = weave.text;
    this.#unaccepted = asked.accepted ? rowsBut(this.#parts.rows, asked.accepted) : new Set();
  }

  static async of(snapshot: Snapshot, file: LineFile, asked: LandAsked): Promise<LandFile> {
    const { contents, target } = asked;
    const { names, versions, weave } = file;
    const made = new LandFile(snapshot.context, file, asked);
    const { path: now, blob } = marksOf(weave.text);
    // What is no text is told by its id: nobody may have written the object yet.
    if (now !== undefined && blob !== undefined && !versions.has(blob)) {
      const held = await snapshot.entryAsRecorded(fromTrail(snapshot.context, now)!);
      if (held) await contents.keep(held.bytes);
    }
    const name = nameInHead(file);
    for (const path of names) {
      const held = target.tree === null ? null : await fileAt(snapshot.context.objects, target.tree, path);
      const isOthers = path !== made.path && asked.present.get(path) === true;
      made.#before.set(path, path === name && !isOthers ? held : null);
      contents.before.set(path, held);
      contents.states.set(path, new Set([...(contents.states.get(path) ?? []), ...versions]));
      const isKnown = path === made.path || asked.present.has(path);
      const other = isKnown ? null : fromTrail(snapshot.context, path);
      if (other !== null && (await snapshot.entryAsRecorded(other).catch(() => null))) made.former.add(path);
    }
    return made;
  }

  /** The name that the branch has it by; undefined: the branch has no such file. */
  get nameOnBranch(): string | undefined {
    return [...this.#before].find(([, held]) => held !== null)?.[0];
  }

  /** Refuses edits of another file, which land under the name that this one has on the branch: they need what moved it away. */
  inTheWay(path: string, edits: string[]): Stuck {
    const names = this.#parts.rows.filter(row => isIn(row) && isName(lastText(row)));
    const needs = idsOf(names.flatMap(row => this.#parts.ownersOf(row, textOf(row))));
    return { path, line: 1, edits, needs, outside: needs.length === 0, isRevised: false };
  }

  /** The newest commit that changed it. */
  get newest(): string | undefined {
    const events = this.#parts.rows.flatMap(({ log }) => log.map(({ event }) => event));
    const recorded = events.filter(({ id, kind }) => id !== '' && kind !== 'head');
    return recorded.sort((a, b) => a.at - b.at).at(-1)?.id;
  }

  /** True for a commit that changed it, of which not all that counts is on the branch. */
  isOpen(commit: string): boolean {
    const now = this.statuses.get(commit)?.now;
    return this.commits.has(commit) && now !== 'landed' && now !== 'changed';
  }

  /** True where the file is as the branch has it. */
  get isAsBranch(): boolean {
    return !this.#parts.rows.some(row => this.#parts.differs(row));
  }

  /** True where the folder keeps a file that the person took out of git's hands: HEAD lost it, or the index has it no more. */
  get #isGivenUp(): boolean {
    const { target, index } = this.#asked;
    const isKept = ({ head, headMoves, log }: Row): boolean =>
      head === null && headMoves.length > 0 && log.every(({ event }) => event.kind === 'head');
    const names = this.#parts.rows.filter(row => isName(lastText(row)));
    const there = names.filter(isIn);
    if (!target.checkedOut || index === null || there.length === 0) return false;
    const inHead = this.nameOnBranch;
    const isStaged = (path: string): boolean => readIndexEntry(index, path) !== null;
    return there.some(isKept) || (inHead !== undefined && ![inHead, this.path].some(isStaged));
  }

  async land(request: LandRequest, takes: (commit: string) => boolean): Promise<LandedFile> {
    const { outside = false, accepted, dryRun } = request;
    const asked = request.hunks && new Set(request.hunks);
    const part = new Set(this.#unaccepted);
    const isLeft = !request.commits && this.#isGivenUp;
    const wish: LandingWish = {
      takes: ({ id }) => !isLeft && takes(id),
      outside: !isLeft && outside,
      leavesOut: row => part.has(row) || this.#back.has(row),
    };
    let chosen = this.#parts.choose(wish);
    if (asked) {
      const hunks = await this.#hunks(chosen);
      const others = chosen.filter((_, at) => hunks[at] && !asked.has(hunks[at]!.id));
      for (const row of others.flatMap(one => one.rows)) if (this.#parts.differs(row)) part.add(row);
      chosen = this.#parts.choose(wish);
    }
    const changes = await this.#changes(chosen);
    const stuck = chosen.filter(one => one.missing.length > 0).map(one => this.#stuck(one));
    if (changes === null) stuck.push(this.#unmade(chosen, wish));
    const { lands, ...open } = this.#open(chosen, wish);
    const omitted = omittedIn(this, outside, takes);
    const leftOut = this.#leftOut(chosen, lands);
    const behind = accepted || asked ? [...open.before].filter(one => !lands.has(one)) : [];
    return {
      path: this.path,
      name: this.name,
      changes: changes ?? new Map(),
      stuck,
      lands,
      stays: new Set([...(omitted?.edits ?? []), ...leftOut.flatMap(({ edits }) => edits), ...behind]),
      leavesOutside: chosen.some(({ outside }) => outside.some(row => this.#isTyped(row))),
      open,
      omitted,
      leftOut,
      isGivenUp: isLeft && [...this.commits].some(one => takes(one) && this.isOpen(one)),
      hunks: dryRun || asked ? (await this.#hunks(chosen)).filter(hunk => hunk !== null) : [],
      isPart: chosen.some(one => one.rows.some(row => part.has(row) && this.#parts.differs(row))),
    };
  }

  /** Tells what changes on the branch; `null` where the rows are those of no file. */
  async #changes(chosen: readonly ChosenPart[]): Promise<PathContents | null> {
    const told = fileOfRows(this.#withOneEnd(this.#parts.result(chosen)));
    if (told === undefined) return null;
    const changes = new Map<string, Recorded>();
    for (const [path, held] of this.#before) {
      // What the file was called before is another one now: that stays.
      const isKept = path === told?.path || this.former.has(path);
      if (held !== null && !isKept) changes.set(path, null);
    }
    if (!told) return changes;
    const { path, mode } = told;
    const oid = 'oid' in told ? told.oid : await this.#asked.contents.keep(await bytesOfRows(told));
    if (!sameRecorded(this.#before.get(path) ?? null, { mode, oid })) changes.set(path, { mode, oid });
    return changes;
  }

  /** Where the file has another line end than the branch, lines that land take the branch's, unless all of it lands. */
  #withOneEnd(rows: readonly Token[]): readonly Token[] {
    const [head, file] = [endOf(this.head), endOf(this.file)];
    return head !== null && file !== null && endOf(rows) === null ? withEnd(rows, head) : rows;
  }

  /** The text that a row has on the branch where these parts land. */
  #resultOf(chosen: readonly ChosenPart[]): (row: Row) => Token | null {
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    return row => (texts.has(row) ? texts.get(row)! : this.#parts.headOf(row));
  }

  /** Returns for each place what it changes on the branch; `null` where it changes nothing. */
  #hunks(chosen: readonly ChosenPart[]): Promise<Array<LandHunk | null>> {
    const { rows, headOf: head } = this.#parts;
    const after = new TextLines(rows, this.#resultOf(chosen));
    const texts = { head, before: new TextLines(rows, head), after };
    const { contents, agentOf } = this.#asked;
    const agentsOf = (one: ChosenPart) => (changed: readonly Row[]) => {
      const work = changed.flatMap(row => this.#parts.ownersOf(row, one.texts.get(row) ?? null));
      return [...new Set(work.flatMap(({ id }) => agentOf(id) ?? []))].sort();
    };
    return Promise.all(chosen.map(one => hunkOf(contents.codec, this.name, texts, one, agentsOf(one))));
  }

  /** True for text from outside; what another branch has otherwise than the trail is nobody's to commit here. */
  #isTyped({ log }: Row): boolean {
    return (
      this.#asked.target.checkedOut || log.some(({ event }) => event.kind === 'outside' && event.at >= 0)
    );
  }

  #leftOut(chosen: readonly ChosenPart[], lands: ReadonlySet<string>): LeftOutText[] {
    return this.#asked.rejected.flatMap(({ rows, span, rejection: { commit, reviewer, reason } }) => {
      const own = new Set(rows);
      const parts = chosen.filter(one => one.rows.some(row => own.has(row)));
      const edits = [...new Set(parts.flatMap(one => idsOf(one.leftOut)))].filter(one => !lands.has(one));
      const lines = rows.flatMap(row => textOf(row) ?? []);
      const by = { rejection: commit, reviewer, reason };
      return parts.length === 0 ? [] : [{ path: this.name, line: span.start + 1, lines, ...by, edits }];
    });
  }

  /** The edits that have something open, before a landing and after it, and those of which something open lands. */
  #open(chosen: readonly ChosenPart[], wish: LandingWish): LandedFile['open'] & { lands: Set<string> } {
    const result = this.#resultOf(chosen);
    const stays = ({ row, isPut }: Fate): boolean => (result(placeOf(row)) !== null) !== isPut;
    const [before, after, lands] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [event, done] of this.#done) {
      const told = deciding(done.filter(({ word }) => word !== 'nothing left'));
      const open = told.filter(({ word }) => word === 'open');
      if (open.length === 0 || !this.#asked.past.isWork(event)) continue;
      before.add(event.id);
      if (open.some(stays)) after.add(event.id);
      if (wish.takes(event) && !open.every(stays)) lands.add(event.id);
    }
    return { before, after, lands };
  }

  #stuck({ rows, missing, needs, outside, isRevised }: ChosenPart): Stuck {
    const line = this.#lineOf(outside) ?? this.#lineOf(rows) ?? 1;
    const [edits, others] = [idsOf(missing), idsOf(needs)];
    return { path: this.name, line, edits, needs: others, outside: outside.length > 0, isRevised };
  }

  /** Finds lines that land in a file which nothing that lands has made, and lines that stay in a file which goes. */
  #unmade(chosen: readonly ChosenPart[], { takes }: LandingWish): Stuck {
    const { rows } = this.#parts;
    const text = this.#resultOf(chosen);
    const result = rows.filter(row => text(row) !== null);
    const names = rows.filter(row => isName(lastText(row)));
    const isThere = names.some(row => this.#parts.headOf(row) !== null);
    const owners = (some: readonly Row[]): LineEvent[] =>
      some.flatMap(row => this.#parts.ownersOf(row, isThere ? null : lastText(row)));
    const [edits, others] = [owners(isThere ? names : result), owners(isThere ? result : names)];
    const needs = idsOf(others.filter(one => !takes(one)));
    const own = idsOf(edits.filter(takes));
    return { path: this.name, line: 1, edits: own, needs, outside: needs.length === 0, isRevised: false };
  }

  /** 1-based; the first of the rows that the file has. */
  #lineOf(rows: readonly Row[]): number | null {
    const text = new TextLines(this.#parts.rows, textOf);
    const own = text.among(rows);
    return own.length > 0 ? text.linesOf(own).start_line : null;
  }
}

function idsOf(events: readonly LineEvent[]): string[] {
  return [...new Set(events.map(({ id }) => id))];
}

/** The rows that the file has otherwise than this text. */
function rowsBut(rows: readonly Row[], text: readonly Token[]): Set<Row> {
  const all = rows.filter(row => isIn(row) || row.head !== null);
  const { to } = align(
    all.map(row => textOf(row) ?? row.head!),
    text,
    at => isIn(all[at]!),
  );
  return new Set(all.filter((row, at) => isIn(row) !== to[at]! >= 0));
}

/**
 * Tells what of the chosen edits the person took back in a file; of a landing that takes their own text too, only where the
 * file is as on the branch.
 */
function omittedIn(file: LandFile, outside: boolean, takes: (commit: string) => boolean): OmittedWork | null {
  if (outside && !file.isAsBranch) return null;
  const about = [...file.statuses].filter(([commit]) => takes(commit));
  const named = (is: (status: (typeof about)[number][1]) => boolean): string[] =>
    about.filter(([, status]) => is(status)).map(([commit]) => commit);
  const edits = named(({ now }) => isByPerson(now));
  const reduced = named(({ now, lines }) => !isByPerson(now) && Object.keys(lines).some(isByPerson));
  if (edits.length + reduced.length === 0) return null;
  const whole = !about.some(([, { now }]) => now === 'open');
  const hasOther = !file.isGone && !file.isAsBranch;
  // A restore to the newest version has nothing to bring where somebody typed since.
  const comesBack = !hasOther || edits.at(-1) !== file.newest;
  return { path: file.name, edits, reduced, whole, deleted: file.isGone, hasOther, comesBack };
}

/** The files of a landing: what each of them becomes on the branch for a choice of edits (trail/history/components.ts). */

import { fromTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { type ReturnedText, rowsReturned } from '../engine/rejections/open-rejections.ts';
import type { JudgedFile } from '../engine/status/edit-status.ts';
import type { Token } from '../text/diff/alignment.ts';
import { type Chosen, Components, type LandingCriteria } from '../trail/history/components.ts';
import { bytesOfRows, fileOfRows, isLine, marksOf } from '../trail/history/file-rows.ts';
import { hasOpen, isName, type RowFate, statusOf } from '../trail/history/status.ts';
import { type Effect, isLiveAfter, type WovenRow } from '../trail/history/weave.ts';
import { fileAt, type Recorded, sameRecorded } from '../trail/steps.ts';
import { keep, type LandContents, type PathContents } from './contents.ts';
import { hunkOf, type LandHunk } from './hunks.ts';
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
  path: string;
  changes: PathContents;
  stuck: Stuck[];
  /** Edits of which something lands. */
  lands: ReadonlySet<string>;
  /** True where text from outside is left out, but for what was rejected. */
  leavesOutside: boolean;
  /** Edits of which something is in the file and not on the branch, before the landing and after it. */
  open: { before: ReadonlySet<string>; after: ReadonlySet<string> };
  leftOut: LeftOut[];
  /** Its places, as they land; and whether one was left because it is not accepted, or was not chosen. */
  hunks: LandHunk[];
  isPart: boolean;
}

/** The part of a file that lands, where it is chosen: only the accepted rows, and only the hunks with these ids. */
export interface LandChoice {
  accepted?: ReadonlyMap<string, readonly Token[]> | undefined;
  hunks?: ReadonlySet<string> | undefined;
  /** Whether the places are told of. */
  lists?: boolean | undefined;
}

interface LandAsked extends LandChoice {
  /** The branch. */
  target: LandTarget;
}

/** Rejected text that is in the file again, and does not land. */
export interface LeftOut {
  /** The name that the trail has for the file, and the first line there, 1-based. */
  path: string;
  line: number;
  /** The lines; of lines that were taken out again, none. */
  lines: string[];
  text: ReturnedText;
  /** Edits of which nothing lands because of this text. */
  edits: string[];
}

export class LandFile {
  readonly path: string;
  /** All that it had, the present one last. */
  readonly names: readonly string[];
  /** Names that it had before, at which there is another file now. */
  readonly former: ReadonlySet<string>;
  readonly fates: ReadonlyMap<string, RowFate[]>;
  /** True where the trail has no such file any more. */
  readonly isGone: boolean;
  readonly components: Components;
  /** Says of each commit what became of it in this file. */
  readonly statuses: ReadonlyMap<string, ReturnType<typeof statusOf>>;
  readonly #judged: JudgedFile;
  readonly #contents: LandContents;
  readonly #before: ReadonlyMap<string, Recorded>;
  readonly #isHead: boolean;
  /** The text that stays out, with its rows. */
  readonly #returned: ReadonlyMap<ReturnedText, ReadonlySet<WovenRow>>;
  readonly #unaccepted: ReadonlySet<WovenRow>;
  /** True for a row that stays out as the file has it: it is rejected and there again, or not accepted. */
  readonly leavesOut: (row: WovenRow) => boolean;

  private constructor(
    judged: JudgedFile,
    contents: LandContents,
    before: ReadonlyMap<string, Recorded>,
    { target, accepted }: LandAsked,
  ) {
    const { history, texts, fates } = judged;
    this.path = history.names.at(-1)!;
    this.names = history.names;
    this.former = texts.former;
    this.isGone = history.tip === null;
    this.#judged = judged;
    this.#contents = contents;
    this.#before = before;
    this.#isHead = target.checkedOut;
    this.components = new Components(history.weave, texts, history.seen);
    this.fates = formattedFates(fates, this.components);
    this.statuses = new Map([...this.fates].map(([commit, done]) => [commit, statusOf(done)]));
    const { returned } = judged;
    const rows =
      returned.length === 0 ? [] : history.weave.rows().filter(row => this.components.file.has(row));
    this.#returned = new Map(returned.map(one => [one, new Set(rowsReturned(one, rows))]));
    const own = accepted?.get(this.path);
    this.#unaccepted = own ? rowsBut(this.components, own) : new Set();
    const stays = new Set([...this.#unaccepted, ...[...this.#returned.values()].flatMap(some => [...some])]);
    this.leavesOut = row => stays.has(row);
  }

  static async of(
    snapshot: Snapshot,
    judged: JudgedFile,
    contents: LandContents,
    asked: LandAsked,
  ): Promise<LandFile> {
    const { tree } = asked.target;
    const before = new Map<string, Recorded>();
    const { names, blobs } = judged.history;
    const { path: now, blob } = marksOf(judged.texts.file);
    // What is no text is told by its id: nobody may have written the object yet.
    if (now !== undefined && blob !== undefined && !blobs.has(blob)) await keepFile(snapshot, now, contents);
    const { path: name } = marksOf(judged.texts.head);
    for (const path of names) {
      const held = tree === null ? null : await fileAt(snapshot.context.objects, tree, path);
      before.set(path, path === name ? held : null);
      contents.before.set(path, held);
      contents.states.set(path, blobs);
    }
    return new LandFile(judged, contents, before, asked);
  }

  /** The commits that changed it. */
  get commits(): Iterable<string> {
    return this.fates.keys();
  }

  /** True where all that the commit did there, and that counts, is on the branch. */
  hasLanded(commit: string): boolean {
    return this.statuses.get(commit)?.now === 'landed';
  }

  /** True where nobody can tell which lines of the file are whose, and the branch lacks some. */
  get isUntold(): boolean {
    return this.#judged.history.weave.isCut && !this.isAsBranch;
  }

  /** True where the file is as the branch has it. */
  get isAsBranch(): boolean {
    const { file, head } = this.#judged.texts;
    return file.length === head.length && file.every((row, at) => row === head[at]);
  }

  /** True where text of the file is not as it was recorded or is on the branch. */
  get hasOther(): boolean {
    return this.#judged.texts.file.length > 0 && !this.isAsBranch;
  }

  async land(asked: LandingCriteria, { hunks: named, lists }: LandChoice = {}): Promise<LandedFile> {
    const part = new Set(this.#unaccepted);
    const leavesOut = (row: WovenRow): boolean => this.leavesOut(row) || part.has(row);
    const wish = { ...asked, leavesOut };
    let chosen = this.components.choose(wish);
    if (named) {
      const hunks = await this.#hunks(chosen);
      const others = chosen.filter((_, at) => hunks[at] && !named.has(hunks[at]!.id));
      for (const row of others.flatMap(one => one.rows)) if (this.#differs(row)) part.add(row);
      chosen = this.components.choose(wish);
    }
    const rows = this.components.result(chosen);
    const made = await this.#recorded(rows);
    const changes = new Map<string, Recorded>();
    for (const [path, held] of this.#before) {
      const now = made && made.path === path ? made.held : null;
      // What the file was called before is there again: somebody brought it back.
      const isKept = now === null && path !== this.path && this.#judged.texts.former.has(path);
      if (made !== undefined && !isKept && !sameRecorded(now, held)) changes.set(path, now);
    }
    if (made && !this.#before.has(made.path)) changes.set(made.path, made.held);
    const open = this.#open(new Set(rows), wish);
    const stuck = chosen.filter(one => one.missing.length > 0).map(one => this.#stuck(one));
    if (made === undefined) stuck.push(this.#unmade(rows, wish));
    const lands = wish.named ? new Set(chosen.flatMap(one => this.#named(one, wish))) : open.lands;
    return {
      path: this.path,
      changes,
      stuck,
      lands,
      leavesOutside: chosen.some(({ outside }) => outside.some(row => this.#isTyped(row))),
      leftOut: this.#leftOut(chosen, lands),
      open,
      hunks: lists ? (await this.#hunks(chosen)).filter(hunk => hunk !== null) : [],
      isPart: chosen.some(one => one.rows.some(row => part.has(row) && this.#differs(row))),
    };
  }

  #differs(row: WovenRow): boolean {
    return this.components.file.has(row) !== this.components.head.has(row);
  }

  /** Returns for each place what it changes on the branch; `null` where it changes nothing. */
  #hunks(chosen: readonly Chosen[]): Promise<Array<LandHunk | null>> {
    const { head, weave } = this.components;
    const texts = { rows: weave.rows(), head, result: new Set(this.components.result(chosen)) };
    return Promise.all(chosen.map(one => hunkOf(this.#contents.blobs.codec, this.path, texts, one)));
  }

  /** True for text from outside; what another branch has otherwise than the trail is nobody's to commit here. */
  #isTyped(row: WovenRow): boolean {
    if (this.#isHead) return true;
    const { weave, recorded, file } = this.components;
    const steps = row.events.map(({ hunk }) => hunk.step).filter(step => step < recorded);
    return (
      steps.some(step => weave.steps[step]!.kind === 'outside') ||
      isLiveAfter(row, recorded - 1) !== file.has(row)
    );
  }

  #leftOut(chosen: readonly Chosen[], lands: ReadonlySet<string>): LeftOut[] {
    return [...this.#returned].flatMap(([text, rows]) => {
      const parts = chosen.filter(one => one.rows.some(row => rows.has(row)));
      if (parts.length === 0) return [];
      const { start, end } = text.span;
      const lines = this.#judged.texts.file.filter(isLine).slice(start, end);
      const edits = new Set(parts.flatMap(one => one.leftOut).filter(one => !lands.has(one)));
      return [{ path: this.path, line: start + 1, lines, text, edits: [...edits] }];
    });
  }

  /** The edits that have something open, before a landing and after it, and those of which something open lands. */
  #open(result: ReadonlySet<WovenRow>, wish: LandingCriteria): LandedFile['open'] & { lands: Set<string> } {
    const { weave } = this.#judged.history;
    const isBack = (one: string): boolean => !!wish.isWayBack?.(one);
    const [before, after, lands] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [commit, done] of this.fates) {
      const isOpen = (some: readonly RowFate[]): boolean =>
        some.length > 0 && hasOpen(weave, commit, some, isBack);
      if (!isOpen(done)) continue;
      const stays = ({ row, effect }: RowFate): boolean => result.has(row) !== (effect === 'put in');
      const left = done.filter(stays);
      before.add(commit);
      if (isOpen(left)) after.add(commit);
      const isPart = left.length > 0;
      if (wish.takes(commit) && (!isPart || isOpen(done.filter(one => !stays(one))))) lands.add(commit);
    }
    return { before, after, lands };
  }

  /** Edits that are named: all that touched what lands, since one that had landed. */
  #named({ rows, held }: Chosen, wish: LandingCriteria): string[] {
    const { head } = this.components;
    if (rows.every(row => held.has(row) === head.has(row))) return [];
    const { steps } = this.#judged.history.weave;
    const touching = [...new Set(rows.flatMap(row => row.events.map(({ hunk }) => hunk.step)))];
    const landed = touching.filter(step => this.hasLanded(steps[step]!.id));
    const since = touching.filter(step => step > Math.max(-1, ...landed));
    return since.map(step => steps[step]!.id).filter(commit => wish.takes(commit));
  }

  #stuck({ rows, missing, needs, outside, isRevised }: Chosen): Stuck {
    const line = this.#lineOf(outside) ?? this.#lineOf(rows) ?? 1;
    return { path: this.path, line, edits: missing, needs, outside: outside.length > 0, isRevised };
  }

  /** Finds lines that land in a file which nothing that lands has made, and lines that stay in a file which goes. */
  #unmade(rows: readonly WovenRow[], wish: LandingCriteria): Stuck {
    const names = this.components.weave.rows().filter(isName);
    const owners = (some: readonly WovenRow[], effect: Effect): string[] =>
      some.flatMap(row => this.components.ownersOf(row, effect));
    const isThere = names.some(row => this.components.head.has(row));
    const edits = isThere ? owners(names, 'taken out') : owners(rows, 'put in');
    const needs = (isThere ? owners(rows, 'taken out') : owners(names, 'put in')).filter(
      one => !wish.takes(one),
    );
    return {
      path: this.path,
      line: 1,
      edits: [...new Set(edits.filter(one => wish.takes(one)))],
      needs: [...new Set(needs)],
      outside: needs.length === 0,
      isRevised: false,
    };
  }

  /** 1-based; the first of the rows that the file has. */
  #lineOf(rows: readonly WovenRow[]): number | null {
    const lines = this.components.weave
      .rows()
      .filter(row => this.components.file.has(row) && isLine(row.token));
    const at = lines.findIndex(row => rows.includes(row));
    return at < 0 ? null : at + 1;
  }

  async #recorded(
    rows: readonly WovenRow[],
  ): Promise<{ path: string; held: NonNullable<Recorded> } | null | undefined> {
    const told = fileOfRows(rows.map(({ token }) => token));
    if (!told) return told;
    const { path, mode } = told;
    const oid = 'oid' in told ? told.oid : await keep(this.#contents, await bytesOfRows(told));
    return { path, held: { mode, oid } };
  }
}

async function keepFile(snapshot: Snapshot, path: string, contents: LandContents): Promise<void> {
  const file = await snapshot.entryAsRecorded(fromTrail(snapshot.context, path)!);
  if (file) await keep(contents, file.bytes);
}

/** Tells what became of edits, where a line that was only formatted from outside is still that line. */
function formattedFates(
  fates: ReadonlyMap<string, RowFate[]>,
  components: Components,
): ReadonlyMap<string, RowFate[]> {
  const { head, file } = components;
  const fateNow = (fate: RowFate): RowFate => {
    const row = fate.word === 'rewritten by hand' ? components.formatted(fate.row) : fate.row;
    if (row === fate.row || !file.has(row)) return fate;
    return { ...fate, row, word: head.has(row) ? 'landed' : 'open', by: null };
  };
  return new Map([...fates].map(([commit, done]) => [commit, done.map(fateNow)]));
}

/** The rows that the file has otherwise than this text. */
function rowsBut({ weave, file }: Components, text: readonly Token[]): Set<WovenRow> {
  const { held } = weave.place(text);
  return new Set(weave.rows().filter(row => file.has(row) !== held.has(row)));
}

/** The files of a landing: what each of them becomes on the branch for a choice of edits (src/line/landing.ts). */

import { fromTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import type { TextBack } from '../engine/rejections/rejected-text.ts';
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
import { type Fate, fatesIn } from '../line/words.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { bytesOfRows, fileOfRows, isLine, marksOf } from '../trail/history/file-rows.ts';
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
  /** The name that it has on the branch after it; `null`: it is not there. */
  name: string | null;
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

/** Says which edits land; `named`: they were named one by one. */
export interface LandTerms {
  takes(commit: string): boolean;
  outside: boolean;
  named: boolean;
}

/** The part of a file that lands, where it is chosen: only the accepted rows, and only the hunks with these ids. */
export interface LandChoice {
  accepted?: ReadonlyMap<string, readonly Token[]> | undefined;
  hunks?: ReadonlySet<string> | undefined;
  /** Whether the places are told of. */
  lists?: boolean | undefined;
}

/** Rejected text that is in the file again, and does not land. */
export interface LeftOut {
  /** The name that the trail has for the file. */
  path: string;
  text: TextBack;
  /** The lines; of lines that were taken out again, none. */
  lines: string[];
  /** Edits of which nothing lands because of this text. */
  edits: string[];
}

/** Tells of a file what its history does not. */
export interface LandAsked {
  /** The branch. */
  target: LandTarget;
  past: LandingPast;
  /** True where the history has no such file any more. */
  isGone: boolean;
  /** Rejected text that is back. */
  rejected: readonly TextBack[];
  /** The accepted text, where only that lands. */
  accepted: readonly Token[] | undefined;
  /** Names that it had before, at which there is another file now. */
  former: ReadonlySet<string>;
}

export class LandFile {
  readonly path: string;
  /** All that it had, the present one last. */
  readonly names: readonly string[];
  /** Names that it had before, at which there is another file now. */
  readonly former: ReadonlySet<string>;
  /** True where the history has no such file any more. */
  readonly isGone: boolean;
  /** By commit, what became of it in this file. */
  readonly statuses: ReadonlyMap<string, Pick<EditStatus, 'now' | 'lines'>>;
  /** The texts that the branch and the file have. */
  readonly head: readonly Token[];
  readonly file: readonly Token[];
  readonly #asked: LandAsked;
  readonly #parts: LandingParts;
  readonly #done: ReadonlyMap<LineEvent, Fate[]>;
  readonly #contents: LandContents;
  readonly #before: ReadonlyMap<string, Recorded>;
  readonly #unaccepted: ReadonlySet<Row>;

  private constructor(
    { names, weave }: LineFile,
    contents: LandContents,
    before: ReadonlyMap<string, Recorded>,
    asked: LandAsked,
  ) {
    this.path = names.at(-1)!;
    this.names = names;
    this.former = asked.former;
    this.#asked = asked;
    this.#contents = contents;
    this.#before = before;
    this.#parts = new LandingParts(weave, asked.past);
    this.isGone = asked.isGone;
    this.#done = fatesIn(this.#parts.rows);
    const told = (done: readonly Fate[]) => statusOf(done.map(one => ({ ...one, by: null })));
    this.statuses = new Map([...this.#done].map(([{ id }, done]) => [id, told(done)]));
    this.head = this.#parts.result([]);
    this.file = weave.text;
    this.#unaccepted = asked.accepted ? rowsBut(this.#parts.rows, asked.accepted) : new Set();
  }

  static async of(
    snapshot: Snapshot,
    file: LineFile,
    contents: LandContents,
    asked: LandAsked,
  ): Promise<LandFile> {
    const { tree } = asked.target;
    const before = new Map<string, Recorded>();
    const { names, versions, weave } = file;
    const { path: now, blob } = marksOf(weave.text);
    // What is no text is told by its id: nobody may have written the object yet.
    if (now !== undefined && blob !== undefined && !versions.has(blob))
      await keepFile(snapshot, now, contents);
    const { path: name } = marksOf(weave.rows().flatMap(({ head }) => head ?? []));
    for (const path of names) {
      const held = tree === null ? null : await fileAt(snapshot.context.objects, tree, path);
      before.set(path, path === name ? held : null);
      contents.before.set(path, held);
      contents.states.set(path, versions);
    }
    return new LandFile(file, contents, before, asked);
  }

  /** The commits that changed it. */
  get commits(): ReadonlySet<string> {
    return new Set(this.#parts.rows.flatMap(({ log }) => log.map(({ event }) => event.id)));
  }

  /** True where all that the commit did there, and that counts, is on the branch. */
  hasLanded(commit: string): boolean {
    const now = this.statuses.get(commit)?.now;
    return now === 'landed' || now === 'changed';
  }

  /** True where the file is as the branch has it. */
  get isAsBranch(): boolean {
    return !this.#parts.rows.some(row => this.#parts.differs(row));
  }

  async land(terms: LandTerms, { hunks: named, lists }: LandChoice = {}): Promise<LandedFile> {
    const part = new Set(this.#unaccepted);
    const wish = this.#wishOf(terms, part);
    let chosen = this.#parts.choose(wish);
    if (named) {
      const hunks = await this.#hunks(chosen);
      const others = chosen.filter((_, at) => hunks[at] && !named.has(hunks[at]!.id));
      for (const row of others.flatMap(one => one.rows)) if (this.#parts.differs(row)) part.add(row);
      chosen = this.#parts.choose(wish);
    }
    const result = this.#parts.result(chosen);
    const made = await this.#recorded(result);
    const stuck = chosen.filter(one => one.missing.length > 0).map(one => this.#stuck(one));
    if (made === undefined) stuck.push(this.#unmade(chosen, wish));
    const { lands: landing, ...open } = this.#open(chosen, wish);
    const lands = terms.named ? new Set(chosen.flatMap(one => this.#named(one, wish))) : landing;
    return {
      path: this.path,
      name: made?.path ?? null,
      changes: made === undefined ? new Map() : this.#changesTo(made),
      stuck,
      lands,
      leavesOutside: chosen.some(({ outside }) => outside.some(row => this.#isTyped(row))),
      leftOut: this.#leftOut(chosen, lands),
      open,
      hunks: lists ? (await this.#hunks(chosen)).filter(hunk => hunk !== null) : [],
      isPart: chosen.some(one => one.rows.some(row => part.has(row) && this.#parts.differs(row))),
    };
  }

  #wishOf({ takes, outside }: LandTerms, part: ReadonlySet<Row>): LandingWish {
    const back = new Set(this.#asked.rejected.flatMap(({ rows }) => [...rows]));
    const leavesOut = (row: Row): boolean => part.has(row) || back.has(row);
    return { takes: ({ id }) => takes(id), outside, leavesOut };
  }

  #changesTo(made: Made | null): Map<string, Recorded> {
    const changes = new Map<string, Recorded>();
    for (const [path, held] of this.#before) {
      const now = made?.path === path ? made.held : null;
      // What the file was called before is there again: somebody brought it back.
      const isKept = now === null && path !== this.path && this.former.has(path);
      if (!isKept && !sameRecorded(now, held)) changes.set(path, now);
    }
    if (made && !this.#before.has(made.path)) changes.set(made.path, made.held);
    return changes;
  }

  /** Returns for each place what it changes on the branch; `null` where it changes nothing. */
  #hunks(chosen: readonly ChosenPart[]): Promise<Array<LandHunk | null>> {
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    const result = (row: Row): Token | null => (texts.has(row) ? texts.get(row)! : this.#parts.headOf(row));
    const { codec } = this.#contents.blobs;
    return Promise.all(
      chosen.map(one =>
        hunkOf(codec, this.path, { rows: this.#parts.rows, head: this.#parts.headOf, result }, one),
      ),
    );
  }

  /** True for text from outside; what another branch has otherwise than the trail is nobody's to commit here. */
  #isTyped({ log }: Row): boolean {
    return (
      this.#asked.target.checkedOut || log.some(({ event }) => event.kind === 'outside' && event.at >= 0)
    );
  }

  #leftOut(chosen: readonly ChosenPart[], lands: ReadonlySet<string>): LeftOut[] {
    return this.#asked.rejected.flatMap(text => {
      const own = new Set(text.rows);
      const parts = chosen.filter(one => one.rows.some(row => own.has(row)));
      const edits = new Set(parts.flatMap(one => one.leftOut.map(({ id }) => id)));
      const left = [...edits].filter(one => !lands.has(one));
      const lines = text.rows.flatMap(row => textOf(row) ?? []);
      return parts.length === 0 ? [] : [{ path: this.path, text, lines, edits: left }];
    });
  }

  /** The edits that have something open, before a landing and after it, and those of which something open lands. */
  #open(chosen: readonly ChosenPart[], wish: LandingWish): LandedFile['open'] & { lands: Set<string> } {
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    const [before, after, lands] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [event, done] of this.#done) {
      const open = deciding(done.filter(({ word }) => word !== 'nothing left')).filter(
        ({ word }) => word === 'open',
      );
      if (open.length === 0 || !this.#asked.past.isWork(event)) continue;
      const stays = ({ row: own, isPut }: Fate): boolean => {
        const row = placeOf(own);
        return ((texts.has(row) ? texts.get(row) : this.#parts.headOf(row)) !== null) !== isPut;
      };
      before.add(event.id);
      if (open.some(stays)) after.add(event.id);
      if (wish.takes(event) && !open.every(stays)) lands.add(event.id);
    }
    return { before, after, lands };
  }

  /** Edits that are named: all that touched what lands, since one that had landed. */
  #named({ rows, texts }: ChosenPart, wish: LandingWish): string[] {
    if (rows.every(row => texts.get(row) === this.#parts.headOf(row))) return [];
    const touching = new Set(rows.flatMap(({ log }) => log.map(({ event }) => event)));
    const landed = [...touching].filter(({ id }) => this.hasLanded(id)).map(({ at }) => at);
    const since = Math.max(-1, ...landed);
    return [...touching].filter(event => event.at > since && wish.takes(event)).map(({ id }) => id);
  }

  #stuck({ rows, missing, needs, outside, isRevised }: ChosenPart): Stuck {
    const line = this.#lineOf(outside) ?? this.#lineOf(rows) ?? 1;
    const ids = (events: readonly LineEvent[]): string[] => events.map(({ id }) => id);
    const [edits, others] = [ids(missing), ids(needs)];
    return { path: this.path, line, edits, needs: others, outside: outside.length > 0, isRevised };
  }

  /** Finds lines that land in a file which nothing that lands has made, and lines that stay in a file which goes. */
  #unmade(chosen: readonly ChosenPart[], { takes }: LandingWish): Stuck {
    const { rows } = this.#parts;
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    const result = rows.filter(row => (texts.has(row) ? texts.get(row) : this.#parts.headOf(row)) !== null);
    const names = rows.filter(row => lastText(row).startsWith('\0name '));
    const putters = (some: readonly Row[]): LineEvent[] =>
      some.flatMap(row => this.#parts.ownersOf(row, lastText(row)));
    const takers = (some: readonly Row[]): LineEvent[] =>
      some.flatMap(row => this.#parts.ownersOf(row, null));
    const isThere = names.some(row => this.#parts.headOf(row) !== null);
    const edits = isThere ? takers(names) : putters(result);
    const needs = (isThere ? takers(result) : putters(names)).filter(one => !takes(one));
    const ids = (events: readonly LineEvent[]): string[] => [...new Set(events.map(({ id }) => id))];
    return {
      path: this.path,
      line: 1,
      edits: ids(edits.filter(takes)),
      needs: ids(needs),
      outside: needs.length === 0,
      isRevised: false,
    };
  }

  /** 1-based; the first of the rows that the file has. */
  #lineOf(rows: readonly Row[]): number | null {
    const own = new Set(rows);
    const lines = this.#parts.rows.filter(row => isIn(row) && isLine(textOf(row)!));
    const at = lines.findIndex(row => own.has(row));
    return at < 0 ? null : at + 1;
  }

  async #recorded(rows: readonly Token[]): Promise<Made | null | undefined> {
    const told = fileOfRows(rows);
    if (!told) return told;
    const { path, mode } = told;
    const oid = 'oid' in told ? told.oid : await keep(this.#contents, await bytesOfRows(told));
    return { path, held: { mode, oid } };
  }
}

/** Tells what changes on the branch. No file goes at a name that another one has then. */
export function changesBy(landed: readonly LandedFile[]): Map<string, Recorded> {
  const names = new Set(landed.map(({ name }) => name));
  const all = landed.flatMap(({ name: own, changes }) =>
    [...changes].filter(([path, held]) => held !== null || path === own || !names.has(path)),
  );
  return new Map(all);
}

interface Made {
  path: string;
  held: NonNullable<Recorded>;
}

async function keepFile(snapshot: Snapshot, path: string, contents: LandContents): Promise<void> {
  const file = await snapshot.entryAsRecorded(fromTrail(snapshot.context, path)!);
  if (file) await keep(contents, file.bytes);
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

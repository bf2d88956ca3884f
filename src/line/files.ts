/**
 * Reads the files of a history as weaves: every commit that changed a file, under whatever names it had, is an event of it.
 * Only commits about the files that are asked for are read in full.
 */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { FileChange } from '../history/changes.ts';
import { isPersons } from '../history/editors.ts';
import { isLine, isUtf8, MARKS, marksOf, recordedRows, rowsOf } from '../history/file-rows.ts';
import { type HistoryQuery, type Step, stepsOf, withoutMoved } from '../history/read-steps.ts';
import { type FileContent, fileAtCommit, type Recorded, sameRecorded } from '../history/steps.ts';
import { nextAbout, readEntry, readEntryOrNull } from '../history/walk.ts';
import { isHead } from '../operations.ts';
import type { Token } from '../text/diff/alignment.ts';
import { acceptHead, type Mark, placeAccepted, settle } from './accepted.ts';
import { kindOf, type LineEvent } from './event.ts';
import { flipNamed, heldUndos, named } from './formula.ts';
import { HeadFiles } from './head-files.ts';
import { headStep, meetFile } from './head-step.ts';
import { type FirstPlace, lastText, type Row, textAfter, textOf, wasInHead } from './row.ts';
import { type ChangedPlace, Weave } from './weave.ts';

/** A file, whatever it was called. */
export interface LineFile {
  /** Names that it had, as the history records them; the present one last. */
  names: string[];
  readonly weave: Weave;
  /** The content of the newest version. */
  tip: Recorded;
  /** The blobs of all versions. */
  readonly versions: Set<string>;
}

export interface LineQuery extends HistoryQuery {
  /** Says that rows shall know whether they are accepted, and what was marked so; `null`: nothing yet. */
  mark?: Mark | null;
  /** The most rows of a file that one event may change; where it changed more, the weave of the file is lost. */
  most?: number;
}

/** The state of the folder now. */
export interface Now {
  /** HEAD's commit; `null`: none yet. */
  head: string | null;
  /** True for the commit of another branch, in place of HEAD: it counts also where the history is the branch. */
  isOther?: boolean;
  /** The file at a recorded path as git would record it; `null` for none. */
  present(path: string): Promise<FileContent | null>;
  /** Says where a file is that is gone: its new name, as somebody moved it; `null`: nowhere. */
  movedTo?(path: string): Promise<string | null>;
  /** True where what a file holds otherwise than the history may be an agent's. */
  isNobodys?(path: string): boolean;
}

/** HEAD's commit from an event on, by its place; `null`: there was none. */
export interface SeenHead {
  at: number;
  commit: string | null;
}

export interface LineFiles {
  readonly files: LineFile[];
  /** The events of these files, oldest first. */
  readonly events: LineEvent[];
  /** By commit. */
  readonly named: ReadonlyMap<string, LineEvent>;
  /** Where lines stood in the first HEAD that had them, or below what was read. */
  readonly inHistory: ReadonlyMap<Row, FirstPlace>;
  /** Where HEAD stood, from which place of the line on; oldest first. */
  readonly heads: readonly SeenHead[];
  /** The place of the newest event of a file that a commit of the history has, or one below it; -1: none. */
  placeAt(commit: string, path: string): Promise<number>;
  /**
   * Takes in what is there now and no commit has: where HEAD moved, and what the files hold otherwise. Answers the event of
   * that text, whose id is ''.
   */
  look(now: Now): Promise<LineEvent>;
}

/**
 * Reads the files that have one of these names, or had it. Where the query says since when, it is read as far back as ways
 * back of since then reach, too.
 */
export async function lineFiles(
  objects: ObjectDatabase,
  query: LineQuery,
  paths: Iterable<string>,
): Promise<LineFiles> {
  const wanted = new Set(paths);
  const since = query.since && new Set(query.since);
  let steps: Step[] = [];
  const sizeOf = (): number => wanted.size + (since?.size ?? 0);
  for (let known = -1; known < sizeOf(); ) {
    known = sizeOf();
    steps = await stepsOf(objects, { ...query, also: query.mark?.at, ...(since && { since }) }, wanted);
    for (const { renames, meta } of steps) {
      // A file that was renamed has other names above and below the commit that renamed it.
      for (const [to, from] of renames) if (wanted.has(to) || wanted.has(from)) wanted.add(to).add(from);
      for (const id of [...(meta?.undoes ?? []), ...(meta?.redoes ?? [])]) since?.add(id);
    }
  }
  const reader = new Reader(objects, query);
  for (const step of steps.reverse()) await reader.add(step);
  if (query.mark && !reader.named.has(query.mark.at)) await reader.accept(query.mark);
  return reader;
}

type Where = Pick<Now, 'present' | 'movedTo'>;

/** Stands before all events: what a file held when it was first edited. */
const BASE: LineEvent = { id: '', at: -1, kind: 'head', byAgent: false };

/** The rows of a file after a commit, or where they are others than before. */
interface RowsAfter {
  rows?: readonly Token[];
  places?: ChangedPlace[];
}

/** The rows of a file that a commit has. */
interface TextInCommit extends Omit<FirstPlace, 'line'> {
  weave: Weave;
  has(row: Row): boolean;
}

class Reader implements LineFiles {
  readonly files: LineFile[] = [];
  readonly events: LineEvent[] = [];
  readonly named = new Map<string, LineEvent>();
  readonly heads: SeenHead[] = [];
  readonly #objects: ObjectDatabase;
  /** On the branch, what is recorded is HEAD's as well. */
  readonly #isBeside: boolean;
  readonly #present = new Map<string, LineFile>();
  readonly #texts: TextInCommit[] = [];
  #head: string | undefined;
  readonly #heads: HeadFiles;
  readonly #mark: LineQuery['mark'];
  readonly #most: number | undefined;

  constructor(objects: ObjectDatabase, { ownOnly, mark, most }: LineQuery) {
    this.#objects = objects;
    this.#heads = new HeadFiles(objects, this.#present);
    this.#isBeside = ownOnly;
    this.#mark = mark;
    this.#most = most;
  }

  async add(step: Step): Promise<void> {
    const head = isHead(step.meta?.op) ? step.parents[1] : step.head;
    if (step.kind === 'head' && this.#isBeside) await this.#sync(step, head);
    else {
      if (this.#isBeside && head !== this.#head) await this.#moveHead(head);
      const event = this.#event(step, await this.#isByPerson(step));
      await this.#edit(step, event);
      if (step.kind === 'reject') for (const { weave } of this.files) settle(weave, event);
      if (!this.#isBeside) for (const { weave } of this.files) meetFile(weave, event);
    }
    if (step.commit === this.#mark?.at) await this.accept(this.#mark);
  }

  /** Notes what a reviewer accepted of the files as they are. */
  async accept({ rows }: Mark): Promise<void> {
    for (const { names, weave } of this.files) {
      placeAccepted(weave, await rows(names));
      if (this.#isBeside) acceptHead(weave, at => this.events[at]?.inCommand === true);
    }
  }

  get inHistory(): ReadonlyMap<Row, FirstPlace> {
    const places = new Map<Row, FirstPlace>();
    for (const { commit, at, path, weave, has } of this.#texts) {
      let line = 0;
      for (const row of weave.rows()) {
        if (!has(row) || !isLine(lastText(row))) continue;
        line++;
        if (!places.has(row)) places.set(row, { commit, at, path, line });
      }
    }
    return places;
  }

  /** True for a person's, where it matters what is accepted. */
  async #isByPerson({ commit, kind, agent }: Step): Promise<boolean | undefined> {
    if (this.#mark === undefined || kind === 'head') return undefined;
    return agent === undefined && isPersons(await readEntry(this.#objects, commit));
  }

  async look({ head, isOther = false, isNobodys, ...now }: Now): Promise<LineEvent> {
    const moved = (this.#isBeside || isOther) && (head ?? undefined) !== this.#head;
    const next = this.events.length;
    // What files hold is told against HEAD; what another branch has is compared with that.
    const [typedAt, headAt] = isOther ? [next, next + 2] : [next + 1, next];
    const event: LineEvent = { id: head ?? '', at: headAt, kind: 'head', byAgent: false };
    const typed: LineEvent = { id: '', at: typedAt, kind: 'outside', byAgent: false };
    const nobodys: LineEvent = { ...typed, at: typed.at + 1, byPerson: false };
    this.events.push(...(isOther ? [typed, nobodys, event] : [event, typed, nobodys]));
    if (moved) await this.#stand(head ?? undefined, event);
    for (const file of this.files) {
      const rows = await this.#rowsNow(file, now);
      const tip = rows ? undefined : file.weave.text;
      if (moved && !isOther) await this.#headStep(file, event, rows ?? tip, tip);
      if (rows) file.weave.step(isNobodys?.(file.names.at(-1)!) ? nobodys : typed, rows);
      if (moved && isOther) await this.#headStep(file, event, rows ?? tip, tip);
    }
    return typed;
  }

  /** The rows of a file now, which somebody may have moved back to a name that it had; `null`: it is as it was recorded. */
  async #rowsNow(file: LineFile, { present, movedTo }: Where): Promise<readonly Token[] | null> {
    const [name, ...former] = file.names.toReversed();
    const isOwn = (this.#present.get(name!) ?? file) === file;
    for (const path of [...(isOwn ? [name!] : []), ...former.filter(one => !this.#present.has(one))]) {
      const held = await present(path);
      if (!held) continue;
      if (path === name && sameRecorded(file.tip, held)) return null;
      this.#rename(file, path);
      return rowsOf(path, held, held.content);
    }
    const to = file.tip && (await movedTo?.(name!));
    const held = to ? await present(to) : null;
    if (!to || !held) return [];
    this.#rename(file, to);
    return rowsOf(to, held, held.content);
  }

  #event(step: Step, byPerson?: boolean, inCommand?: boolean): LineEvent {
    const said = { ...(byPerson !== undefined && { byPerson }), ...(inCommand && { inCommand }) };
    const about = { ...kindOf(step, this.#isBeside), ...said };
    const event = { id: step.commit, at: this.events.length, ...about };
    const { undoes, unrejects, redoes } = step.meta ?? {};
    if (!undoes && !redoes && unrejects === undefined) return this.#place(event);
    const known = (ids: readonly string[]): Set<LineEvent> =>
      new Set(ids.flatMap(id => this.named.get(id) ?? []));
    const out = named(known(undoes ?? (unrejects === undefined ? [] : [unrejects])), 'out');
    const again = named(known(redoes ?? []), 'again');
    const back = new Set([...out.undo, ...again.undo]);
    const put = new Set([...out.redo, ...again.redo]);
    const made: LineEvent =
      back.size + put.size === 0 ? event : { ...event, kind: 'undo', undoes: back, redoes: put };
    return this.#place(made);
  }

  #place(event: LineEvent): LineEvent {
    this.events.push(event);
    this.named.set(event.id, event);
    return event;
  }

  async #edit(step: Step, event: LineEvent): Promise<void> {
    const isUndo = event.kind === 'undo';
    if (isUndo) await this.#undo(step, event);
    const { restores } = step.meta ?? {};
    const isKnown = !isUndo && restores === undefined;
    const changed = new Map<LineFile, RowsAfter>();
    for (const change of isUndo ? this.#ofUndo(step) : withoutMoved(step)) {
      const file = await this.#fileOf(change, isUndo ? { ...step, renames: NONE } : step);
      changed.set(file, await this.#rowsAfter(file, change, isKnown));
      this.#settle(file, change);
    }
    // What the formula does not explain of an undo is a step of its own.
    const plain: LineEvent = isUndo ? { ...event, kind: 'back' } : event;
    for (const [file, { places, rows = [] }] of changed) {
      if (restores !== undefined) await this.#restore(file, plain, rows, restores);
      if (places) file.weave.change(plain, places);
      else file.weave.step(plain, rows);
    }
  }

  /**
   * Flips what an undo or a redo does, by which files may have other names. Of files that the commit does not name it says
   * nothing, whatever else is read.
   */
  async #undo(step: Step, event: LineEvent): Promise<void> {
    const about = new Set<LineFile>();
    for (const change of step.changes) {
      const { path, before } = change;
      if (before) about.add(await this.#fileOf(change, { ...step, renames: NONE }));
      for (const file of this.files) if (file.tip === null && file.names.includes(path)) about.add(file);
    }
    const held = heldUndos(this.events);
    for (const file of about) {
      flipNamed(file.weave, event, held);
      const { path } = marksOf(file.weave.text);
      if (path === undefined) file.tip = null;
      else this.#rename(file, path);
    }
  }

  /** The changes of an undo, without files that are gone by another name; their texts are read, as the weaves stand after it. */
  #ofUndo({ changes }: Step): FileChange[] {
    const left = changes.filter(({ path, after }) => after !== null || this.#present.has(path));
    return left.map(({ path, before, after }) => ({ path, before, after }));
  }

  /** Brings the very rows back that were there at a commit. */
  async #restore(file: LineFile, event: LineEvent, rows: readonly Token[], commit: string): Promise<void> {
    const at = await this.placeAt(commit, file.names.at(-1)!);
    if (at >= 0) file.weave.restore(event, at, rows);
  }

  async placeAt(commit: string, path: string): Promise<number> {
    let entry = await readEntryOrNull(this.#objects, commit);
    while (entry && !this.named.has(entry.commit)) entry = await nextAbout(this.#objects, entry, path);
    return entry ? this.named.get(entry.commit)!.at : -1;
  }

  /** Brings all files to where a commit found HEAD. */
  async #sync(step: Step, head: string | undefined): Promise<void> {
    const event = this.#event({ ...step, meta: null }, undefined, step.meta?.during !== undefined);
    for (const change of withoutMoved(step)) this.#settle(await this.#fileOf(change, step), change);
    await this.#stand(head, event);
    for (const file of this.files) {
      const rows = await recordedRows(this.#objects, file.names.at(-1)!, file.tip);
      await this.#headStep(file, event, rows, rows);
      file.weave.step(event, rows);
    }
  }

  /** HEAD moved, and no commit says so: nothing of it came into the files. */
  async #moveHead(head: string | undefined): Promise<void> {
    const event: LineEvent = { id: head ?? '', at: this.events.length, kind: 'head', byAgent: false };
    this.events.push(event);
    await this.#stand(head, event);
    for (const file of this.files) {
      const { text } = file.weave;
      if (await this.#heads.hasChanged(file)) await this.#headStep(file, event, text, text);
    }
  }

  async #stand(head: string | undefined, { at }: LineEvent): Promise<void> {
    const entry = head === undefined ? null : await readEntryOrNull(this.#objects, head);
    this.#head = head;
    this.#heads.tree = entry?.tree ?? null;
    this.heads.push({ at, commit: head ?? null });
  }

  /**
   * HEAD's step, where the file holds these rows; when a file comes to the history, it holds HEAD's. `tip`: the rows of its
   * newest version, which most often are HEAD's.
   */
  async #headStep(
    file: LineFile,
    event: LineEvent,
    rows?: readonly Token[],
    tip?: readonly Token[],
  ): Promise<void> {
    const { weave } = file;
    const { at } = event;
    const { path, held } = await this.#heads.take(file);
    const isTip = path === file.names.at(-1) && sameRecorded(file.tip, held);
    const head = isTip && tip ? tip : await recordedRows(this.#objects, path, held);
    headStep(weave, event, head, rows ?? head);
    if (this.#head !== undefined && held)
      this.#texts.push({ commit: this.#head, at, path, weave, has: row => wasInHead(row, at) });
  }

  async #rowsAfter(
    file: LineFile,
    { path, before, after, hunks }: FileChange,
    isKnown: boolean,
  ): Promise<RowsAfter> {
    const { weave, tip, names } = file;
    if (weave.lost) return {};
    // What is kept of a file was worked out where no encoding was declared for it.
    const isKept = isKnown && names.at(-1) === path && sameRecorded(tip, before);
    if (!hunks || !isKept || !isUtf8(weave.live.slice(0, MARKS).map(row => textOf(row)!)))
      return { rows: await recordedRows(this.#objects, path, after) };
    return { places: hunks.map(([start, gone, ...put]) => ({ start, gone, put })) };
  }

  async #fileOf({ path, before }: FileChange, step: Step): Promise<LineFile> {
    const from = step.renames.get(path);
    const known = this.#present.get(from ?? path) ?? (before === null ? this.#cameBack(path, step) : null);
    return known ?? this.#begin(from ?? path, from === undefined ? before : undefined, step);
  }

  /** The file that is gone, and had this name once; what an edit makes at a name that is free is another file. */
  #cameBack(path: string, { kind, renames }: Step): LineFile | null {
    if (kind === 'edit' || renames.has(path)) return null;
    return this.files.findLast(({ names, tip }) => tip === null && names.includes(path)) ?? null;
  }

  async #begin(path: string, before: Recorded | undefined, { parents, kind }: Step): Promise<LineFile> {
    const held = before === undefined ? await fileAtCommit(this.#objects, parents[0], path) : before;
    const rows = await recordedRows(this.#objects, path, held);
    const file: LineFile = {
      names: [path],
      weave: new Weave(this.#most),
      tip: held,
      versions: new Set(held ? [held.oid] : []),
    };
    if (kind === 'edit' && held === null) this.#heads.noteMade(file);
    if (this.#isBeside) await this.#headStep(file, BASE);
    else headStep(file.weave, BASE, rows, rows);
    // Of what is older than what was read, all is one step.
    file.weave.step({ ...BASE, kind: 'outside' }, rows);
    const [commit] = parents;
    const has = (row: Row): boolean => textAfter(row, BASE.at) !== null;
    if (commit !== undefined) this.#texts.push({ commit, at: BASE.at, path, weave: file.weave, has });
    this.#present.set(path, file);
    this.files.push(file);
    return file;
  }

  /** Notes where a commit left a file. */
  #settle(file: LineFile, { path, after }: FileChange): void {
    this.#rename(file, path);
    file.tip = after;
    if (after) file.versions.add(after.oid);
  }

  #rename(file: LineFile, to: string): void {
    const from = file.names.at(-1)!;
    if (this.#present.get(from) === file) this.#present.delete(from);
    this.#present.set(to, file);
    file.names = [...file.names.filter(name => name !== to), to];
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Edits planned in order on the growing texts: what one change of one or several edits makes of the files. */

import type { Edit, FileChange, FileMode, Files } from '../../edits/edit.ts';
import { applyChanges } from '../../edits/edit.ts';
import { placeholderNotes } from '../../edits/placeholders.ts';
import { EditError, isEditError, prefixed } from '../../errors.ts';
import { late } from '../../lazy.ts';
import { readableText, type TextFile, textFile, unwrittenFile } from '../../text/document.ts';
import { pathName } from '../../wording.ts';
import { toTrail } from '../context.ts';
import type { Move } from '../file-diffs.ts';
import { plainMode } from '../files/conversion.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { otherFormNote } from '../files/unicode-name.ts';
import { type Precondition, Preconditions } from './base/base.ts';
import { joinRebased, mapBetween, rebasedNote, repairOf } from './base/rebase.ts';
import type { Caller } from './base/stale.ts';
import { assertNoLinks, folderSteps } from './folder-edit.ts';
import type { Planned } from './planned.ts';

const withSyntax = late(() => import('./syntax.ts'), 'withSyntax');
const withWay = late(() => import('../files/missing.ts'), 'withWay');

export interface EditCall {
  edit: Edit;
  /** Parsed by the edit's schema. */
  input: unknown;
  base?: string | undefined;
  version?: string | undefined;
  onStale?: 'refuse' | 'rebase' | undefined;
}

/** An edit as it was asked for, by its name. */
export function asked({ edit, ...rest }: EditCall): object {
  return { edit: edit.name, ...rest };
}

/** Plans all edits or throws; the message of a refusal says which of several it was, and where a file is that it missed. */
export async function planEdits(
  snapshot: Snapshot,
  calls: readonly EditCall[],
  who: Caller,
): Promise<Planned> {
  const plan = new GrowingPlan(snapshot, who, calls);
  for (const [index, call] of calls.entries()) {
    try {
      await plan.add(call);
    } catch (caught) {
      const error = await snapshot.conversion.explained(caught);
      if (!(error instanceof EditError)) throw error;
      if (calls.length === 1) throw await withWay(snapshot, error);
      const told = plan.isChanged(error.data.path) ? afterEdits(error) : error;
      const place = { edit: index + 1, edits: calls.length };
      throw await withWay(snapshot, prefixed(told, `edit ${place.edit} of ${place.edits}: `, place));
    }
  }
  const planned = await plan.result();
  return snapshot.context.syntax === 'off' ? planned : withSyntax(snapshot, planned);
}

/** Throws NOT_UTF8 for the sign of a character that was lost on the way here, where no file of the edit has it. */
function checkCharacters(input: unknown, files: Files): void {
  if (!JSON.stringify(input).includes(LOST)) return;
  const texts = [...files.values()].flatMap(file => file && (readableText(file.path, file)?.text ?? []));
  if (texts.some(text => text?.includes(LOST))) return;
  const path = [...files.keys()][0] ?? '';
  const words = `The text holds U+FFFD, the sign of a character that could not be read on its way here, and ${pathName(path)} has none. Nothing was changed. Send the character that was meant, in UTF-8 or as \\u and its number.`;
  throw new EditError('NOT_UTF8', words, { path });
}

const LOST = '\ufffd';

/** Numbers count the lines as the edits before have left them, which is not what was viewed. */
function afterEdits(error: EditError): EditError {
  if (error.code !== 'LINE_OUT_OF_RANGE') return error;
  const words = `${EditError.wording(error)} Its lines are counted as the edits before it in this change leave them.`;
  return new EditError(error.code, words, error.data, { cause: error });
}

type CreateChange = Extract<FileChange, { kind: 'create' }>;

const NONE: ReadonlySet<string> = new Set();

function namedOften(calls: readonly EditCall[]): ReadonlySet<string> {
  const [seen, often] = [new Set<string>(), new Set<string>()];
  for (const { edit, input } of calls)
    for (const path of edit.paths(input as never)) (seen.has(path) ? often : seen).add(path);
  return often;
}

/** A file as the edits so far leave it. */
interface GrowingFile {
  text: TextFile | null;
  mode?: FileMode | undefined;
  /** Its name before the change; `null` where the change made it. */
  origin: string | null;
  /** True where an edit gave the whole text. */
  isWritten?: boolean;
  /** The refusal of a call that takes a folder for a file. */
  folder?: EditError;
}

class GrowingPlan {
  readonly #snapshot: Snapshot;
  readonly #who: Caller;
  /** The paths that more than one edit names. */
  readonly #often: ReadonlySet<string>;
  readonly #preconditions: Preconditions;
  readonly #files = new Map<string, GrowingFile>();
  /** The changed paths, in the order of the edits. */
  readonly #changed = new Set<string>();
  readonly #moves: Move[] = [];
  readonly #notes: string[] = [];

  constructor(snapshot: Snapshot, who: Caller, calls: readonly EditCall[]) {
    this.#snapshot = snapshot;
    this.#who = who;
    this.#often = calls.length > 1 ? namedOften(calls) : NONE;
    this.#preconditions = new Preconditions(snapshot);
  }

  /** Adds an edit of a file, or of all files of a folder. */
  async add(call: EditCall): Promise<void> {
    call.edit.check?.(call.input as never);
    await call.edit.ready?.(call.input as never);
    if (!call.edit.folder) return this.#addOne(call);
    const texts = new Map([...this.#files].map(([path, { text }]) => [path, text]));
    const steps = await folderSteps(this.#snapshot, call, texts);
    if (!steps) return this.#addOne(call);
    for (const step of steps.calls) await this.#addOne(step);
    this.#notes.push(...steps.notes);
  }

  /** True for a file that an edit of this change has changed. */
  isChanged(path: unknown): boolean {
    return this.#changed.has(path as string);
  }

  /** Returns what the edits make of the files; what is planned on old texts is joined with the present ones. */
  async result(): Promise<Planned> {
    const targets = new Map<string, { bytes: Uint8Array; mode: FileMode } | null>();
    const written = new Set<string>();
    for (const path of this.#changed) {
      const { text, mode = '100644', isWritten } = this.#files.get(path)!;
      targets.set(path, text && { bytes: text.bytes, mode });
      if (isWritten) written.add(path);
    }
    const { rebased } = this.#preconditions;
    if (rebased.size > 0)
      this.#notes.push(...(await joinRebased(this.#snapshot, targets, rebased, this.#moves)));
    for (const path of rebased.keys()) written.delete(path);
    return { targets, moves: this.#moves, notes: this.#notes, written };
  }

  async #addOne(call: EditCall): Promise<void> {
    const { edit, input } = call;
    const real = new Map<string, string>();
    for (const path of edit.paths(input as never)) {
      const found = await this.#snapshot.resolve(path);
      real.set(path, found);
      const note = otherFormNote(path, found);
      if (note !== null) this.#notes.push(note);
    }
    const seen = await this.#load(call, real);
    if (this.#who.mayBeBroken) checkCharacters(input, seen);
    const planned = this.#planned(edit, input, seen, real);
    const changes = (edit.renumber && this.#renumbered(edit, input, real)) ?? planned;
    if (changes.length > 1 || changes[0]?.kind === 'move') checkNamedOnce(changes, real);
    for (const change of changes) {
      if (change.kind === 'delete' || change.kind === 'move')
        await assertNoLinks(this.#snapshot, pathsOf(change), real);
      if (change.notes) this.#notes.push(...change.notes);
    }
    this.#notes.push(...placeholderNotes(changes, seen));
    await this.#apply(changes.map(change => withRealPaths(change, real)));
  }

  /** Returns the files of an edit, by the paths that it gives them. `real`: the real path of each. */
  async #load(
    { edit, input, base, version, onStale = 'refuse' }: EditCall,
    real: ReadonlyMap<string, string>,
  ): Promise<Files> {
    const claim: Precondition = {
      ...this.#who,
      base,
      version,
      onStale,
      addressesLines: edit.addressesLines,
      lines: edit.lines?.(input as never),
      repair: texts => (this.#often.size > 0 ? null : repairOf(edit, input, texts)),
    };
    // Throws IS_DIRECTORY where the version is said of a folder, which has none.
    const holder = version === undefined ? null : await this.#holderOf(version, [...real.values()]);
    for (const path of new Set(real.values())) {
      const own = holder === null || holder === path ? claim : { ...claim, version: undefined };
      const origin = this.#changed.has(path) ? this.#files.get(path)!.origin : undefined;
      if (origin === undefined) await this.#read(path, own);
      else if (origin !== null) await this.#preconditions.again(path, origin, own);
    }
    // By whatever names an edit gives it, a file is one text.
    return new Map([...real].map(([given, path]) => [given, this.#files.get(path)!.text]));
  }

  /** Reads a file that no edit has changed yet. */
  async #read(path: string, claim: Precondition): Promise<void> {
    const file: GrowingFile = { text: null, origin: path };
    this.#files.set(path, file);
    try {
      const planned = await this.#preconditions.first(path, claim);
      file.text = planned && textFile(path, planned.bytes, planned.version);
      const present = await this.#snapshot.file(path);
      file.mode = present ? plainMode(present.mode) : undefined;
    } catch (error) {
      if (!isEditError(error, 'IS_DIRECTORY')) throw error;
      file.folder = error;
    }
  }

  /**
   * Returns the one of several paths that a version is about: the one that has it, else the first where a file is;
   * `null` where there is none.
   */
  async #holderOf(version: string, paths: readonly string[]): Promise<string | null> {
    let first: string | null = null;
    for (const path of paths) {
      const files = [await this.#snapshot.file(path), await this.#snapshot.asRecorded(path)];
      if (files.some(file => file?.version.startsWith(version))) return path;
      first ??= files[0] ? path : null;
    }
    return first;
  }

  #planned(edit: Edit, input: unknown, seen: Files, real: ReadonlyMap<string, string>): FileChange[] {
    try {
      const modes = new Map<string, FileMode>();
      for (const [given, path] of real) {
        const { text, mode } = this.#files.get(path)!;
        if (text && mode) modes.set(given, mode);
      }
      return edit.plan(input as never, seen, modes);
    } catch (error) {
      const missing = isEditError(error, 'FILE_NOT_FOUND') ? error.data.path : null;
      throw this.#files.get(real.get(missing as string) ?? '')?.folder ?? error;
    }
  }

  /**
   * Line numbers of an old base go forward to the present text; the edit is then an edit of that. Of several edits of
   * one file only the first counts on the old text itself, so those are joined with the present one at the end.
   */
  #renumbered(edit: Edit, input: unknown, real: ReadonlyMap<string, string>): FileChange[] | null {
    const [[given, path] = ['', '']] = real;
    const rebased = this.#preconditions.rebased.get(path);
    if (!edit.renumber || !rebased?.base || !rebased.present || this.#changed.has(path)) return null;
    const mapped = edit.renumber(input as never, mapBetween(path, rebased.base, rebased.present));
    if (mapped === null) rebased.linesChanged = true;
    if (mapped === null || this.#often.has(given)) return null;
    const present = textFile(path, rebased.present.bytes, rebased.present.version);
    this.#files.get(path)!.text = present;
    this.#preconditions.rebased.delete(path);
    this.#notes.push(rebasedNote(path));
    return edit.plan(mapped as never, new Map([[given, present]]));
  }

  /** Applies changes of real paths. */
  async #apply(given: readonly FileChange[]): Promise<void> {
    const { context } = this.#snapshot;
    const changes = [...given];
    // Only the files that the edit names: a change of thousands of edits is not to copy all of them for each.
    const named = new Map<string, TextFile | null>();
    for (const [n, change] of given.entries()) {
      for (const path of pathsOf(change)) {
        // Git's own rule: nothing that it ignores may enter history by an edit.
        const isNew = !this.#changed.has(path) && !(await this.#snapshot.recorded(path));
        if (isNew) await context.guards.checkNew(toTrail(context, path));
        this.#changed.add(path);
        const file = this.#files.get(path);
        if (file && !named.has(path)) named.set(path, file.text);
      }
      if (change.kind === 'create' && !named.get(change.path))
        changes[n] = await this.#declare(change, named);
      this.#follow(change);
    }
    for (const [path, text] of applyChanges(named, changes)) this.#files.get(path)!.text = text;
  }

  /** Lets a new file begin as an empty one of the encoding that is declared for its path, with the line ends. */
  async #declare(change: CreateChange, named: Map<string, TextFile | null>): Promise<CreateChange> {
    const { path, text } = change;
    const { encodings } = this.#snapshot.context;
    const declared = await encodings.of(toTrail(this.#snapshot.context, path));
    if (declared) named.set(path, unwrittenFile(path, '', declared.mark, declared.encoding));
    const lineEnd = change.exact ? null : await encodings.lineEnd(toTrail(this.#snapshot.context, path));
    const ended = lineEnd === null ? text : withLineEnd(text, lineEnd);
    if (ended === text) return change;
    this.#notes.push(`${path} has ${lineEnd === '\n' ? 'LF' : 'CRLF'} line ends, as declared for it`);
    return { ...change, text: ended };
  }

  /** Modes, names and what was written as a whole go with a file that is made, moved or deleted. */
  #follow(change: FileChange): void {
    const { path } = change;
    const file = this.#files.get(path) ?? { text: null, origin: path };
    this.#files.set(path, file);
    if (change.kind === 'modify' || change.kind === 'create') {
      file.mode = change.mode ?? file.mode;
      file.isWritten ||= change.kind === 'create';
      return;
    }
    if (change.kind === 'move') {
      const { mode = '100644' } = file;
      this.#files.set(change.to, { ...file, mode });
      this.#moves.push({ from: path, to: change.to });
    }
    this.#files.set(path, { text: null, origin: null });
  }
}

/** The text with another line end, where all of its line ends are of one kind. */
function withLineEnd(text: string, lineEnd: '\n' | '\r\n'): string {
  const isMixed = /\r(?!\n)/.test(text) || (text.includes('\r\n') && /(?<!\r)\n/.test(text));
  return isMixed ? text : text.replace(/\r?\n/g, lineEnd);
}

/** Returns the paths that a change is about; a move is about two. */
function pathsOf(change: FileChange): readonly string[] {
  return change.kind === 'move' ? [change.path, change.to] : [change.path];
}

/** Two names of one file, as a link gives it, would be two plans for one text. */
function checkNamedOnce(changes: readonly FileChange[], real: ReadonlyMap<string, string>): void {
  const names = new Map<string, string>();
  for (const change of changes)
    for (const name of pathsOf(change)) {
      const path = real.get(name) ?? name;
      const other = names.get(path);
      if (other !== undefined && other !== name) {
        const message = `${pathName(other)} and ${pathName(name)} are the same file, ${pathName(path)}. Nothing was changed. Use one name for it.`;
        throw new EditError('INVALID_INPUT', message, { paths: [other, name], path });
      }
      names.set(path, name);
    }
}

function withRealPaths(change: FileChange, real: ReadonlyMap<string, string>): FileChange {
  const path = real.get(change.path) ?? change.path;
  return change.kind === 'move'
    ? { ...change, path, to: real.get(change.to) ?? change.to }
    : { ...change, path };
}

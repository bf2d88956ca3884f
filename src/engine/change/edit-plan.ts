/** Edits planned in order on the growing texts: what one change of one or several edits makes of the files. */

import type { Edit, FileChange, FileMode, Files } from '../../edits/edit.ts';
import { applyChanges } from '../../edits/edit.ts';
import { placeholderNotes } from '../../edits/placeholders.ts';
import { EditError, isEditError, prefixed } from '../../errors.ts';
import { type TextFile, textFile, unwrittenFile } from '../../text/document.ts';
import { pathName } from '../../wording.ts';
import { toTrail } from '../context.ts';
import type { Move } from '../file-diffs.ts';
import { plainMode } from '../files/conversion.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Viewer } from '../views.ts';
import type { Precondition } from './base/base.ts';
import { Preconditions } from './base/base.ts';
import { joinRebased, mapBetween, rebasedNote, repairOf } from './base/rebase.ts';
import type { Planned } from './draft.ts';
import { folderSteps } from './folder-edit.ts';
import { assertNoLinks } from './links.ts';

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

/** The files that edits name, as they were given; of an edit of a program that fails to tell, it is found when it is planned. */
export function filesNamed(calls: readonly EditCall[]): Array<{ path: string; version: string | undefined }> {
  const files: Array<{ path: string; version: string | undefined }> = [];
  try {
    for (const { edit, input, version } of calls)
      for (const path of edit.paths(input as never)) files.push({ path, version });
  } catch {
    return [];
  }
  return files;
}

/** Plans all edits or throws; the message of a refusal says which of several it was. */
export async function planEdits(
  snapshot: Snapshot,
  calls: readonly EditCall[],
  viewer: Viewer,
  session: string,
): Promise<Planned> {
  const often = calls.length > 1 ? namedOften(calls) : NONE;
  const plan = new GrowingPlan(snapshot, new Preconditions(snapshot, viewer, session), often);
  for (const [index, call] of calls.entries()) {
    try {
      await plan.add(call);
    } catch (caught) {
      const error = await snapshot.conversion.explained(caught);
      if (!(error instanceof EditError) || calls.length === 1) throw error;
      const told = plan.isChanged(error.data.path) ? afterEdits(error) : error;
      throw prefixed(told, `edit ${index + 1} of ${calls.length}: `, {
        edit: index + 1,
        edits: calls.length,
      });
    }
  }
  return plan.result();
}

/** Numbers count the lines as the edits before have left them, which is not what was viewed. */
function afterEdits(error: EditError): EditError {
  if (error.code !== 'LINE_OUT_OF_RANGE') return error;
  const words = `${EditError.wording(error)} Its lines are counted as the edits before it in this change leave them.`;
  return new EditError(error.code, words, error.data, { cause: error });
}

const NONE: ReadonlySet<string> = new Set();

/** The paths that more than one edit names. */
function namedOften(calls: readonly EditCall[]): ReadonlySet<string> {
  const [seen, often] = [new Set<string>(), new Set<string>()];
  for (const { edit, input } of calls)
    for (const path of edit.paths(input as never)) (seen.has(path) ? often : seen).add(path);
  return often;
}

class GrowingPlan {
  readonly #snapshot: Snapshot;
  readonly #preconditions: Preconditions;
  readonly #often: ReadonlySet<string>;
  readonly #files = new Map<string, TextFile | null>();
  readonly #modes = new Map<string, FileMode>();
  readonly #touched = new Set<string>();
  readonly #moves: Move[] = [];
  readonly #notes: string[] = [];
  /** Files whose whole text an edit gave. */
  readonly #written = new Set<string>();
  /** By path, the refusal of a call that takes a folder for a file. */
  readonly #folders = new Map<string, EditError>();

  constructor(snapshot: Snapshot, preconditions: Preconditions, often: ReadonlySet<string>) {
    this.#snapshot = snapshot;
    this.#preconditions = preconditions;
    this.#often = often;
  }

  /** An edit of a file, or of all files of a folder. */
  async add(call: EditCall): Promise<void> {
    call.edit.check?.(call.input as never);
    const steps = call.edit.folder ? await folderSteps(this.#snapshot, call, this.#files) : null;
    if (!steps) return this.#addOne(call);
    for (const step of steps.calls) await this.#addOne(step);
    this.#notes.push(...steps.notes);
  }

  async #addOne({ edit, input, base, version, onStale = 'refuse' }: EditCall): Promise<void> {
    const { addressesLines } = edit;
    const lines = edit.lines?.(input as never);
    const repair: Precondition['repair'] = texts =>
      this.#often.size > 0 ? null : repairOf(edit, input, texts);
    const claim: Precondition = { base, version, onStale, addressesLines, lines, repair };
    const real = new Map<string, string>();
    for (const path of edit.paths(input as never)) real.set(path, await this.#snapshot.resolve(path));
    const holder = version === undefined ? null : await this.#holderOf(version, [...real.values()]);
    for (const path of real.values()) {
      await this.#load(path, holder === null || holder === path ? claim : { ...claim, version: undefined });
    }
    const seen: Files = new Map([...real].map(([given, path]) => [given, this.#files.get(path) ?? null]));
    const planned = this.#planned(edit, input, seen, real);
    const changes = (edit.renumber && this.#renumbered(edit, input, real)) ?? planned;
    if (changes.length > 1 || changes[0]?.kind === 'move') checkNamedOnce(changes, real);
    for (const change of changes) {
      if (change.kind === 'delete' || change.kind === 'move')
        await assertNoLinks(this.#snapshot, pathsOf(change), real);
    }
    for (const { notes } of changes) this.#notes.push(...(notes ?? []));
    this.#notes.push(...placeholderNotes(changes, seen));
    await this.#apply(changes, real);
  }

  /** True for a file that an edit of this change has touched. */
  isChanged(path: unknown): boolean {
    return this.#touched.has(path as string);
  }

  #planned(edit: Edit, input: unknown, seen: Files, real: ReadonlyMap<string, string>): FileChange[] {
    try {
      const modes = new Map<string, FileMode>();
      for (const [given, path] of real) {
        const mode = this.#files.get(path) ? this.#modes.get(path) : undefined;
        if (mode) modes.set(given, mode);
      }
      return edit.plan(input as never, seen, modes);
    } catch (error) {
      const missing = error instanceof EditError && error.code === 'FILE_NOT_FOUND' ? error.data.path : null;
      throw this.#folders.get(real.get(missing as string) ?? '') ?? error;
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

  /**
   * Line numbers of an old base go forward to the present text; the edit is then an edit of that. Of several edits of
   * one file only the first counts on the old text itself, so those are joined with the present one at the end.
   */
  #renumbered(edit: Edit, input: unknown, real: ReadonlyMap<string, string>): FileChange[] | null {
    const [[given, path] = ['', '']] = real;
    const rebased = this.#preconditions.rebased.get(path);
    if (!edit.renumber || !rebased?.base || !rebased.present || this.#touched.has(path)) return null;
    const mapped = edit.renumber(input as never, mapBetween(path, rebased.base, rebased.present));
    if (mapped === null) rebased.linesChanged = true;
    if (mapped === null || this.#often.has(given)) return null;
    const present = textFile(path, rebased.present.bytes, rebased.present.version);
    this.#files.set(path, present);
    this.#preconditions.rebased.delete(path);
    this.#notes.push(rebasedNote(path));
    return edit.plan(mapped as never, new Map([[given, present]]));
  }

  async result(): Promise<Planned> {
    const targets = new Map<string, { bytes: Uint8Array; mode: FileMode } | null>();
    for (const path of this.#touched) {
      const file = this.#files.get(path);
      targets.set(path, file ? { bytes: file.bytes, mode: this.#modes.get(path) ?? '100644' } : null);
    }
    const { rebased } = this.#preconditions;
    if (rebased.size > 0)
      this.#notes.push(...(await joinRebased(this.#snapshot, targets, rebased, this.#moves)));
    for (const path of rebased.keys()) this.#written.delete(path);
    return { targets, moves: this.#moves, notes: this.#notes, written: this.#written };
  }

  async #load(path: string, claim: Precondition): Promise<void> {
    if (this.#touched.has(path)) return this.#preconditions.again(path, claim);
    try {
      const planned = await this.#preconditions.first(path, claim);
      this.#files.set(path, planned && textFile(path, planned.bytes, planned.version));
      const file = await this.#snapshot.file(path);
      if (file) this.#modes.set(path, plainMode(file.mode));
    } catch (error) {
      if (!isEditError(error, 'IS_DIRECTORY')) throw error;
      this.#folders.set(path, error);
      this.#files.set(path, null);
    }
  }

  /** `real`: the real path of each path that was given. */
  async #apply(given: readonly FileChange[], real: ReadonlyMap<string, string>): Promise<void> {
    // Only the files that the edit names: a change of thousands of edits is not to copy all of them for each.
    const named = new Map<string, TextFile | null>();
    const changes: FileChange[] = [];
    for (const one of given) {
      const change = withRealPaths(one, real);
      changes.push(change);
      for (const path of pathsOf(change)) {
        await this.#allow(path);
        const file = this.#files.get(path);
        if (file !== undefined) named.set(path, file);
      }
      if (change.kind === 'create' && !named.get(change.path)) await this.#declare(change.path, named);
      if (change.kind !== 'modify') this.#follow(change);
      else if (change.mode) this.#modes.set(change.path, change.mode);
    }
    for (const [path, file] of applyChanges(named, changes)) this.#files.set(path, file);
  }

  /** A new file begins as an empty one of the encoding that is declared for its path. */
  async #declare(path: string, named: Map<string, TextFile | null>): Promise<void> {
    const { context } = this.#snapshot;
    const declared = await context.encodings.of(toTrail(context, path));
    if (declared) named.set(path, unwrittenFile(path, '', declared.mark, declared.encoding));
  }

  /** Modes, names and what was written as a whole go with a file that is made, moved or deleted. */
  #follow(change: Exclude<FileChange, { kind: 'modify' }>): void {
    const { path } = change;
    this.#preconditions.follow(change);
    if (change.kind === 'create') {
      if (change.mode) this.#modes.set(path, change.mode);
      this.#written.add(path);
      return;
    }
    const isWritten = this.#written.delete(path);
    if (change.kind === 'move') {
      this.#modes.set(change.to, this.#modes.get(path) ?? '100644');
      this.#moves.push({ from: path, to: change.to });
      if (isWritten) this.#written.add(change.to);
      else this.#written.delete(change.to);
    }
    this.#modes.delete(path);
  }

  /** Git's own rule: nothing that it ignores may enter history by an edit. */
  async #allow(path: string): Promise<void> {
    if (this.#touched.has(path)) return;
    const { context } = this.#snapshot;
    if (!(await this.#snapshot.recorded(path))) await context.guards.checkNew(toTrail(context, path));
    this.#touched.add(path);
  }
}

/** A move is about two. */
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

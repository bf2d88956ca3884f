/** From a parsed patch to file changes: every operation on the files as the ones before it left them. */

import { sameBytes } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { encodeOver, type TextFile } from '../../text/document.ts';
import { linesOf } from '../../text/lines.ts';
import { counted, listed, quoted } from '../../text/words.ts';
import { ifTool, Look, pathName } from '../../wording.ts';
import {
  applyChanges,
  type Edit,
  type FileChange,
  type FileMode,
  type Files,
  type Modes,
  noChange,
  presentFile,
} from '../edit.ts';
import {
  type Format,
  type Hunk,
  newLines,
  type Operation,
  oldLines,
  type Patch,
  type UpdateOperation,
} from './patch.ts';
import { BOM, type EditedText, editedText } from './placement/edited-text.ts';

/** Answers what an edit asks of an input that is a patch, and parses it once. `parse` throws what is wrong with it. */
export function patchEdit<Input extends object>(
  format: Format,
  parse: (input: Input) => Patch,
): Required<Pick<Edit<Input>, 'check' | 'paths' | 'plan'>> {
  const parsed = oncePerInput(parse);
  return {
    check: input => checkPatch(parsed(input), format),
    paths: input => pathsOf(parsed(input)),
    plan: (input, files, modes) => planPatch(parsed(input), format, files, modes),
  };
}

/** Parses an input once, though its check, its paths and its plan ask for the result. */
export function oncePerInput<Input extends object, Parsed>(
  parse: (input: Input) => Parsed,
): (input: Input) => Parsed {
  const known = new WeakMap<Input, { parsed: Parsed }>();
  return input => {
    const { parsed } = known.get(input) ?? { parsed: parse(input) };
    known.set(input, { parsed });
    return parsed;
  };
}

/** Every path that an operation may be about. */
export function pathsOf({ operations }: Patch): string[] {
  const paths = operations.flatMap(one => [
    one.path,
    ...(one.written === undefined ? [] : [one.written]),
    ...(one.either ?? []),
    ...(one.kind === 'update' && one.to !== undefined ? [one.to] : []),
  ]);
  return [...new Set(paths)];
}

/**
 * All changes, or a refusal: PATCH_FAILED, AMBIGUOUS, PATCH_SYNTAX, FILE_NOT_FOUND, FILE_EXISTS, NO_CHANGE.
 * What was put up with is in the notes of the first change, and of those that it concerns.
 */
export function planPatch(
  patch: Patch,
  format: Format,
  files: Files,
  modes: Modes = new Map(),
): FileChange[] {
  const plan = new PatchPlan(patch, format, files, modes);
  for (const [i, operation] of patch.operations.entries()) plan.add(operation, i);
  const [first, ...rest] = plan.changes;
  const notes = [...patch.notes, ...plan.notes];
  return notes.length === 0 ? plan.changes : [withNotes(first!, notes), ...rest];
}

/** Throws NO_CHANGE for a hunk that leaves its lines as they are, in whatever file. */
export function checkPatch({ operations }: Patch, format: Format): void {
  for (const one of operations) {
    const hunks = one.kind === 'update' && one.to === undefined ? one.hunks : [];
    for (const [i, hunk] of hunks.entries()) checkChanges(one.path, hunk, i + 1, format);
  }
}

function checkChanges(path: string, hunk: Hunk, number: number, { word, lineEnds }: Format): void {
  const [old, fresh] = [oldLines(hunk), newLines(hunk)];
  const changes =
    old.length !== fresh.length ||
    old.some(({ text, end }, i) => text !== fresh[i]!.text || (lineEnds && end !== fresh[i]!.end));
  if (changes) return;
  const why = `${word} ${number} (line ${hunk.at} of the patch) leaves its lines as they are. Mark lines to remove with "-" and lines to add with "+", or leave the ${word} out.`;
  throw noChange(path, why);
}

function withNotes<Change extends FileChange>(change: Change, notes: readonly string[]): Change {
  return notes.length === 0 ? change : { ...change, notes: [...notes, ...(change.notes ?? [])] };
}

class PatchPlan {
  readonly changes: FileChange[] = [];
  /** Notes for the answer: names of files in the patch that were taken for another spelling of the path. */
  readonly notes: string[] = [];
  readonly #patch: Patch;
  readonly #format: Format;
  /** As they were before the patch, or before the one of a series that is being read. */
  #originals: Files;
  #originalModes: Modes;
  /** As the operations so far leave them. */
  readonly #files: Map<string, TextFile | null>;
  readonly #modes: Map<string, FileMode>;
  /** Where an operation put a file in place of one that is renamed further down. */
  #overwritten = new Set<string>();

  constructor(patch: Patch, format: Format, files: Files, modes: Modes) {
    this.#patch = patch;
    this.#format = format;
    this.#originals = files;
    this.#originalModes = modes;
    this.#files = new Map(files);
    this.#modes = new Map(modes);
  }

  add(operation: Operation, index: number): void {
    // The next patch of a series is on what the one before leaves.
    if (this.#patch.begins?.includes(index)) {
      this.#originals = new Map(this.#files);
      this.#originalModes = new Map(this.#modes);
      this.#overwritten = new Set();
    }
    const path = this.#pathOf(operation);
    if (operation.kind === 'create') {
      const { text, mode = '100644' } = operation;
      this.#checkFree(path, () => text, index);
      this.#do({ kind: 'create', path, text, mode });
    } else if (operation.kind === 'delete') this.#delete(path, operation.content);
    else if (operation.to === undefined) this.#update(path, operation);
    else this.#transfer(path, operation.to, operation, index);
  }

  /** A name as it is written wins when that file exists; of names that differ, the one that is a file. */
  #pathOf({ kind, path, written, either, at }: Operation): string {
    if (either === undefined) return written !== undefined && this.#files.get(written) ? written : path;
    const names = [...new Set([path, ...either])];
    const files = kind === 'create' ? [path] : names.filter(name => this.#files.get(name));
    if (files.length > 1) {
      const message = `The part of the patch that begins in line ${at} names ${listed(files.map(pathName))}, and each of them is a file. Nothing was changed. Write the path of the one that is meant on both sides.`;
      throw new EditError('PATCH_SYNTAX', message, { patch_line: at, paths: files });
    }
    const meant = files[0] ?? path;
    this.notes.push(`the names in the patch, ${either.join(' and ')}, were taken for ${meant}`);
    return meant;
  }

  #delete(path: string, content: Hunk[] | 'any'): void {
    const file = presentFile(this.#files, path, 'delete');
    const left = content === 'any' ? '' : editedText(path, file, content, this.#format).text();
    if (left === '') {
      this.#do({ kind: 'delete', path });
      return;
    }
    // The patch does not show all of the file.
    const lines = linesOf(left);
    const message = `The patch deletes ${pathName(path)}, but its content is not what the patch says it is: ${counted(lines.count, 'line')} would be left, the first of them ${quoted(lines.content(1))}. Nothing was changed. ${Look()} the file${ifTool('delete', tool => `; to delete it as it is use ${tool}`)}.`;
    throw new EditError('PATCH_FAILED', message, { path, left: lines.count });
  }

  #update(path: string, { hunks, mode, makes }: UpdateOperation): void {
    if (makes && !this.#files.get(path)) {
      const text = newLines(hunks[0]!).map(line => line.text + line.end);
      this.#do({ kind: 'create', path, text: text.join(''), mode: mode?.to ?? '100644' });
      return;
    }
    const file = presentFile(this.#files, path);
    checkMode(path, this.#modes.get(path), mode);
    const edited = editedText(path, file, hunks, this.#format);
    if (edited.dropsMark) {
      this.#write(path, edited, mode?.to ?? this.#modes.get(path));
      return;
    }
    const { spans, notes } = edited;
    if (spans.length === 0 && (mode === undefined || mode.to === this.#modes.get(path))) {
      throw noChange(path, 'it is as the patch would make it.');
    }
    this.#do(withNotes({ kind: 'modify', path, spans, ...(mode ? { mode: mode.to } : {}) }, notes));
  }

  /** Renames and copies are of the file before the patch, whatever the operations above did to it (as in git-apply). */
  #transfer(from: string, to: string, { hunks, copy = false, mode }: UpdateOperation, index: number): void {
    const original = this.#originals.get(from);
    const file = original ?? presentFile(this.#files, from, copy ? undefined : 'move');
    const untouched = this.#files.get(from) === file;
    if (!copy && !untouched && !this.#overwritten.has(from)) {
      const message = `The patch renames ${pathName(from)} to ${pathName(to)} after an earlier part of it changed or removed ${pathName(from)}. Nothing was changed. Put the changes of its text into the part that renames it.`;
      throw new EditError('PATCH_FAILED', message, { path: from, to });
    }
    const had = (original ? this.#originalModes : this.#modes).get(from);
    checkMode(from, had, mode);
    const edited = editedText(from, file, hunks, this.#format);
    this.#checkFree(to, () => edited.text(), index);
    if (copy || !untouched || this.#files.get(to) || edited.dropsMark) {
      this.#write(to, edited, mode?.to ?? had);
      if (!copy && untouched) this.#do({ kind: 'delete', path: from });
      return;
    }
    this.#do(withNotes({ kind: 'move', path: from, to, spans: edited.spans }, edited.notes));
    if (mode) this.#do({ kind: 'modify', path: to, spans: [], mode: mode.to });
  }

  /** The whole text anew, with its byte order mark unless that goes. */
  #write(path: string, edited: EditedText, mode: FileMode | undefined): void {
    const text = edited.bom && !edited.dropsMark ? BOM + edited.text() : edited.text();
    this.#do(withNotes({ kind: 'create', path, text, exact: true, ...(mode ? { mode } : {}) }, edited.notes));
  }

  /** Throws FILE_EXISTS unless a path is free: no file is there, or the one that is there is renamed further down in the patch. */
  #checkFree(path: string, text: () => string, index: number): void {
    const present = this.#files.get(path);
    if (!present) return;
    const leaves = this.#patch.operations
      .slice(index + 1)
      .some(one => one.kind === 'update' && one.path === path && one.to !== undefined && !one.copy);
    if (!leaves || present !== this.#originals.get(path)) throw occupied(path, present, text);
    this.#overwritten.add(path);
  }

  #do(change: FileChange): void {
    this.changes.push(change);
    const paths = change.kind === 'move' ? [change.path, change.to] : [change.path];
    const concerned = new Map(paths.map(path => [path, this.#files.get(path) ?? null]));
    for (const [path, file] of applyChanges(concerned, [change])) this.#files.set(path, file);
    if (change.kind === 'delete') return;
    const [at, mode] =
      change.kind === 'move' ? [change.to, this.#modes.get(change.path)] : [change.path, change.mode];
    if (mode) this.#modes.set(at, mode);
  }
}

/** Refuses to make a file where another is. `text` is what it would have held. */
function occupied(path: string, present: TextFile, text: () => string): EditError {
  const same = isSame(present, text);
  const message = same
    ? `${pathName(path)} exists already, with exactly this content. Nothing was changed.`
    : `${pathName(path)} exists already, and a patch does not overwrite files. Nothing was changed. Update it, delete it in the same patch before, or choose another path.`;
  return new EditError('FILE_EXISTS', message, { path, same_content: same });
}

function isSame(file: TextFile, text: () => string): boolean {
  try {
    return sameBytes(file.bytes, encodeOver(file, text()));
  } catch {
    return false;
  }
}

/** Throws PATCH_FAILED when the file has another mode than the patch says. A mode that is not known is no reason. */
function checkMode(
  path: string,
  present: FileMode | undefined,
  mode: { from: FileMode | null; to: FileMode } | undefined,
): void {
  if (!mode || mode.from === null || present === undefined || present === mode.from) return;
  const done = present === mode.to ? ` It has the new mode ${mode.to} already.` : '';
  const message = `The patch changes the mode of ${pathName(path)} from ${mode.from}, but its mode is ${present}.${done} Nothing was changed.`;
  throw new EditError('PATCH_FAILED', message, { path, mode: present, expected: mode.from });
}

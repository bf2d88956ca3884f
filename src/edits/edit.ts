/**
 * The contract of an edit: it only plans. It reads the texts it named and answers with file changes; `applyChanges` makes
 * them on texts.
 */

import type * as z from 'zod';
import { EditError } from '../errors.ts';
import { withInput } from '../lazy.ts';
import { encodeOver, encodeText, type TextFile, textFile, unwrittenFile } from '../text/document.ts';
import { applySpans, type LineMap, type Span } from '../text/spans.ts';
import { pathName } from '../wording.ts';

/** Modes of a file as git records them: regular, executable. */
export type FileMode = '100644' | '100755';

/**
 * One planned change of one file. Span offsets count UTF-16 units of the file's text before the change. `notes` say
 * what the edit put up with, each a sentence without its stop: the answer repeats them. `exact`: a new file gets no other
 * line ends than these.
 */
export type FileChange = { notes?: readonly string[] } & (
  | { kind: 'modify'; path: string; spans: Span[]; mode?: FileMode }
  | { kind: 'create'; path: string; text: string; mode?: FileMode; exact?: boolean }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; path: string; to: string; spans: Span[] }
);

/** The files an edit named, by path; `null` where there is no file. */
export type Files = ReadonlyMap<string, TextFile | null>;

/** Modes of files, by path, where they are known. */
export type Modes = ReadonlyMap<string, FileMode>;

export interface Edit<Input = never, Name extends string = string> {
  /** The word for it everywhere: file name, tool, trailer `Vedit-Op`. */
  name: Name;
  /** The description that the model reads. */
  description: string;
  /** A flat object schema of the edit's own fields. */
  input: z.ZodObject;
  /** Other names that models send for a field, by the schema's name: `{ old_str: ['old_string'] }`. */
  aliases: Readonly<Record<string, readonly string[]>>;
  /** An input that works, for descriptions and help. */
  example: Record<string, unknown>;
  /** True when the input holds line numbers: they are a claim about a version of the file. */
  addressesLines: boolean;
  /**
   * Only where `addressesLines`: the lines that the input names, 1-based and inclusive. A place between two lines, or at
   * an end, is named by the number that was given for it. Without it, the numbers may be those of any line.
   */
  lines?(input: Input): ReadonlyArray<{ start: number; end: number }>;
  /**
   * Throws what is wrong with the input itself, whatever the file holds: it is asked before the file is looked at, so
   * that nobody reads a file anew only to learn that the call could never have been done.
   */
  check?(input: Input): void;
  /** Loads what `plan` needs and is not loaded with it; awaited before. Throws where that is not installed. */
  ready?(input: Input): Promise<void>;
  /** The paths whose files plan needs to see. */
  paths(input: Input): string[];
  /** Only of an edit that may be about a whole folder. */
  folder?: FolderEdit<Input>;
  /** Pure. Throws EditError when the edit cannot be done exactly. */
  plan(input: Input, files: Files, modes?: Modes): FileChange[];
  /**
   * Only where `addressesLines`: the same input with its line numbers mapped to a later text of the file, or `null`
   * when a line that it names, or the run of lines that it replaces, is no longer what it was.
   */
  renumber?(input: Input, map: LineMap): object | null;
}

/** A folder as an edit of all of it sees it. */
export interface FolderSeen {
  /** The folder's path as the caller gave it. */
  path: string;
  /** The number of files in the folder that the edit would change. */
  files: number;
}

/** Turns an edit that names a folder into one edit for each file in that folder. */
export interface FolderEdit<Input> {
  /** The path that may be a folder. */
  path(input: Input): string;
  /** Where the folder goes, if it does: nothing may be there. */
  to?(input: Input): string;
  /** Throws where the input does not say that a whole folder is meant. */
  check?(input: Input, folder: FolderSeen): void;
  /** The input for one file, `below` the folder, with a slash before it. */
  each(input: Input, below: string): object;
}

/** As defineEdit, of an edit of the engine: its schema is made when it is first asked for. */
export function ownEdit<Schema extends z.ZodObject, const Name extends string>(
  edit: Omit<Edit<z.infer<Schema>, Name>, 'input'> & { input: () => Schema },
): Edit<z.infer<Schema>, Name> {
  return withInput(edit);
}

/** Makes an edit of its parts. `paths`, `plan` and the rest get the input that the schema parses. */
export function defineEdit<Schema extends z.ZodObject, const Name extends string>(
  edit: Omit<Edit<z.infer<Schema>, Name>, 'input'> & { input: Schema },
): Edit<z.infer<Schema>, Name> {
  return edit;
}

/**
 * The file at a path that an edit named, for an edit that needs one. Throws FILE_NOT_FOUND; `folder` is where the file
 * would be, and who can look whether there is such a folder says what to do next.
 */
export function presentFile(files: Files, path: string, purpose?: 'delete' | 'move'): TextFile {
  const file = files.get(path) ?? null;
  if (file !== null) return file;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const words = purpose === undefined ? '' : NOTHING_TO + purpose;
  throw new EditError('FILE_NOT_FOUND', `There is no file at ${pathName(path)}${words}.`, { path, folder });
}

const NOTHING_TO = ', so nothing to ';

/** True of a refusal for a missing file that was to be deleted or moved: to create it first would make no sense. */
export function isAboutNothing(error: EditError): boolean {
  return EditError.wording(error).includes(NOTHING_TO);
}

export function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

/** Creates the refusal of an edit that would leave every byte as it is. */
export function noChange(path: string, why: string): EditError {
  return new EditError('NO_CHANGE', `${pathName(path)} was not changed: ${why}`, { path });
}

/**
 * A new map in which every change is done; the one given stays. A text that is not written yet has version ''; a file
 * that was only moved keeps its bytes and version, and is never decoded. The encoding of a file that is there is kept,
 * and the byte order mark of a modified or moved one. Throws RangeError for a change of a file that is not in the map, or spans that do not fit.
 */
export function applyChanges(files: Files, changes: readonly FileChange[]): Files {
  const next = new Map(files);
  for (const change of changes) applyChange(next, change);
  return next;
}

/** Throws TOO_LARGE, before it is made, for a text that would be longer than any file that is edited, or grows to twice of one. */
export function checkResult(
  path: string,
  text: string,
  spans: ReadonlyArray<Omit<Span, 'text'> & { text: Length }>,
): void {
  let length = text.length;
  for (const { start, end, text: put } of spans) length += put.length - (end - start);
  const limit = Math.max(MOST_UNITS, 2 * text.length);
  if (length <= limit) return;
  const words = `${pathName(path)} would have ${length} characters after this edit; files up to ${limit} can be edited here. Nothing was changed.`;
  throw new EditError('TOO_LARGE', words, { path, size: length, limit });
}

type Length = { readonly length: number };

const MOST_UNITS = 64 * 1024 * 1024;

function applyChange(files: Map<string, TextFile | null>, change: FileChange): void {
  const { kind, path } = change;
  const file = files.get(path);
  if (kind === 'create') {
    const bytes = file ? encodeOver(file, change.text) : encodeText(change.text, false);
    files.set(path, textFile(path, bytes, ''));
    return;
  }
  if (!file) throw new RangeError(`no file at ${path}`);
  if (kind !== 'modify') files.set(path, null);
  if (kind === 'delete') return;
  const to = kind === 'move' ? change.to : path;
  if (change.spans.length === 0) files.set(to, textFile(to, file.bytes, file.version));
  else {
    checkResult(path, file.text, change.spans);
    files.set(to, unwrittenFile(to, applySpans(file.text, change.spans), file.bom, file.encoding));
  }
}

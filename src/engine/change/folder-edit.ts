/**
 * An edit of a folder: the same edit of every file in it, recorded or not, as one change. What git ignores may not enter
 * history, so it stays where it is, and the answer says so.
 */

import type { Edit } from '../../edits/edit.ts';
import { EditError } from '../../errors.ts';
import { isSameName } from '../../stores/paths.ts';
import type { TextFile } from '../../text/document.ts';
import { counted, listedSome } from '../../text/words.ts';
import { fieldName, pathName } from '../../wording.ts';
import { sortedEntries } from '../files/listing.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { orNone } from './folders.ts';

/** More files are not changed at once: each is read, checked and written. */
const MOST_FILES = 10_000;

/** The part of a call that has to be known. */
interface FolderCall {
  edit: Edit;
  input: unknown;
  version?: string | undefined;
}

/** The calls that one of a whole folder stands for, and what the answer has to say of it. */
export interface FolderSteps<Call> {
  calls: Call[];
  notes: string[];
}

/** Files by path, as the edits before have planned them; `null` where one is gone. */
type PlannedFiles = ReadonlyMap<string, TextFile | null>;

/**
 * The edit of each file, where the call names a folder; `null` where it does not. Throws what the edit says of a folder
 * that was not meant, NO_CHANGE for one without files, TOO_LARGE for one with too many, SPECIAL_FILE and
 * NESTED_REPOSITORY for what is no file of this repository, FILE_EXISTS and INVALID_INPUT for where it shall go.
 */
export async function folderSteps<Call extends FolderCall>(
  snapshot: Snapshot,
  call: Call,
  planned: PlannedFiles,
): Promise<FolderSteps<Call> | null> {
  const edit = call.edit as Edit<unknown>;
  if (!edit.folder) return null;
  const given = edit.folder.path(call.input);
  const folder = await folderAt(snapshot, given, planned);
  if (folder === null) return null;
  const found = await filesIn(snapshot, folder, planned);
  const shown = given.replace(/\/+$/, '');
  edit.folder.check?.(call.input, { path: shown, files: found.files.length });
  if (call.version !== undefined) {
    const message = `${fieldName('version')} is that of one file, and ${pathName(shown)} is a folder. Give the commit that the call was decided on as ${fieldName('base')}. Nothing was changed.`;
    throw new EditError('INVALID_INPUT', message, { field: 'version', path: shown });
  }
  await assertNoLink(snapshot, shown, { path: folder, kind: 'folder' });
  if (found.files.length === 0) throw withoutFiles(shown, found);
  if (edit.folder.to) await assertFree(snapshot, folder, edit.folder.to(call.input), planned);
  const { each } = edit.folder;
  const calls = found.files.map(path => ({ ...call, input: each(call.input, path.slice(folder.length)) }));
  return { calls, notes: notesOf(shown, found) };
}

/** The real path of the folder that a call names; `null` where no folder is. */
async function folderAt(snapshot: Snapshot, given: string, planned: PlannedFiles): Promise<string | null> {
  const path = await (given.endsWith('/') ? snapshot.resolveFolder(given) : snapshot.resolve(given));
  if (path === '' || planned.get(path)) return null;
  if (filesBelow(planned, path).length > 0) return path;
  let isFolder = false;
  const file = await orNone(
    () => snapshot.file(path),
    () => (isFolder = true),
  );
  if (file !== null) return null;
  return isFolder || (await sortedEntries(snapshot, path)) !== null ? path : null;
}

interface Found {
  /** Real paths, sorted as they are listed. */
  files: string[];
  /** The paths that git ignores, folders with a slash, and folders without any entry. */
  ignored: string[];
  empty: string[];
}

async function filesIn(snapshot: Snapshot, folder: string, planned: PlannedFiles): Promise<Found> {
  const found: Found = { files: [], ignored: [], empty: [] };
  await collect(snapshot, folder, found);
  const gone = (path: string): boolean => planned.get(path) === null;
  const stored = new Set(found.files);
  const made = filesBelow(planned, folder).filter(path => !stored.has(path));
  return { ...found, files: [...found.files.filter(path => !gone(path)), ...made] };
}

async function collect(snapshot: Snapshot, folder: string, found: Found): Promise<void> {
  // A repository of its own, or a submodule, is refused here.
  await snapshot.resolve(folder);
  const listed = await sortedEntries(snapshot, folder);
  if (!listed) return;
  if (listed.entries.length + listed.ignored.length === 0) found.empty.push(`${folder}/`);
  for (const { name, type } of listed.ignored)
    found.ignored.push(`${folder}/${name}${type === 'directory' ? '/' : ''}`);
  for (const { name, type } of listed.entries) {
    const path = `${folder}/${name}`;
    if (type === 'directory') await collect(snapshot, path, found);
    else if (type === 'file') found.files.push(path);
    else throw noFile(path, type);
    if (found.files.length > MOST_FILES) throw tooMany(folder);
  }
}

function filesBelow(planned: PlannedFiles, folder: string): string[] {
  return [...planned].filter(([path, file]) => file && path.startsWith(`${folder}/`)).map(([path]) => path);
}

/** Throws where a folder would be moved into itself, or onto another one. */
async function assertFree(
  snapshot: Snapshot,
  folder: string,
  given: string,
  planned: PlannedFiles,
): Promise<void> {
  const to = await snapshot.resolveFolder(given);
  const shown = pathName(given.replace(/\/+$/, ''));
  if (to === folder)
    throw new EditError('NO_CHANGE', `${shown} was not changed: it is where it is to go.`, { path: folder });
  if (to.startsWith(`${folder}/`)) {
    const message = `${shown} is in ${pathName(folder)} itself, so that folder cannot go there. Choose another ${fieldName('new_path')}.`;
    throw new EditError('INVALID_INPUT', message, { path: given, fields: ['new_path'] });
  }
  const kind = await kindAt(snapshot, to, planned);
  if (kind === null) return;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const into = to === '' ? name : `${to}/${name}`;
  const next =
    kind === 'folder' && into !== folder
      ? ` To put it into that folder, give ${pathName(into)} as ${fieldName('new_path')}.`
      : '';
  const message = `${to === '' ? 'The workspace' : shown} is a ${kind} that is there already, and ${pathName(folder)} is neither joined with it nor put over it. Nothing was moved.${next}`;
  throw new EditError('FILE_EXISTS', message, { path: given });
}

async function kindAt(
  snapshot: Snapshot,
  path: string,
  planned: PlannedFiles,
): Promise<'file' | 'folder' | null> {
  if (path === '') return 'folder';
  if (planned.get(path)) return 'file';
  const listed = await sortedEntries(snapshot, path);
  const entries = [...(listed?.entries ?? []), ...(listed?.ignored ?? [])];
  const isEmptied = entries.every(({ name }) => planned.get(`${path}/${name}`) === null);
  if (filesBelow(planned, path).length > 0 || !isEmptied) return 'folder';
  if (listed || planned.has(path)) return null;
  return (await snapshot.file(path)) === null ? null : 'file';
}

function notesOf(folder: string, { files, ignored, empty }: Found): string[] {
  const notes = [`This is the folder ${pathName(folder)}: ${counted(files.length, 'file')}`];
  const names = (paths: readonly string[]): string => listedSome(paths.map(pathName));
  if (ignored.length === 1) notes.push(`${names(ignored)} stays where it is: git ignores it`);
  if (ignored.length > 1) notes.push(`${names(ignored)} stay where they are: git ignores them`);
  if (empty.length === 1) notes.push(`${names(empty)} has no file, and stays`);
  if (empty.length > 1) notes.push(`${names(empty)} have no files, and stay`);
  return notes;
}

function noFile(path: string, type: string): EditError {
  const what = type === 'symlink' ? 'a symbolic link' : 'not a regular file';
  const message = `${pathName(path)} is ${what}, which is not edited here, so nothing of its folder was changed. Move or remove it with a command first, or name the files one by one.`;
  return new EditError('SPECIAL_FILE', message, { path });
}

function withoutFiles(folder: string, { ignored }: Found): EditError {
  const why = ignored.length > 0 ? `only what git ignores (${listedSome(ignored.map(pathName))})` : 'no file';
  const message = `There is ${why} in ${pathName(folder)}, and history holds no empty folders: nothing would change.`;
  return new EditError('NO_CHANGE', message, { path: folder });
}

function tooMany(folder: string): EditError {
  const message = `There are more than ${MOST_FILES} files in that folder, up to ${pathName(folder)}, and at most so many are changed at once. Nothing was changed. Name the folders in it one after another.`;
  return new EditError('TOO_LARGE', message, { path: folder, limit: MOST_FILES });
}

/**
 * Throws SPECIAL_FILE for a link among the paths of a change that deletes or moves a whole file: whoever names it is not to lose
 * the file or folder at its end. Git and rm take the link itself,
 * which is not edited here. `real`: the real path of each path that was given.
 */
export async function assertNoLinks(
  snapshot: Snapshot,
  paths: readonly string[],
  real: ReadonlyMap<string, string>,
): Promise<void> {
  for (const given of paths)
    await assertNoLink(snapshot, given, { path: real.get(given) ?? given, kind: 'file' });
}

/** Throws SPECIAL_FILE where the name that was given is a link to what is at the real path. */
async function assertNoLink(
  snapshot: Snapshot,
  given: string,
  { path, kind }: { path: string; kind: 'file' | 'folder' },
): Promise<void> {
  if (given === path) return;
  const at = given.lastIndexOf('/');
  const above = at < 0 ? '' : await snapshot.resolveFolder(given.slice(0, at) || '/');
  const own = `${above === '' ? '' : `${above}/`}${given.slice(at + 1)}`;
  if (own === path || isSameName(own, path) || given.endsWith('.')) return;
  const meant = kind === 'folder' ? 'if all of it is meant' : 'if it is meant';
  const message = `${pathName(given)} is a link to the ${kind} ${pathName(path)}. Nothing was changed. Name that ${kind} ${meant}; the link itself is removed or moved by a command (rm, mv).`;
  throw new EditError('SPECIAL_FILE', message, { path: given, target: path });
}

/** Paths through trees: what a path leads to, and the trees that change when paths change. */

import { latin1, nameBytes } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import type { EncodedObject, GitObject } from './object.ts';
import type { ObjectDatabase } from './object-database.ts';
import {
  findEntries,
  findEntry,
  isGitlink,
  isTree,
  replaceEntries,
  TREE_MODE,
  type TreeRef,
} from './tree-entries.ts';

/** What each path shall hold; `null` is nothing. Paths are relative, with `/`, of names as `nameOf` gives them. */
export type PathChanges = ReadonlyMap<string, TreeRef | null>;

/**
 * What the path leads to below the tree `treeOid`, or `null` when there is nothing. '' is the tree itself. A link
 * is not followed, and a submodule has nothing below it. Throws CORRUPT, STORE_FAILED.
 */
export async function lookup(
  objects: ObjectDatabase,
  treeOid: string,
  path: string,
): Promise<TreeRef | null> {
  const { ref, depth, names } = await walkDown(objects, treeOid, path);
  return depth === names.length ? ref : null;
}

/** The same with the path of the submodule, `null` as a rule, that the path leads to or into. */
export async function lookupBeyond(
  objects: ObjectDatabase,
  treeOid: string,
  path: string,
): Promise<{ ref: TreeRef | null; submodule: string | null }> {
  const { ref, depth, names } = await walkDown(objects, treeOid, path);
  const submodule = ref && isGitlink(ref.mode) ? path.split('/').slice(0, depth).join('/') : null;
  return { ref: depth === names.length ? ref : null, submodule };
}

/** Goes down as far as there are trees: what is reached, and after how many of the names. */
async function walkDown(
  objects: ObjectDatabase,
  treeOid: string,
  path: string,
): Promise<{ ref: TreeRef | null; depth: number; names: readonly Uint8Array[] }> {
  const names = namesOf(path);
  let ref: TreeRef | null = { mode: TREE_MODE, oid: treeOid };
  let depth = 0;
  for (; depth < names.length && ref !== null && isTree(ref.mode); depth++) {
    const tree: GitObject = objects.cached(ref.oid, 'tree') ?? (await objects.read(ref.oid, 'tree'));
    ref = findEntry(tree.content, names[depth]!);
  }
  return { ref, depth, names };
}

/** A history is searched for one path, commit by commit. */
let lastPath = '';
let lastNames: readonly Uint8Array[] = [];

function namesOf(path: string): readonly Uint8Array[] {
  if (path === lastPath) return lastNames;
  lastNames = path === '' ? [] : path.split('/').map(nameBytes);
  lastPath = path;
  return lastNames;
}

/**
 * The tree that differs from `treeOid` (`null`: no tree yet) in the given paths alone, and the new tree objects,
 * deepest first. Folders without entries vanish, missing ones are made; taking out what is not there changes
 * nothing. `tree` may be the empty tree. Nothing is written. Throws FILE_EXISTS when a file stands where a folder
 * is needed, IS_DIRECTORY when a folder stands where a file is needed, NESTED_REPOSITORY below a submodule,
 * PROTECTED_PATH, INVALID_INPUT for a path that no tree may hold, CORRUPT, STORE_FAILED.
 */
export async function writePath(
  objects: ObjectDatabase,
  treeOid: string | null,
  changes: PathChanges,
): Promise<{ tree: string; objects: EncodedObject[] }> {
  const writer = new TreeWriter(objects);
  const content = await writer.change(treeOid, group(changes), '');
  if (content === null && treeOid !== null) return { tree: treeOid, objects: [] };
  const tree = await writer.encode(content ?? new Uint8Array(0));
  return { tree, objects: writer.written };
}

/** The changes below one folder: what its names shall hold themselves, and what changes below them. */
interface FolderChanges {
  refs: Map<string, TreeRef | null>;
  folders: Map<string, FolderChanges>;
}

function group(changes: PathChanges): FolderChanges {
  const root: FolderChanges = { refs: new Map(), folders: new Map() };
  for (const [path, ref] of changes) {
    const names = path.split('/');
    names.forEach(checkName);
    let folder = root;
    for (const name of names.slice(0, -1)) folder = subfolder(folder, name);
    folder.refs.set(names.at(-1)!, ref);
  }
  return root;
}

/** The names that git refuses in a tree (verify_path); the rules for paths of requests are stricter. */
function checkName(name: string): void {
  if (name.toLowerCase() === '.git') {
    throw new EditError(
      'PROTECTED_PATH',
      `a path must not contain ${JSON.stringify(name)}: it belongs to git`,
      { path: name },
    );
  }
  if (name !== '' && name !== '.' && name !== '..' && !/[\0\ud800-\udc7f\udd00-\udfff]/u.test(name)) return;
  throw new EditError('INVALID_INPUT', `a path must not have the component ${JSON.stringify(name)}`, {
    path: name,
  });
}

function subfolder(parent: FolderChanges, name: string): FolderChanges {
  const known = parent.folders.get(name);
  if (known !== undefined) return known;
  const folder: FolderChanges = { refs: new Map(), folders: new Map() };
  parent.folders.set(name, folder);
  return folder;
}

class TreeWriter {
  readonly #written = new Map<string, EncodedObject>();
  readonly #objects: ObjectDatabase;

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  get written(): EncodedObject[] {
    return [...this.#written.values()];
  }

  /** The content that the tree gets, or `null` when it stays as it is. `at` is its path, with a `/` at the end. */
  async change(oid: string | null, changes: FolderChanges, at: string): Promise<Uint8Array | null> {
    const old = oid === null ? new Uint8Array(0) : (await this.#objects.read(oid, 'tree')).content;
    const names = [...changes.refs.keys(), ...changes.folders.keys()].map(bytesOf);
    const entries = new FolderEntries(findEntries(old, new Set(names)));
    for (const [name, ref] of changes.refs) if (ref === null) removeFile(entries, name, changes, at);
    for (const [name, below] of changes.folders) await this.#changeFolder(entries, name, below, at);
    for (const [name, ref] of changes.refs) if (ref !== null) putFile(entries, name, ref, at);
    return entries.changed.size === 0 ? null : replaceEntries(old, entries.changed);
  }

  /** The id of a tree, whose object is added to `written`. */
  async encode(content: Uint8Array): Promise<string> {
    const object = await this.#objects.codec.encode('tree', content);
    this.#written.set(object.oid, object);
    return object.oid;
  }

  async #changeFolder(
    entries: FolderEntries,
    name: string,
    changes: FolderChanges,
    at: string,
  ): Promise<void> {
    const old = entries.get(name);
    if (old !== null && !isTree(old.mode)) {
      if (holdsNothing(changes)) return;
      throw notAFolder(at + name, old);
    }
    const content = await this.change(old?.oid ?? null, changes, `${at}${name}/`);
    if (content === null) return;
    const mode = old?.mode ?? TREE_MODE;
    entries.set(name, content.length === 0 ? null : { mode, oid: await this.encode(content) });
  }
}

/** The entries of one folder that changes are about, as they were and as they come to be. */
class FolderEntries {
  readonly changed = new Map<string, TreeRef | null>();
  readonly #old: ReadonlyMap<string, TreeRef>;

  constructor(old: ReadonlyMap<string, TreeRef>) {
    this.#old = old;
  }

  get(name: string): TreeRef | null {
    const key = bytesOf(name);
    const now = this.changed.get(key);
    return now === undefined ? (this.#old.get(key) ?? null) : now;
  }

  set(name: string, ref: TreeRef | null): void {
    const key = bytesOf(name);
    if (ref === null && !this.#old.has(key)) this.changed.delete(key);
    else this.changed.set(key, ref);
  }
}

/** A name as trees have it, one character a byte. */
function bytesOf(name: string): string {
  return latin1(nameBytes(name));
}

/** True when the changes only take files out. */
function holdsNothing(changes: FolderChanges): boolean {
  return (
    [...changes.refs.values()].every(ref => ref === null) && [...changes.folders.values()].every(holdsNothing)
  );
}

/** A folder in the place is an error, unless files come to lie below it: then the name was meant to be a file before. */
function removeFile(entries: FolderEntries, name: string, changes: FolderChanges, at: string): void {
  const old = entries.get(name);
  if (old === null || (isTree(old.mode) && changes.folders.has(name))) return;
  if (isTree(old.mode)) throw isAFolder(at + name);
  entries.set(name, null);
}

function putFile(entries: FolderEntries, name: string, ref: TreeRef, at: string): void {
  const old = entries.get(name);
  if (old !== null && isTree(old.mode) && !isTree(ref.mode)) throw isAFolder(at + name);
  if (old === null || old.mode !== ref.mode || old.oid !== ref.oid) entries.set(name, ref);
}

function isAFolder(path: string): EditError {
  return new EditError('IS_DIRECTORY', `${path} is a folder; name a file in it, or another path`, { path });
}

function notAFolder(path: string, { mode }: TreeRef): EditError {
  if (isGitlink(mode)) {
    const message = `${path} is a submodule, with a history of its own; open that repository to edit in it`;
    return new EditError('NESTED_REPOSITORY', message, { path });
  }
  return new EditError('FILE_EXISTS', `${path} is a file, so nothing can lie below it; choose another path`, {
    path,
  });
}

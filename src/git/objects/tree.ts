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

/** The entry that each path shall have; `null` for none. Paths are relative, with `/`, of names as `nameOf` gives them. */
export type PathChanges = ReadonlyMap<string, TreeRef | null>;

/**
 * Returns the entry that the path leads to below the tree `treeOid`, or `null` when there is nothing. '' is the tree
 * itself. A link is not followed, and a submodule has nothing below it. Throws CORRUPT, STORE_FAILED.
 */
export async function lookup(
  objects: ObjectDatabase,
  treeOid: string,
  path: string,
): Promise<TreeRef | null> {
  return (await lookupBeyond(objects, treeOid, path)).ref;
}

/** Returns the entry as `lookup` does, with the path of the submodule, `null` as a rule, that the path leads to or into. */
export async function lookupBeyond(
  objects: ObjectDatabase,
  treeOid: string,
  path: string,
): Promise<{ ref: TreeRef | null; submodule: string | null }> {
  const names = path === '' ? [] : path.split('/').map(nameBytes);
  let ref: TreeRef | null = { mode: TREE_MODE, oid: treeOid };
  let depth = 0;
  for (; depth < names.length && ref !== null && isTree(ref.mode); depth++) {
    const tree: GitObject = objects.cached(ref.oid, 'tree') ?? (await objects.read(ref.oid, 'tree'));
    ref = findEntry(tree.content, names[depth]!);
  }
  const submodule = ref && isGitlink(ref.mode) ? path.split('/').slice(0, depth).join('/') : null;
  return { ref: depth === names.length ? ref : null, submodule };
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
  const written = new Map<string, EncodedObject>();
  const content = await changed({ objects, written }, treeOid, group(changes), '');
  if (content === null && treeOid !== null) return { tree: treeOid, objects: [] };
  const tree = await encoded({ objects, written }, content ?? NOTHING);
  return { tree, objects: [...written.values()] };
}

const NOTHING = new Uint8Array(0);

/** The changes of one folder by name: what the name shall hold itself, and what changes below it. */
type FolderChanges = Map<string, { ref?: TreeRef | null; below?: FolderChanges }>;

function group(changes: PathChanges): FolderChanges {
  const root: FolderChanges = new Map();
  for (const [path, ref] of changes) {
    const names = path.split('/');
    let folder = root;
    for (const [depth, name] of names.entries()) {
      checkName(name);
      const change = folder.get(name) ?? {};
      folder.set(name, change);
      if (depth === names.length - 1) change.ref = ref;
      else folder = change.below ??= new Map();
    }
  }
  return root;
}

/** The names that git refuses in a tree (verify_path); the rules for paths of requests are stricter. */
function checkName(name: string): void {
  if (name.toLowerCase() === '.git') {
    const message = `a path must not contain ${JSON.stringify(name)}: it belongs to git`;
    throw new EditError('PROTECTED_PATH', message, { path: name });
  }
  if (name !== '' && name !== '.' && name !== '..' && !/[\0\ud800-\udc7f\udd00-\udfff]/u.test(name)) return;
  const message = `a path must not have the component ${JSON.stringify(name)}`;
  throw new EditError('INVALID_INPUT', message, { path: name });
}

/** Where trees are read, and those that are made. */
interface Trees {
  objects: ObjectDatabase;
  written: Map<string, EncodedObject>;
}

/** The id of a tree, whose object is added to `written`. */
async function encoded({ objects, written }: Trees, content: Uint8Array): Promise<string> {
  const object = await objects.codec.encode('tree', content);
  written.set(object.oid, object);
  return object.oid;
}

/** The content that the tree gets, or `null` when it stays as it is. `at` is its path, with a `/` at the end. */
async function changed(
  trees: Trees,
  oid: string | null,
  changes: FolderChanges,
  at: string,
): Promise<Uint8Array | null> {
  const { objects } = trees;
  const tree = oid === null ? null : (objects.cached(oid, 'tree') ?? (await objects.read(oid, 'tree')));
  const old = tree?.content ?? NOTHING;
  // Names as trees have them, one character a byte.
  const keys = new Map<string, string>();
  for (const name of changes.keys()) keys.set(name, latin1(nameBytes(name)));
  const before = findEntries(old, new Set(keys.values()));
  const entries = new Map<string, TreeRef | null>();
  for (const [name, { ref, below }] of changes) {
    const was = before.get(keys.get(name)!) ?? null;
    let now = ref === null ? withoutFile(was, at + name, below !== undefined) : was;
    if (below) now = await changedFolder(trees, now, below, at + name);
    if (ref && now && isTree(now.mode) && !isTree(ref.mode)) throw isAFolder(at + name);
    if (ref) now = ref;
    if (now?.oid !== was?.oid || now?.mode !== was?.mode) entries.set(keys.get(name)!, now);
  }
  return entries.size === 0 ? null : replaceEntries(old, entries, before);
}

async function changedFolder(
  trees: Trees,
  old: TreeRef | null,
  changes: FolderChanges,
  path: string,
): Promise<TreeRef | null> {
  if (old !== null && !isTree(old.mode)) {
    if (holdsNothing(changes)) return old;
    throw notAFolder(path, old);
  }
  const content = await changed(trees, old?.oid ?? null, changes, `${path}/`);
  if (content === null) return old;
  return content.length === 0 ? null : { mode: old?.mode ?? TREE_MODE, oid: await encoded(trees, content) };
}

/** True when the changes only take files out. */
function holdsNothing(changes: FolderChanges): boolean {
  return [...changes.values()].every(({ ref, below }) => !ref && (!below || holdsNothing(below)));
}

/** A folder in the place is an error, unless files come to lie below it: then the name was meant to be a file before. */
function withoutFile(was: TreeRef | null, path: string, isAbove: boolean): TreeRef | null {
  if (!was || !isTree(was.mode)) return null;
  if (isAbove) return was;
  throw isAFolder(path);
}

function isAFolder(path: string): EditError {
  return new EditError('IS_DIRECTORY', `${path} is a folder; name a file in it, or another path`, { path });
}

function notAFolder(path: string, { mode }: TreeRef): EditError {
  if (isGitlink(mode)) {
    const message = `${path} is a submodule, with a history of its own; open that repository to edit in it`;
    return new EditError('NESTED_REPOSITORY', message, { path });
  }
  const message = `${path} is a file, so nothing can lie below it; choose another path`;
  return new EditError('FILE_EXISTS', message, { path });
}

/** New commits for the trail, in memory: the parent's tree with the edited paths replaced, nothing else. */

import { encodeCommit, type Identity } from '../git/objects/commit.ts';
import { EMPTY_TREE, type EncodedObject } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { type PathChanges, writePath } from '../git/objects/tree.ts';

export interface NewCommit {
  /** The first parent is the trail itself. */
  parents: readonly string[];
  /** The tree that the changes are made in; `null` is the empty tree. */
  tree: string | null;
  /** By path; `null` takes the path out. */
  changes: PathChanges;
  message: string;
  author: Identity;
  committer: Identity;
}

export interface Appended {
  oid: string;
  tree: string;
  /** The trees and the commit, to be written before a ref may point to them. */
  objects: EncodedObject[];
}

/** Encodes the trees along the changed paths and the commit. The objects can be read back, but are not written. */
export async function appendCommit(objects: ObjectDatabase, commit: NewCommit): Promise<Appended> {
  const written = await writePath(objects, commit.tree, commit.changes);
  const trees = [...written.objects];
  if (written.tree === EMPTY_TREE) trees.push(await objects.codec.encode('tree', new Uint8Array()));
  const content = encodeCommit({
    tree: written.tree,
    parents: [...commit.parents],
    author: commit.author,
    committer: commit.committer,
    message: commit.message,
  });
  const encoded = await objects.codec.encode('commit', content);
  for (const object of [...trees, encoded]) objects.remember(object);
  return { oid: encoded.oid, tree: written.tree, objects: [...trees, encoded] };
}

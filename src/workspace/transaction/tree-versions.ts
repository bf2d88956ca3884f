/** Finds the tree or file that stood in the place of another one before a commit: a delta between the two is short. */

import { parseCommit } from '../../git/objects/commit.ts';
import type { GitObject } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { differingPart, isTree, parseTree, type TreeEntry } from '../../git/objects/tree-entries.ts';

export class TreeVersions {
  readonly #objects: ObjectDatabase;
  readonly #before = new Map<string, string>();

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  /** The id of the object that this one replaced, of what was added. */
  before(oid: string): string | undefined {
    return this.#before.get(oid);
  }

  /** Notes what a commit replaced in its first parent. Throws CORRUPT, STORE_FAILED. */
  async add(parent: string | null, commit: GitObject & { oid: string }): Promise<void> {
    if (parent === null) return;
    this.#note(commit.oid, parent);
    const old = parseCommit((await this.#objects.read(parent, 'commit')).content).tree;
    await this.#pair(old, parseCommit(commit.content).tree);
  }

  async #pair(old: string, now: string): Promise<void> {
    if (old === now || this.#before.has(now)) return;
    this.#note(now, old);
    const [one, other] = await Promise.all([old, now].map(oid => this.#objects.read(oid, 'tree')));
    const [before, after] = differingPart(one!.content, other!.content).map(parseTree) as [
      TreeEntry[],
      TreeEntry[],
    ];
    const known = new Map(before.map(entry => [entry.name, entry]));
    for (const { name, mode, oid } of after) {
      const was = known.get(name);
      if (!was || was.oid === oid || isTree(was.mode) !== isTree(mode)) continue;
      if (isTree(mode)) await this.#pair(was.oid, oid);
      else this.#note(oid, was.oid);
    }
  }

  #note(oid: string, before: string): void {
    if (!this.#before.has(oid) && oid !== before) this.#before.set(oid, before);
  }
}

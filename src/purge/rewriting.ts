/** Ids put in the place of others: in trees and in commits. */

import { fromLatin1, latin1 } from '../bytes.ts';
import { isGitlink, isTree, parseTree, replaceEntries, type TreeRef } from '../git/objects/tree-entries.ts';

interface Rewriting {
  read(oid: string): Promise<Uint8Array>;
  /** The other id of a file's content; `undefined`: it stays. */
  blob(oid: string): string | undefined;
  /** Takes a tree that came of it, and answers its id. */
  put(content: Uint8Array): Promise<string>;
}

/** Rewrites trees, each once. */
export class Trees {
  readonly #rewriting: Rewriting;
  readonly #done = new Map<string, string>();

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
  }

  /** The id of the tree with the other contents; the same where it has none of them. */
  async of(oid: string): Promise<string> {
    const done = this.#done.get(oid);
    if (done !== undefined) return done;
    const content = await this.#rewriting.read(oid);
    const changes = new Map<string, TreeRef>();
    for (const { name, mode, oid: old } of parseTree(content)) {
      if (isGitlink(mode)) continue;
      const now = isTree(mode) ? await this.of(old) : (this.#rewriting.blob(old) ?? old);
      if (now !== old) changes.set(name, { mode, oid: now });
    }
    const made = changes.size === 0 ? oid : await this.#rewriting.put(replaceEntries(content, changes));
    this.#done.set(oid, made);
    return made;
  }
}

const HEAD = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)/;
const ID = /\b[0-9a-f]{40}\b/g;

/** The content of a commit as the ids that it begins with, and the rest, one character a byte. */
export function takeApart(content: Uint8Array): { tree: string; parents: string[]; rest: string } {
  const text = latin1(content);
  const [head = '', tree = '', parents = ''] = HEAD.exec(text) ?? [];
  return { tree, parents: parents.match(ID) ?? [], rest: text.slice(head.length) };
}

/** Every full id that the rest of a commit names. */
export function idsIn(rest: string): string[] {
  return rest.match(ID) ?? [];
}

/** The content of a commit, with the ids that `id` answers in the places of those that it names. */
export function putTogether(
  { tree, parents, rest }: ReturnType<typeof takeApart>,
  id: (old: string) => string | undefined,
): Uint8Array {
  const other = (oid: string): string => id(oid) ?? oid;
  const head = [`tree ${tree}\n`, ...parents.map(parent => `parent ${other(parent)}\n`)].join('');
  return fromLatin1(head + rest.replace(ID, other));
}

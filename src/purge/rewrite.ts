/**
 * Rewrites the commits of the histories: each content that holds the text gives way to one without it, and every id that
 * changes by that is put in the place of the old one, wherever a tree or a commit names it. Nothing is written here.
 */

import { fromLatin1, latin1, sameBytes } from '../bytes.ts';
import type { EncodedObject, ObjectType } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { isGitlink, isTree, parseTree, replaceEntries, type TreeRef } from '../git/objects/tree-entries.ts';
import type { Purged } from '../history/purged.ts';
import { readEntryOrNull } from '../history/walk.ts';
import { lazy } from '../lazy.ts';
import { childrenOf, type Tracer } from './tracer.ts';
import { isPurgedFrom, type Markers, pathLines, type WantedText } from './wanted.ts';

/** A text that is to go, or a path of which all goes that it ever held. */
export interface What {
  text: WantedText | null;
  /** As the trail records it; a folder stands for the files in it. */
  path: string | null;
}

export interface Rewritten {
  /** The new id of each commit that was rewritten, by the old one, oldest first. */
  commits: Map<string, string>;
  /** The new id of the content of a file. */
  blobs: Map<string, string>;
  /** The files that the text was in, as the trail records them. */
  paths: Set<string>;
}

export class Rewriter {
  readonly #objects: ObjectDatabase;
  readonly #tracer: Tracer;
  readonly #what: What;
  readonly #known: Purged;
  readonly #withoutLines: ReturnType<typeof pathLines>;
  /** The marker of a text, which has a number of its own. */
  readonly #marker: () => string;
  /** By its old id, the tree with the new contents. */
  readonly #trees = new Map<string, string>();
  readonly done: Rewritten = { commits: new Map(), blobs: new Map(), paths: new Set() };
  /** The objects that are new. */
  readonly made: Map<string, EncodedObject> = new Map();

  constructor(objects: ObjectDatabase, tracer: Tracer, what: What, known: Purged, markers: Markers) {
    this.#objects = objects;
    this.#tracer = tracer;
    this.#what = what;
    this.#known = known;
    this.#withoutLines = pathLines(markers);
    this.#marker = lazy(() => markers.next());
  }

  /** Keeps a new object. Returns its id. */
  async put(type: ObjectType, content: Uint8Array): Promise<string> {
    const object = await this.#objects.codec.encode(type, content);
    this.made.set(object.oid, object);
    this.#objects.remember(object);
    return object.oid;
  }

  /** Rewrites all that holds the text. `own`: the commits that may be rewritten, parents first. */
  async rewrite(own: readonly string[]): Promise<void> {
    for (const oid of await this.#contents(own)) await this.#rewriteBlob(oid);
    const order = await this.#namedFirst(own);
    for (const oid of order) await this.#rewriteCommit(oid);
  }

  /** Finds the contents of files that hold it, in the trees of these commits. */
  async #contents(own: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const seen = new Set<string>();
    for (const oid of own) {
      const { tree } = takeApart((await this.#objects.read(oid, 'commit')).content);
      for (const one of await this.#tracer.waysFrom(tree, seen))
        if (this.#tracer.holding.has(one)) found.add(one);
    }
    return found;
  }

  async #rewriteBlob(oid: string): Promise<void> {
    const { type, content } = await this.#objects.read(oid);
    const { blobs } = this.done;
    if (type !== 'blob' || blobs.has(oid)) return;
    const known = this.#known.blobs.get(oid);
    const there = known === undefined ? null : await this.#objects.readOrNull(known);
    if (there && isPurgedFrom(there.content, content)) blobs.set(oid, known!);
    else {
      const now = this.#replaced(content);
      if (now) blobs.set(oid, await this.put('blob', now));
    }
  }

  #replaced(content: Uint8Array): Uint8Array | null {
    const { text } = this.#what;
    return text ? text.replaced(content, this.#marker()) : this.#withoutLines(content);
  }

  /** Sorts commits so that each comes after those that it names, too: those that it takes back, and the like. */
  async #namedFirst(own: readonly string[]): Promise<string[]> {
    const all = new Set(own);
    const order = new Set<string>();
    const named = async (oid: string): Promise<string[]> => {
      const { parents, rest } = takeApart((await this.#objects.read(oid, 'commit')).content);
      return [...parents, ...idsIn(rest)].filter(one => all.has(one) && !order.has(one));
    };
    for (const start of own) {
      const open: Array<{ oid: string; left: string[] | null }> = [{ oid: start, left: null }];
      for (let last = open.at(-1); last; last = open.at(-1)) {
        if (order.has(last.oid)) open.pop();
        else {
          last.left ??= await named(last.oid);
          const next = last.left.pop();
          if (next === undefined) order.add(open.pop()!.oid);
          else if (next !== last.oid && !order.has(next)) open.push({ oid: next, left: null });
        }
      }
    }
    return [...order];
  }

  async #rewriteCommit(oid: string): Promise<void> {
    const { commits } = this.done;
    const { content } = await this.#objects.read(oid, 'commit');
    const old = takeApart(content);
    const tree = (await this.#tracer.leads(old.tree)) ? await this.#treeOf(old.tree) : old.tree;
    const id = (one: string): string | undefined => commits.get(one);
    const plain = putTogether({ ...old, tree }, id);
    if (tree !== old.tree) await this.#notePaths(oid, old.tree);
    if (await this.#isKnown(oid, plain)) {
      commits.set(oid, this.#known.commits.get(oid)!);
      return;
    }
    const { text } = this.#what;
    const rest = text?.isIn(fromLatin1(old.rest)) ? withoutText(old.rest, text, this.#marker()) : old.rest;
    const now = rest === old.rest ? plain : putTogether({ ...old, tree, rest }, id);
    if (!sameBytes(now, content)) commits.set(oid, await this.put('commit', now));
  }

  /** The id of a tree with the new contents; the same where it has none of them. */
  async #treeOf(oid: string): Promise<string> {
    const known = this.#trees.get(oid);
    if (known !== undefined) return known;
    const { content } = await this.#objects.read(oid, 'tree');
    const changes = new Map<string, TreeRef>();
    for (const { name, mode, oid: old } of parseTree(content)) {
      if (isGitlink(mode)) continue;
      const now = isTree(mode) ? await this.#treeOf(old) : (this.done.blobs.get(old) ?? old);
      if (now !== old) changes.set(name, { mode, oid: now });
    }
    const made = changes.size === 0 ? oid : await this.put('tree', replaceEntries(content, changes));
    this.#trees.set(oid, made);
    return made;
  }

  /** True where a purge that was interrupted made a commit of it that says nothing else than this one will. */
  async #isKnown(oid: string, plain: Uint8Array): Promise<boolean> {
    const known = this.#known.commits.get(oid);
    const there = known === undefined ? null : await this.#objects.readOrNull(known);
    if (there?.type !== 'commit') return false;
    return sameBytes(there.content, plain) || isPurgedFrom(there.content, plain);
  }

  async #notePaths(commit: string, tree: string): Promise<void> {
    const paths = (await readEntryOrNull(this.#objects, commit))?.meta?.paths ?? [];
    for (const path of paths) {
      const at = this.done.paths.has(path) ? null : await lookup(this.#objects, tree, path);
      if (at && this.done.blobs.has(at.oid)) this.done.paths.add(path);
    }
  }
}

const NAMES = /^(Vedit-(?:Path|Claims|Bytes): .*)$/m;

/** The names of files stay in trees, so that they stay in the trailers that say them, too. */
function withoutText(rest: string, text: WantedText, marker: string): string {
  const at = rest.lastIndexOf('\n\n');
  const parts = rest.slice(at).split(NAMES);
  if (parts.length === 1) return text.replacedText(rest, marker);
  const replaced = parts.map((part, i) => (i % 2 === 1 ? part : text.replacedText(part, marker)));
  return text.replacedText(rest.slice(0, at), marker) + replaced.join('');
}

/**
 * Lists the commits of the engine's refs that are rewritten where they have to be, parents first. What `others` lead to stays
 * what it is, unless the branch is the trail (`withOthers`): then what people committed on it is rewritten, too.
 */
export async function ownCommits(
  objects: ObjectDatabase,
  tips: readonly string[],
  { others, withOthers }: { others: readonly string[]; withOthers: boolean },
): Promise<string[]> {
  const reached = lazy(() => commitsBelow(objects, others));
  const order: string[] = [];
  const seen = new Set<string>();
  const open = tips.toReversed().map(oid => ({ oid, isDone: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { oid } = next;
    if (next.isDone) order.push(oid);
    if (next.isDone || seen.has(oid)) continue;
    seen.add(oid);
    const entry = await readEntryOrNull(objects, oid);
    // A person's commit that a branch has stays what it is, and so does all below it.
    if (!entry || (!entry.meta && !withOthers && (await reached()).has(oid))) continue;
    open.push({ oid, isDone: true });
    for (const parent of entry.parents.toReversed()) open.push({ oid: parent, isDone: false });
  }
  return order;
}

/** Returns every commit that these objects lead to. */
async function commitsBelow(objects: ObjectDatabase, from: readonly string[]): Promise<Set<string>> {
  const reached = new Set<string>();
  const open = [...from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (reached.has(oid)) continue;
    reached.add(oid);
    const info = await objects.commitInfo(oid).catch(() => null);
    const object = info ? null : await objects.readOrNull(oid).catch(() => null);
    open.push(...(info?.parents ?? (object?.type === 'tag' ? childrenOf(object) : [])));
  }
  return reached;
}

const HEAD = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)/;
const ID = /\b[0-9a-f]{40}\b/g;

/** The content of a commit as the ids that it begins with, and the rest, one character a byte. */
function takeApart(content: Uint8Array): { tree: string; parents: string[]; rest: string } {
  const text = latin1(content);
  const [head = '', tree = '', parents = ''] = HEAD.exec(text) ?? [];
  return { tree, parents: parents.match(ID) ?? [], rest: text.slice(head.length) };
}

/** Every full id that the rest of a commit names. */
function idsIn(rest: string): string[] {
  return rest.match(ID) ?? [];
}

/** The content of a commit, with the ids that `id` answers in the places of those that it names. */
function putTogether(
  { tree, parents, rest }: ReturnType<typeof takeApart>,
  id: (old: string) => string | undefined,
): Uint8Array {
  const other = (oid: string): string => id(oid) ?? oid;
  const head = [`tree ${tree}\n`, ...parents.map(parent => `parent ${other(parent)}\n`)].join('');
  return fromLatin1(head + rest.replace(ID, other));
}

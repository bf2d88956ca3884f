/** Plans a purge: reads what the histories hold, rewrites it in memory, and makes a tombstone for each trail. */

import { latin1 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import { committer, personsIdentity } from '../engine/identity.ts';
import { encodeCommit } from '../git/objects/commit.ts';
import { EMPTY_TREE, type EncodedObject } from '../git/objects/object.ts';
import { lookup } from '../git/objects/tree.ts';
import { isTree, parseTree } from '../git/objects/tree-entries.ts';
import { formatMessage } from '../trail/message.ts';
import {
  formatTombstone,
  newTombstone,
  PURGED_TEXTS,
  type Purged,
  readPurged,
} from '../trail/purge/tombstone.ts';
import { readEntry, treeOf } from '../trail/walk.ts';
import { OwnCommits, Rewriter, type Rewritten, type What } from './rewrite.ts';
import { type OwnRef, otherRoots, ownRefs } from './roots.ts';
import { type Holds, Tracer } from './tracer.ts';
import { Markers } from './wanted.ts';

/** A ref that moves; `now: null`: it goes. */
export interface Move {
  ref: OwnRef;
  now: string | null;
  tombstone: string | null;
}

export interface Plan {
  own: readonly OwnRef[];
  moves: Move[];
  rewritten: Rewritten;
  /** All that has to be stored before a ref moves. */
  objects: EncodedObject[];
  tracer: Tracer;
  holds: Holds;
  /** The signed statement of each trail, by its ref, where it is signed again. */
  statements: Map<string, string>;
}

export async function planPurge(context: Context, what: What, reason: string): Promise<Plan> {
  const { objects, repo } = context;
  const known = await readPurged(repo, objects);
  const own = await ownRefs(context);
  const others = (await otherRoots(context, own, [])).filter(({ kind }) => kind !== 'index');
  const commits = new OwnCommits(
    objects,
    others.map(({ oid }) => oid),
    own.some(({ checkedOut }) => checkedOut),
  );
  for (const { oid, kind } of own) if (kind === 'trail' || kind === 'other') await commits.add(oid);
  const markers = new Markers();
  const holds = await holdsOf(context, what, known, commits.order, markers);
  const tracer = new Tracer(objects, holds);
  for (const { oid } of own) await tracer.leads(oid);
  for (const oid of known.blobs.values())
    markers.see((await objects.readOrNull(oid))?.content ?? new Uint8Array());
  const rewriter = new Rewriter(objects, tracer, what, known, markers);
  await rewriter.rewrite(commits.order);
  const { done: rewritten, made } = rewriter;
  const graves = new Graves(context, what, reason, rewritten, made);
  const moves: Move[] = [];
  for (const ref of own) moves.push(...(await moveOf(ref, tracer, graves)));
  return { own, moves, rewritten, objects: [...made.values()], tracer, holds, statements: new Map() };
}

async function moveOf(ref: OwnRef, tracer: Tracer, graves: Graves): Promise<Move[]> {
  if (ref.kind === 'mirror' || ref.kind === 'signed')
    return (await tracer.leads(ref.oid)) ? [{ ref, now: null, tombstone: null }] : [];
  const now = graves.present(ref.oid);
  if (now === null) return [];
  return [ref.kind === 'trail' ? await graves.dig(ref, now) : { ref, now, tombstone: null }];
}

/** Tells what holds the text, and sees on the way which markers there have been. */
async function holdsOf(
  context: Context,
  { text, path }: What,
  known: Purged,
  own: readonly string[],
  markers: Markers,
): Promise<Holds> {
  const targets =
    path === null ? new Set(text ? [] : known.blobs.keys()) : await versionsOf(context, path, own);
  return (oid, { type, content }) => {
    if (type === 'blob') markers.see(content);
    return text ? text.isIn(content) : targets.has(oid);
  };
}

/** Every content that the path, or a file below it, has in these commits; one of nothing but blanks is no text. */
async function versionsOf({ objects }: Context, path: string, own: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const commit of own) {
    const at = await lookup(objects, await treeOf(objects, commit), path);
    const open = at ? [at] : [];
    for (let next = open.pop(); next; next = open.pop()) {
      if (next.mode === '160000' || seen.has(next.oid)) continue;
      seen.add(next.oid);
      const { content } = await objects.read(next.oid);
      if (isTree(next.mode)) open.push(...parseTree(content));
      else if (latin1(content).replace(PURGED_TEXTS, '').trim() !== '') found.add(next.oid);
    }
  }
  return found;
}

/** Makes the commits that end the old history of each trail. */
class Graves {
  readonly #context: Context;
  readonly #what: What;
  readonly #reason: string;
  readonly #rewritten: Rewritten;
  readonly #made: Map<string, EncodedObject>;

  constructor(
    context: Context,
    what: What,
    reason: string,
    rewritten: Rewritten,
    made: Map<string, EncodedObject>,
  ) {
    this.#context = context;
    this.#what = what;
    this.#reason = reason;
    this.#rewritten = rewritten;
    this.#made = made;
  }

  /** The new id of a commit; `null`: it stays what it is. */
  present(oid: string): string | null {
    return this.#rewritten.commits.get(oid) ?? null;
  }

  /** Puts a tombstone onto the rewritten trail. */
  async dig(ref: OwnRef, now: string): Promise<Move> {
    const context = this.#context;
    const grave = newTombstone(ref.name);
    const own = await this.#ownOf(ref.oid);
    for (const [old, fresh] of this.#rewritten.commits) if (own.has(old)) grave.commits.set(old, fresh);
    for (const old of this.#rewritten.moved) if (own.has(old)) grave.moved.add(old);
    for (const old of this.#rewritten.words) if (own.has(old)) grave.words.add(old);
    for (const [old, fresh] of this.#rewritten.blobs) grave.blobs.set(old, fresh);
    await this.#put('tree', new Uint8Array());
    const tombstone = await this.#commit(EMPTY_TREE, [], formatTombstone(grave));
    const { tree, meta } = await readEntry(context.objects, now);
    const head = meta?.head;
    const about = {
      op: 'purge',
      paths: [],
      committer: context.identity.committer?.email,
      ...(head ? { head } : {}),
    };
    const message = formatMessage(this.#subject(), this.#reason, about);
    return { ref, now: await this.#commit(tree, [now, tombstone], message), tombstone };
  }

  #subject(): string {
    const { text, path } = this.#what;
    const name = path?.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
    return `purge ${name ?? (text ? 'a text' : 'what was purged elsewhere')}`.slice(0, 72).trim();
  }

  async #commit(tree: string, parents: string[], message: string): Promise<string> {
    const context = this.#context;
    const author = context.user ? personsIdentity(context, context.user) : committer(context);
    return this.#put(
      'commit',
      encodeCommit({ tree, parents, author, committer: committer(context), message }),
    );
  }

  async #put(type: 'commit' | 'tree', content: Uint8Array): Promise<string> {
    const object = await this.#context.codec.encode(type, content);
    this.#made.set(object.oid, object);
    this.#context.objects.remember(object);
    return object.oid;
  }

  /** The rewritten commits that a trail leads to. */
  async #ownOf(tip: string): Promise<Set<string>> {
    const found = new Set<string>();
    const open = [tip];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (found.has(oid) || !this.#rewritten.commits.has(oid)) continue;
      found.add(oid);
      open.push(...((await this.#context.objects.commitInfo(oid))?.parents ?? []));
    }
    return found;
  }
}

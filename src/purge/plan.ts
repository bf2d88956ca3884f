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
import { ownCommits, Rewriter, type Rewritten, type What } from './rewrite.ts';
import { type OwnRef, otherRoots, ownRefs } from './roots.ts';
import { type Holds, Tracer } from './tracer.ts';
import { Markers, type TextsPurged } from './wanted.ts';

/** A ref that moves, or with `now: null` is deleted. */
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
  const tips = own.filter(({ kind }) => kind === 'trail' || kind === 'other');
  const commits = await ownCommits(
    objects,
    tips.map(({ oid }) => oid),
    { others: others.map(({ oid }) => oid), withOthers: own.some(({ checkedOut }) => checkedOut) },
  );
  const markers = new Markers();
  const holds = await holdsOf(context, what, known, commits, markers);
  const tracer = new Tracer(objects, holds);
  for (const { oid } of own) await tracer.leads(oid);
  for (const oid of known.blobs.values())
    markers.see((await objects.readOrNull(oid))?.content ?? new Uint8Array());
  const blobs = await replacedBefore(context, known, tips, tracer);
  const rewriter = new Rewriter(objects, tracer, what, { ...known, blobs }, markers);
  await rewriter.rewrite(commits);
  const burial = { context, what, reason, rewriter };
  const moves: Move[] = [];
  for (const ref of own) moves.push(...(await moveOf(ref, tracer, burial)));
  const { done: rewritten, made } = rewriter;
  return { own, moves, rewritten, objects: [...made.values()], tracer, holds, statements: new Map() };
}

/**
 * Tells what took the place of a content before, and may do so again. What stands in a history that holds the text anew may not:
 * there it would be two contents, and nobody could tell later which of them.
 */
async function replacedBefore(
  { objects }: Context,
  { blobs }: Purged,
  tips: readonly OwnRef[],
  tracer: Tracer,
): Promise<Map<string, string>> {
  const left = new Map(blobs);
  const made = new Set(blobs.values());
  const standing = new Tracer(objects, oid => made.has(oid));
  for (const { oid } of made.size > 0 ? tips : []) if (await tracer.leads(oid)) await standing.leads(oid);
  for (const [old, now] of blobs) if (standing.holding.has(now)) left.delete(old);
  return left;
}

/** The parts of the commits that end the old history of each trail. */
interface Burial {
  context: Context;
  what: What;
  reason: string;
  rewriter: Rewriter;
}

async function moveOf(ref: OwnRef, tracer: Tracer, burial: Burial): Promise<Move[]> {
  if (ref.kind === 'mirror' || ref.kind === 'signed')
    return (await tracer.leads(ref.oid)) ? [{ ref, now: null, tombstone: null }] : [];
  const now = burial.rewriter.done.commits.get(ref.oid);
  if (now === undefined) return [];
  return [ref.kind === 'trail' ? await bury(ref, now, burial) : { ref, now, tombstone: null }];
}

/** Tells what holds the text, and sees on the way which markers there have been. */
async function holdsOf(
  context: Context,
  { text, path, elsewhere }: What,
  known: Purged,
  own: readonly string[],
  markers: Markers,
): Promise<Holds> {
  const targets =
    path === null ? new Set(text ? [] : known.blobs.keys()) : await versionsOf(context, path, own);
  for (const one of elsewhere ? await goneOnWith(context, elsewhere, known, own) : []) targets.add(one);
  return (oid, { type, content }) => {
    if (type === 'blob') markers.see(content);
    return text ? text.isIn(content) : targets.has(oid);
  };
}

/** Finds what was made here of a content that was purged elsewhere: versions of the same paths that hold its texts. */
async function goneOnWith(
  context: Context,
  elsewhere: TextsPurged,
  { blobs }: Purged,
  own: readonly string[],
): Promise<string[]> {
  const { objects } = context;
  const paths = new Set<string>();
  for (const commit of own) {
    const entry = await readEntry(objects, commit);
    for (const path of entry.meta?.paths ?? [])
      if (blobs.has((await lookup(objects, entry.tree, path))?.oid ?? '')) paths.add(path);
  }
  const found: string[] = [];
  for (const path of paths)
    for (const oid of await versionsOf(context, path, own))
      if (elsewhere.isIn((await objects.read(oid)).content)) found.push(oid);
  return found;
}

/** Finds every content that the path, or a file below it, has in these commits; one of nothing but blanks is no text. */
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

/** Puts a tombstone onto a rewritten trail, whose newest commit is `now`: it says which ids became which. */
async function bury(ref: OwnRef, now: string, burial: Burial): Promise<Move> {
  const { context, what, reason, rewriter } = burial;
  const grave = newTombstone(ref.name);
  const own = await rewrittenBelow(context, rewriter, ref.oid);
  const { commits, moved, words, blobs } = rewriter.done;
  for (const [old, fresh] of commits) if (own.has(old)) grave.commits.set(old, fresh);
  for (const old of moved) if (own.has(old)) grave.moved.add(old);
  for (const old of words) if (own.has(old)) grave.words.add(old);
  for (const [old, fresh] of blobs) grave.blobs.set(old, fresh);
  await rewriter.put('tree', new Uint8Array());
  const tombstone = await putCommit(burial, EMPTY_TREE, [], formatTombstone(grave));
  const { tree, meta } = await readEntry(context.objects, now);
  const head = meta?.head;
  const about = {
    op: 'purge',
    paths: [],
    committer: context.identity.committer?.email,
    ...(head ? { head } : {}),
  };
  const message = formatMessage(subjectOf(what), reason, about);
  return { ref, now: await putCommit(burial, tree, [now, tombstone], message), tombstone };
}

function subjectOf({ text, path }: What): string {
  const name = path?.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
  return `purge ${name ?? (text ? 'a text' : 'what was purged elsewhere')}`.slice(0, 72).trim();
}

function putCommit(
  { context, rewriter }: Burial,
  tree: string,
  parents: string[],
  message: string,
): Promise<string> {
  const author = context.user ? personsIdentity(context, context.user) : committer(context);
  const commit = encodeCommit({ tree, parents, author, committer: committer(context), message });
  return rewriter.put('commit', commit);
}

/** Finds the rewritten commits that a trail leads to. */
async function rewrittenBelow(
  { objects }: Context,
  { done: { commits } }: Rewriter,
  tip: string,
): Promise<Set<string>> {
  const found = new Set<string>();
  const open = [tip];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (found.has(oid) || !commits.has(oid)) continue;
    found.add(oid);
    open.push(...((await objects.commitInfo(oid))?.parents ?? []));
  }
  return found;
}

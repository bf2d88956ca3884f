/** Plans a purge: reads what the histories hold, rewrites it in memory, and makes the commit that says so for each trail. */

import { latin1 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import { committer, personsIdentity } from '../engine/identity.ts';
import { encodeCommit } from '../git/objects/commit.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import { lookup } from '../git/objects/tree.ts';
import { isTree, parseTree } from '../git/objects/tree-entries.ts';
import { formatMessage } from '../history/message.ts';
import { NOTHING_PURGED, PURGED_TEXTS, readPurged } from '../history/purged.ts';
import { readEntry, treeOf } from '../history/walk.ts';
import { ownCommits, Rewriter, type Rewritten, type What } from './rewrite.ts';
import { type OwnRef, otherRoots, ownRefs } from './roots.ts';
import { type Holds, Tracer } from './tracer.ts';
import { Markers } from './wanted.ts';

/** A ref that moves, or with `now: null` is deleted. */
export interface Move {
  ref: OwnRef;
  now: string | null;
}

export interface Plan {
  own: readonly OwnRef[];
  moves: Move[];
  rewritten: Rewritten;
  /** All that has to be stored before a ref moves. */
  objects: EncodedObject[];
  tracer: Tracer;
  /** The signed statement of each trail, by its ref, where it is signed again. */
  statements: Map<string, string>;
}

export async function planPurge(context: Context, what: What, reason: string): Promise<Plan> {
  const { objects } = context;
  const known = (await readPurged(context)) ?? NOTHING_PURGED;
  const own = await ownRefs(context);
  const others = (await otherRoots(context, own, [])).filter(({ kind }) => kind !== 'index');
  const tips = own.filter(({ kind }) => kind === 'trail' || kind === 'other');
  const commits = await ownCommits(
    objects,
    tips.map(({ oid }) => oid),
    { others: others.map(({ oid }) => oid), withOthers: own.some(({ checkedOut }) => checkedOut) },
  );
  const markers = new Markers();
  const holds = await holdsOf(context, what, commits, markers);
  const tracer = new Tracer(objects, holds);
  for (const { oid } of own) await tracer.leads(oid);
  for (const oid of known.blobs.values())
    markers.see((await objects.readOrNull(oid))?.content ?? new Uint8Array());
  const rewriter = new Rewriter(objects, tracer, what, known, markers);
  await rewriter.rewrite(commits);
  const told = { context, what, reason, rewriter };
  const moves: Move[] = [];
  for (const ref of own) moves.push(...(await moveOf(ref, tracer, told)));
  const { done: rewritten, made } = rewriter;
  return { own, moves, rewritten, objects: [...made.values()], tracer, statements: new Map() };
}

/** The parts of the commits that say on each trail that it was purged. */
interface Told {
  context: Context;
  what: What;
  reason: string;
  rewriter: Rewriter;
}

async function moveOf(ref: OwnRef, tracer: Tracer, told: Told): Promise<Move[]> {
  if (ref.kind === 'mirror' || ref.kind === 'signed')
    return (await tracer.leads(ref.oid)) ? [{ ref, now: null }] : [];
  const now = told.rewriter.done.commits.get(ref.oid);
  if (now === undefined) return [];
  return [{ ref, now: ref.kind === 'trail' ? await tellOf(now, told) : now }];
}

/** Tells what holds the text, and sees on the way which markers there have been. */
async function holdsOf(
  context: Context,
  { text, path }: What,
  own: readonly string[],
  markers: Markers,
): Promise<Holds> {
  const targets = path === null ? new Set() : await versionsOf(context, path, own);
  return (oid, { type, content }) => {
    if (type === 'blob') markers.see(content);
    return text ? text.isIn(content) : targets.has(oid);
  };
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

/** Puts a commit onto a rewritten trail, whose newest commit is `now`: who purged what, when and why. */
async function tellOf(now: string, { context, what, reason, rewriter }: Told): Promise<string> {
  const { tree, meta } = await readEntry(context.objects, now);
  const head = meta?.head;
  const committerEmail = context.identity.committer?.email;
  const about = { op: 'purge', paths: [], committer: committerEmail, ...(head ? { head } : {}) };
  const message = formatMessage(subjectOf(what), reason, about);
  const author = context.user ? personsIdentity(context, context.user) : committer(context);
  const commit = encodeCommit({ tree, parents: [now], author, committer: committer(context), message });
  return rewriter.put('commit', commit);
}

function subjectOf({ path }: What): string {
  const name = path?.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?') ?? 'a text';
  return `purge ${name}`.slice(0, 72).trim();
}

/**
 * What of the trail is not in a branch yet. An edit is in it when a commit of the branch says so (Vedit-Lands), when the
 * branch holds the trail's own commit, when it holds the edit's text, or when HEAD held the same at its paths the last
 * time that the trail looked.
 */

import { parseCommit } from '../../git/objects/commit.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { revList } from '../../git/rev-list.ts';
import { isMerge, isOutside, isSync } from '../../operations.ts';
import { type Declarable, landedIn } from '../landing/lands.ts';
import { keptUndone, type PendingEntry } from '../open-edits.ts';
import { readEntry, type TrailEntry, walkTrail } from '../walk.ts';
import { type EditState, EditStates } from './edit-states.ts';
import { markVoid } from './void-paths.ts';

export interface PendingQuery {
  /** The trail's newest commit, brought up to HEAD; `null` when it has not begun. */
  tip: string | null;
  /** True when the trail is the checked-out branch. */
  checkedOut: boolean;
  /** HEAD's commit. */
  head: string | null;
  /** The newest commit of the branch in question. */
  target: string | null;
  /** Look at all of the trail, also at what HEAD holds. */
  all?: boolean;
  /** The most commits of the trail to read; default: all. */
  limit?: number;
}

export interface Pending {
  /** Edits, what takes them back, and outside changes, oldest first; landed ones are among them, marked. */
  entries: PendingEntry[];
  /** Of them, with `all`, what is pending without it. */
  open: PendingEntry[];
  /** True when there were more commits to read than `limit`. */
  more: boolean;
}

export async function readPending(objects: ObjectDatabase, query: PendingQuery): Promise<Pending> {
  const walk = query.checkedOut ? notInTarget : notInHead;
  const walked: Walked[] = [];
  let more = false;
  for await (const one of walk(objects, query)) {
    more = walked.length === query.limit;
    if (!more) walked.push(one);
  }
  const states = await statesOf(objects, query, walked);
  const entries = await pendingEntries(objects, walked, states);
  if (walked.every(isAllOpen)) return { entries, open: entries, more };
  const open = await pendingEntries(objects, openOnes(walked), states);
  return { entries, open, more };
}

/** What became of each commit that was walked. */
async function statesOf(
  objects: ObjectDatabase,
  { checkedOut, tip, target }: PendingQuery,
  walked: readonly Walked[],
): Promise<EditState[]> {
  const pending = walked.filter(one => one.paths.length > 0);
  const exclude = checkedOut ? tip : (pending.at(-1)?.entry.meta?.head ?? null);
  const { rows, commits } = await landedIn(objects, pending.length > 0 ? target : null, exclude);
  const declared = (one: Declarable): string | null =>
    rows.note(one) ?? (commits.has(one.commit) ? one.commit : null);
  const states = new EditStates(objects, { declared, beside: checkedOut ? null : target });
  const found: EditState[] = [];
  for (const { entry } of walked) found.push(await states.of(entry));
  return found;
}

/** True for one that is the same without `all`. */
function isAllOpen({ paths, open }: Walked): boolean {
  return open !== null && open.length === paths.length;
}

/** As far as they were walked without `all`. */
function openOnes(walked: readonly Walked[]): Walked[] {
  const end = walked.findIndex(one => one.open === null);
  const some = end < 0 ? walked : walked.slice(0, end);
  return some.map(one => ({ ...one, paths: one.open! }));
}

/** `states`: of each that was walked, and of older ones. Oldest first. */
async function pendingEntries(
  objects: ObjectDatabase,
  walked: readonly Walked[],
  states: readonly EditState[],
): Promise<PendingEntry[]> {
  const entries: PendingEntry[] = [];
  const joined = walked.some(({ entry }) => entry.meta?.shared !== undefined)
    ? { joined: true as const }
    : {};
  let stretch = 0;
  for (const [at, { entry, paths }] of walked.entries()) {
    if (!namesAll(entry)) stretch++;
    if (paths.length > 0) entries.push({ ...pendingEntry(entry, paths, states[at]!, stretch), ...joined });
  }
  await markVoid(
    objects,
    entries.reverse(),
    walked.map(({ entry }) => entry),
  );
  const kept = keptUndone(entries);
  return kept.size === 0
    ? entries
    : entries.map(one => (kept.has(one.entry.commit) ? { ...one, undone: false } : one));
}

/** Of a merge of hosts that share the trail none: the edits that came in with it are walked too. */
function ownPaths({ meta }: TrailEntry): readonly string[] {
  return meta === null || meta.shared !== undefined ? [] : meta.paths;
}

/** True for a commit that names every path that it changes. */
function namesAll({ meta, parents }: TrailEntry): boolean {
  if (meta === null || meta.shared !== undefined) return false;
  return !isSync(meta.op) && (parents.length < 2 || isOutside(meta.op) || isMerge(meta.op));
}

/** One for very many entries. */
const NONE: ReadonlySet<string> = new Set();

function pendingEntry(
  entry: TrailEntry,
  open: readonly string[],
  state: EditState,
  stretch: number,
): PendingEntry {
  const paths = open.filter(path => !state.held.get(path)?.whole);
  const held = state.held.size === 0 ? NONE : new Set(paths.filter(path => state.held.has(path)));
  return {
    entry,
    paths,
    held,
    void: NONE,
    undone: state.undone,
    landed: paths.length === 0 || state.declared,
    stretch,
  };
}

interface Walked {
  entry: TrailEntry;
  /** With `all` every path that it names; else those that HEAD does not hold as the trail does. */
  paths: readonly string[];
  /** Those that HEAD does not hold; `null` below all of these. */
  open: readonly string[] | null;
}

/** Beside the branch, newest first: what is below a join with HEAD is open only where the join differs from HEAD. */
async function* notInHead(objects: ObjectDatabase, query: PendingQuery): AsyncGenerator<Walked> {
  const { tip, target, head, all = false, limit } = query;
  const differs = !tip || !head ? null : await differing(objects, head, (await readEntry(objects, tip)).tree);
  const lines = new OpenLines(tip, differs);
  const most = limit === undefined ? {} : { limit: limit + 1 };
  let isOver = false;
  for await (const entry of walkTrail(objects, tip, { ownOnly: true, joined: 'shared', ...most })) {
    if (entry.commit === target) return;
    isOver ||= entry.commit === head;
    const holds: ReadonlySet<string> | null = isOver ? null : await lines.openAt(objects, entry);
    isOver ||= holds?.size === 0 && lines.isOver;
    if (isOver && !all) return;
    const paths = ownPaths(entry);
    const open = isOver ? null : paths.filter(path => holds === null || holds.has(path));
    yield { entry, paths: all ? paths : open!, open };
  }
}

/** Which paths are open at a commit: none that a join with HEAD above it, on any line, found to be as HEAD has them. */
class OpenLines {
  /** Of commits that are still to come; `null`: all paths. */
  readonly #below = new Map<string, ReadonlySet<string> | null>();

  constructor(tip: string | null, open: ReadonlySet<string> | null) {
    if (tip !== null) this.#below.set(tip, open);
  }

  /** True when nothing that is still to come is open. */
  get isOver(): boolean {
    return [...this.#below.values()].every(open => open?.size === 0);
  }

  /** At the next commit of the walk; `null`: all. */
  async openAt(objects: ObjectDatabase, entry: TrailEntry): Promise<ReadonlySet<string> | null> {
    let open = this.#below.get(entry.commit) ?? null;
    this.#below.delete(entry.commit);
    const [own, joined] = entry.parents;
    const { op, shared } = entry.meta!;
    if (isSync(op) && joined) {
      const kept = await differing(objects, joined, entry.tree);
      open = open === null ? kept : intersection(kept, open);
    }
    for (const parent of shared === undefined ? [own] : entry.parents)
      if (parent !== undefined) this.#pass(parent, open);
    return open;
  }

  #pass(parent: string, open: ReadonlySet<string> | null): void {
    const known = this.#below.get(parent);
    this.#below.set(parent, known && open ? intersection(known, open) : (known ?? open));
  }
}

async function differing(
  objects: ObjectDatabase,
  commit: string,
  tree: string,
): Promise<ReadonlySet<string>> {
  const other = parseCommit((await objects.read(commit)).content).tree;
  return new Set((await diffTrees(objects, other, tree)).map(change => change.path));
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter(one => b.has(one)));
}

/** On the checked-out branch, newest first: the engine's commits that another branch does not have. */
async function* notInTarget(objects: ObjectDatabase, query: PendingQuery): AsyncGenerator<Walked> {
  if (query.tip === null) return;
  const missing = await revList(objects, query.tip, query.target);
  for await (const entry of walkTrail(objects, query.tip, { ownOnly: false, joined: 'shared' })) {
    if (!missing.has(entry.commit)) return;
    const paths = ownPaths(entry);
    yield { entry, paths, open: paths };
  }
}

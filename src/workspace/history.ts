/** The trail for readers: log, show, diff. */

import { EditError } from '../errors.ts';
import { diffTrees } from '../git/tree-diff.ts';
import { readTrail, type TrailHead } from '../trail/head.ts';
import { UndoState } from '../trail/undo.ts';
import { readEntry, type TrailEntry, walkTrail } from '../trail/walk.ts';
import type { Answer } from './answer.ts';
import { type Context, fromTrail, toTrail } from './context.ts';
import { type Delta, deltaOf } from './deltas.ts';
import { entryDeltas } from './repeated.ts';
import { findCommit } from './revision.ts';
import { recordedFile } from './snapshot.ts';

/** One commit of the trail as programs read it. */
export interface LogEntry {
  commit: string;
  parents: string[];
  /** ISO 8601, UTC. */
  time: string;
  author: string;
  subject: string;
  reason: string;
  /** The edit's name; `null` for a commit that the engine did not make. */
  op: string | null;
  paths: string[];
  session: string | null;
  agent: string | null;
  model: string | null;
  edit_id: string | null;
  base: string | null;
  /** True when a later commit took this edit back. */
  undone: boolean;
  undoes: string[];
  redoes: string[];
  restores: string | null;
}

export interface LogOptions {
  path?: string | undefined;
  session?: string | undefined;
  agent?: string | undefined;
  op?: string | undefined;
  /** Only commits since this time. */
  since?: Date | undefined;
  /** The most entries. */
  limit?: number | undefined;
}

/** The trail, newest first. Nothing is read beyond the last entry that is asked for. */
export async function* logEntries(context: Context, options: LogOptions = {}): AsyncGenerator<LogEntry> {
  const trail = await readTrail(context.repo, context.objects, context.trailName);
  const state = new UndoState();
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const entry of walkTrail(context.objects, trail.oid, { ownOnly: !trail.checkedOut })) {
    state.note(entry);
    if (options.since && entry.time * 1000 < options.since.getTime()) return;
    if (!(await fits(context, entry, options))) continue;
    yield logEntry(entry, state.isUndone(entry.commit));
    if (--left <= 0) return;
  }
}

async function fits(context: Context, entry: TrailEntry, options: LogOptions): Promise<boolean> {
  const { meta } = entry;
  if (options.session !== undefined && meta?.session !== options.session) return false;
  if (options.agent !== undefined && meta?.agent !== options.agent) return false;
  if (options.op !== undefined && meta?.op !== options.op) return false;
  return (
    options.path === undefined || touches(context, entry, toTrail(context, options.path.replace(/\/$/, '')))
  );
}

async function touches(context: Context, entry: TrailEntry, path: string): Promise<boolean> {
  const isOn = (one: string): boolean => one === path || one.startsWith(`${path}/`);
  if (entry.meta) return entry.meta.paths.some(isOn);
  const parent = entry.parents[0] ? (await readEntry(context.objects, entry.parents[0])).tree : null;
  return (await diffTrees(context.objects, parent, entry.tree)).some(change => isOn(change.path));
}

function logEntry(entry: TrailEntry, undone: boolean): LogEntry {
  const { commit, parents, subject, reason, meta } = entry;
  return {
    commit,
    parents,
    time: new Date(entry.time * 1000).toISOString(),
    author: entry.author.name,
    subject,
    reason,
    op: meta?.op ?? null,
    paths: [...(meta?.paths ?? [])],
    session: meta?.session ?? null,
    agent: meta?.agent ?? null,
    model: meta?.model ?? null,
    edit_id: meta?.editId ?? null,
    base: meta?.base ?? null,
    undone,
    undoes: [...(meta?.undoes ?? [])],
    redoes: [...(meta?.redoes ?? [])],
    restores: meta?.restores ?? null,
  };
}

/** The log as one answer. */
export async function log(context: Context, options: LogOptions): Promise<Answer> {
  const entries: LogEntry[] = [];
  for await (const entry of logEntries(context, options)) entries.push(entry);
  const lines = entries.map(entry => {
    const who = entry.agent ?? entry.session ?? entry.author;
    return `${entry.commit.slice(0, 12)} ${entry.time.slice(0, 19)}Z ${who}: ${entry.subject}${entry.undone ? ' [undone]' : ''}`;
  });
  return { message: lines.join('\n') || 'The trail is empty.', data: { entries } };
}

/** One commit: what the log says of it, and its diff. */
export async function show(context: Context, spec: string): Promise<Answer> {
  const trail = await readTrail(context.repo, context.objects, context.trailName);
  const commit = await findCommit(context, trail, spec);
  const entry = await readEntry(context.objects, commit);
  const deltas = entry.meta ? await entryDeltas(context, entry) : await parentDeltas(context, entry);
  const data = {
    ...logEntry(entry, await isUndone(context, trail, commit)),
    diff: deltas.map(delta => delta.diff).join(''),
  };
  const reason = entry.reason ? `\n\n${entry.reason}` : '';
  return {
    message: `${commit}\n${data.time} ${data.agent ?? data.author}\n${entry.subject}${reason}\n\n${data.diff}`,
    data,
  };
}

async function isUndone(context: Context, trail: TrailHead, commit: string): Promise<boolean> {
  const state = new UndoState();
  for await (const entry of walkTrail(context.objects, trail.oid, { ownOnly: !trail.checkedOut })) {
    state.note(entry);
    if (entry.commit === commit) return state.isUndone(commit);
  }
  return false;
}

async function parentDeltas(context: Context, entry: TrailEntry): Promise<Delta[]> {
  const parent = entry.parents[0] ? (await readEntry(context.objects, entry.parents[0])).tree : null;
  return treeDeltas(context, parent, entry.tree);
}

export interface DiffOptions {
  /** Commits, as findCommit takes them. */
  from?: string | undefined;
  to?: string | undefined;
  path?: string | undefined;
}

/**
 * The difference between two points of history. Without `from`, what the agents did beside the branch (or, on a
 * checked-out trail, the last commit); without `to`, the trail's head.
 */
export async function diff(context: Context, options: DiffOptions): Promise<Answer> {
  const trail = await readTrail(context.repo, context.objects, context.trailName);
  const to = options.to === undefined ? trail.parent : await findCommit(context, trail, options.to);
  const from =
    options.from === undefined
      ? await defaultFrom(context, trail)
      : await findCommit(context, trail, options.from);
  const trees = [from, to].map(async oid => (oid ? (await readEntry(context.objects, oid)).tree : null));
  const [a, b] = await Promise.all(trees);
  const deltas = await treeDeltas(context, a ?? null, b ?? null, options.path);
  const text = deltas.map(delta => delta.diff).join('');
  const stats = deltas.map(({ path, kind, added, removed }) => ({ path, kind, added, removed }));
  return { message: text || 'No difference.', data: { from, to, diff: text, paths: stats } };
}

async function defaultFrom(context: Context, trail: TrailHead): Promise<string | null> {
  if (!trail.checkedOut) return trail.seen;
  return trail.parent ? ((await readEntry(context.objects, trail.parent)).parents[0] ?? null) : null;
}

async function treeDeltas(
  context: Context,
  a: string | null,
  b: string | null,
  only?: string,
): Promise<Delta[]> {
  const deltas: Delta[] = [];
  for (const change of await diffTrees(context.objects, a, b)) {
    const path = fromTrail(context, change.path);
    if (path === null || (only !== undefined && path !== only && !path.startsWith(`${only}/`))) continue;
    const [before, after] = await Promise.all(
      [change.before, change.after].map(ref =>
        ref?.mode.startsWith('100') ? recordedFile(context, path, ref) : null,
      ),
    );
    if (before || after) deltas.push(deltaOf(path, null, before ?? null, after ?? null));
  }
  return deltas;
}

/** Throws INVALID_INPUT for a time that is none. */
export function parseSince(text: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new EditError(
    'INVALID_INPUT',
    `${JSON.stringify(text.slice(0, 60))} is no time. Give one such as 2026-11-20 or 2026-11-20T15:00Z.`,
    { field: 'since' },
  );
}

/** Tells a reader of one commit, ref or refusal. */

import type { RefusalRecord } from '../engine/change/refusals.ts';
import type { Context } from '../engine/context.ts';
import { logEntry } from '../engine/log-entry.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { isAgents } from '../history/editors.ts';
import { type TrailEntry, treeOf } from '../history/walk.ts';
import { isHead, isOutside, isUndo } from '../operations.ts';
import { kindOf } from './new-commits.ts';

/**
 * `edit`: an edit or a way back but undo. `undo`. `outside`: a recorded outside change. `head`: a commit that brings HEAD to the history.
 * `review`: what somebody accepted or rejected, or took back of that. `land`: a commit of a branch that holds edits. `commit`: any other commit of a followed branch.
 * `deleted`, `rewound`: a ref that is gone, or no longer has the commits that were told (amend, reset, rebase).
 * `refusal`: a call that was refused, where refusals are kept. `following`: the first event of a reader who follows.
 */
export type TrailEventKind =
  | 'edit'
  | 'undo'
  | 'outside'
  | 'head'
  | 'review'
  | 'land'
  | 'commit'
  | 'deleted'
  | 'rewound'
  | 'refusal'
  | 'following';

/** One thing that happened on a trail, whichever process did it. */
export interface TrailEvent {
  /** Given as `since`, goes on after this event. */
  cursor: string;
  kind: TrailEventKind;
  /** True for what is in the repository: told exactly once. False for what is told where it can be. */
  durable: boolean;
  /** ISO 8601, UTC: when the commit was made, or when the reader noticed. */
  time: string;
  /** The full name of the ref; null for what is of none. */
  ref: string | null;
  /** The ref as git shortens it: `vedit/main`, `main`. */
  trail: string | null;
  /** The commit; of a ref that was deleted or rewound the one that it was left at. */
  commit: string | null;
  /** The edit's name; null for a commit that the engine did not make. */
  op: string | null;
  subject: string;
  reason: string;
  session: string | null;
  agent: string | null;
  model: string | null;
  subagent: string | null;
  /** The id of what the agent did for one prompt. */
  turn: string | null;
  /** The author, where it is not an agent. */
  person: string | null;
  /** The paths that it changes, at most 1,000. */
  paths: string[];
  /** The code of a refusal. */
  code?: string;
}

/** All but the cursor, which the reader knows. */
export type EventFacts = Omit<TrailEvent, 'cursor'>;

const MOST_PATHS = 1_000;

/** Returns what is told of a commit of the ref; `null` for one of a branch that is nobody's news. */
export async function commitEvent(
  context: Context,
  entry: TrailEntry,
  { ref, isMainline }: { ref: string; isMainline: boolean },
): Promise<EventFacts | null> {
  const { meta } = entry;
  if (!meta && !entry.lands && !isMainline) return null;
  const { time, commit, subject, reason, session, agent, model, subagent, turn } = logEntry(entry);
  return {
    kind: kindOfCommit(entry, ref),
    ...{ durable: true, time, ref, trail: shortened(ref), commit, op: opOf(entry), subject, reason },
    ...{ session, agent, model, subagent, turn },
    person: isAgents(entry) ? null : entry.author.name,
    paths: meta ? meta.paths.slice(0, MOST_PATHS) : await pathsOf(context, entry),
  };
}

/** A rejection is recorded as what a person did by hand. */
function opOf({ meta }: TrailEntry): string | null {
  if (meta?.rejects) return 'reject';
  return meta?.unrejects === undefined ? (meta?.op ?? null) : 'unreject';
}

function kindOfCommit({ meta, lands }: TrailEntry, ref: string): TrailEventKind {
  if (kindOf(ref) === 'review' || meta?.rejects || meta?.unrejects) return 'review';
  if (!meta) return lands ? 'land' : 'commit';
  if (isOutside(meta.op)) return 'outside';
  if (isUndo(meta.op)) return 'undo';
  return isHead(meta.op) ? 'head' : 'edit';
}

/** Returns the paths of a person's commit, against its first parent. What a shallow clone does not have is not told. */
async function pathsOf({ objects }: Context, { parents: [parent], tree }: TrailEntry): Promise<string[]> {
  const before = parent && (await objects.commitInfo(parent)) ? await treeOf(objects, parent) : null;
  if (parent && before === null) return [];
  return (await diffTrees(objects, before, tree)).slice(0, MOST_PATHS).map(({ path }) => path);
}

/** Tells of a ref that was at this commit. */
export function refEvent(
  kind: 'deleted' | 'rewound',
  ref: string,
  commit: string | null,
  time: Date,
): EventFacts {
  const words = kind === 'deleted' ? 'was deleted' : 'no longer has commits that it had';
  const trail = shortened(ref);
  return { ...nothing(kind, time), durable: true, ref, trail, commit, subject: `${trail} ${words}` };
}

export function followingEvent(time: Date): EventFacts {
  return { ...nothing('following', time), subject: 'follows from here' };
}

export function refusalEvent(record: RefusalRecord): EventFacts {
  const { op, code, message, path, session, agent, model } = record;
  const about = { op, code, session, agent, model, subject: message };
  return { ...nothing('refusal', new Date(record.time)), ...about, paths: path === null ? [] : [path] };
}

function nothing(kind: TrailEventKind, time: Date): EventFacts {
  return {
    kind,
    durable: false,
    time: time.toISOString(),
    ref: null,
    trail: null,
    commit: null,
    op: null,
    subject: '',
    reason: '',
    session: null,
    agent: null,
    model: null,
    subagent: null,
    turn: null,
    person: null,
    paths: [],
  };
}

function shortened(ref: string): string {
  return ref.replace(/^refs\/(heads\/)?/, '');
}

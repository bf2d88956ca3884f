/** A commit of the trail as readers are told of it. */

import type { TrailEntry } from '../history/walk.ts';
import type { EditStatus } from '../line/standing.ts';
import type { FileStat } from './diff-words.ts';
import type { Comment } from './rejections/comments.ts';
import { OPEN } from './status/status-words.ts';

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
  /** The name that the agent's client gives itself, where that is not the agent's name. */
  client: string | null;
  subagent: string | null;
  /** The id of what the agent did for one prompt. */
  turn: string | null;
  edit_id: string | null;
  call_id: string | null;
  base: string | null;
  /** On a trail beside the branch: HEAD's commit when this one was made. */
  head: string | null;
  /** The certainty of who made a recorded change from outside; see Vedit-Certain. */
  certain: string | null;
  /** The status of the edit or way back; open for any other commit. */
  status: EditStatus;
  undoes: string[];
  redoes: string[];
  restores: string | null;
  /** The comments of people on the edit, with the agents' replies; absent where there are none. */
  comments?: Comment[];
  /** The changes in each file, when they were asked for; none for a commit that joins two histories. */
  stats?: FileStat[];
  /** The diffs of these files as one text, when it was asked for. */
  diff?: string;
}

/** True for a commit that brings two histories together, of which git shows no changes either. */
export function joins({ parents }: Pick<LogEntry, 'parents'>): boolean {
  return parents.length > 1;
}

/** A rejection is recorded as a change from outside; readers are told what it is. */
function opOf({ meta }: TrailEntry): string | null {
  if (meta?.rejects !== undefined) return 'reject';
  return meta?.unrejects === undefined ? (meta?.op ?? null) : 'unreject';
}

/** Makes the entry of a commit; without its status, as that of an open edit. */
export function logEntry(
  entry: TrailEntry,
  status: EditStatus = OPEN,
  comments: readonly Comment[] = [],
): LogEntry {
  const { commit, parents, subject, reason, meta } = entry;
  const said = comments.filter(({ edits }) => edits.includes(commit));
  return {
    commit,
    parents,
    time: new Date(entry.time * 1000).toISOString(),
    author: entry.author.name,
    subject,
    reason,
    op: opOf(entry),
    paths: [...(meta?.paths ?? [])],
    session: meta?.session ?? null,
    agent: meta?.agent ?? null,
    model: meta?.model ?? null,
    client: meta?.client ?? null,
    subagent: meta?.subagent ?? null,
    turn: meta?.turn ?? null,
    edit_id: meta?.editId ?? null,
    call_id: meta?.call ?? null,
    base: meta?.base ?? null,
    head: meta?.head ?? null,
    certain: meta?.certain ?? null,
    status,
    undoes: [...(meta?.undoes ?? [])],
    redoes: [...(meta?.redoes ?? [])],
    restores: meta?.restores ?? null,
    ...(said.length > 0 ? { comments: said } : {}),
  };
}

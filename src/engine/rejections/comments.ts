/**
 * Comments of people to agents: words about lines, which take nothing out. Each is a commit on one ref beside the reviews of a
 * history, and so is an agent's reply to it. Neither says anything of what is accepted.
 *
 *     Vedit-Op: comment                       Vedit-Op: reply
 *     Vedit-Path: src/a.ts                    Vedit-Path: src/a.ts
 *     Vedit-Base: <commit of the lines>       Vedit-Session: 7f3a
 *     Vedit-Lines: 40-44                      Vedit-Replies: <the comment>
 *     Vedit-Comments: <edit that it is about>
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { readRef } from '../../git/refs/refs.ts';
import type { Repository } from '../../git/repository/repository.ts';
import { readEntryOrNull, type TrailEntry } from '../../history/walk.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import { type Row, textAfter } from '../../line/row.ts';
import { type HunkLines, TextLines } from '../../line/text-lines.ts';
import { isComment, isRemark } from '../../operations.ts';

export type { HunkLines } from '../../line/text-lines.ts';

export interface CommentReply {
  commit: string;
  /** The agent, or the author where it has no name. */
  author: string;
  session: string | null;
  text: string;
  /** ISO 8601, UTC. */
  time: string;
}

/** A person's words about lines, with the agents' replies, the oldest first. */
export interface Comment {
  commit: string;
  author: string;
  text: string;
  /** ISO 8601, UTC. */
  time: string;
  /** As the history records it. */
  path: string;
  /** The commit that the lines are of, the newest one about the file; `null`: what was there before all of them. */
  base: string | null;
  /** `null`: the whole file. */
  lines: HunkLines | null;
  /** The edits that it is about. */
  edits: string[];
  replies: CommentReply[];
}

interface Home {
  repo: Repository;
  objects: ObjectDatabase;
}

const PREFIX = 'refs/vedit-review/@comments/';

/** The ref of the comments on a history. No reviewer's name has an `@` in refs. */
export function commentsRef(trail: string): string {
  return PREFIX + trail.replace(/^refs\//, '');
}

/** Reads the comments on a history, the oldest first. */
export async function readComments({ repo, objects }: Home, trail: string): Promise<Comment[]> {
  const found: Comment[] = [];
  const replies = new Map<string, CommentReply[]>();
  for (let next = await readRef(repo, commentsRef(trail)); next !== null; ) {
    const entry = await readEntryOrNull(objects, next);
    if (!entry || !isRemark(entry.meta?.op)) break;
    const own = replies.get(entry.meta?.replies ?? entry.commit) ?? [];
    if (isComment(entry.meta!.op)) found.unshift({ ...commentOf(entry), replies: own });
    else replies.set(entry.meta!.replies!, [replyOf(entry), ...own]);
    next = entry.parents[0] ?? null;
  }
  return found;
}

/** The comment that a commit is, without what was said to it. */
export function commentOf(entry: TrailEntry): Comment {
  const { commit, author: by, reason: text, meta } = entry;
  const [start_line, end_line] = (meta!.lines ?? '').split('-').map(Number);
  return {
    ...{ commit, author: by.name, text, time: timeOf(entry), path: meta!.paths[0]! },
    base: meta!.base ?? null,
    lines: end_line === undefined ? null : { start_line: start_line!, end_line },
    edits: [...(meta!.comments ?? [])],
    replies: [],
  };
}

function replyOf(entry: TrailEntry): CommentReply {
  const { commit, author: by, reason: text, meta } = entry;
  return { commit, author: by.name, session: meta!.session ?? null, text, time: timeOf(entry) };
}

const timeOf = ({ time }: TrailEntry): string => new Date(time * 1000).toISOString();

/** The rows that a comment is about, with what came in their place since; none where the history lacks its commit. */
export function commentedRows({ named }: LineFiles, { weave }: LineFile, { base, lines }: Comment): Row[] {
  const at = base === null ? -1 : named.get(base)?.at;
  if (at === undefined) return [];
  const rows = weave.rows();
  return lines ? new TextLines(rows, row => textAfter(row, at)).rowsAt(lines) : rows;
}

/** Says in a list that people commented on an edit: `commented by Ada`. */
export function commentWords({ comments = [] }: { comments?: readonly Comment[] }): string[] {
  const names = [...new Set(comments.map(({ author }) => author))];
  return names.length === 0 ? [] : [`commented by ${names.join(', ')}`];
}

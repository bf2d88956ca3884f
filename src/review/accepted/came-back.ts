/**
 * Rejected text that came back from outside. A person's text counts as accepted; this does not, until they say so: it is a
 * hunk of the review, and what the rejection left there is the accepted text.
 */

import { type Context, fromTrail } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { compare } from '../../engine/rejections/compare.ts';
import type { ReturnedText } from '../../engine/rejections/open-rejections.ts';
import type { Rejection } from '../../engine/rejections/rejection-book.ts';
import { type Side, withText } from '../../engine/rejections/side.ts';
import { EditStatuses } from '../../engine/status/edit-status.ts';
import { backWords } from '../../engine/status/status-words.ts';
import type { LineSpan } from '../../trail/history/rejected.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';

/** Lines of the present text, 0-based, and those that stood there instead. */
export interface CameBack {
  span: LineSpan;
  instead: readonly string[];
  rejection: Rejection;
}

/** Finds, by path as the trail records it, the rejected text that came back into the files from outside. */
export async function findCameBack(snapshot: Snapshot): Promise<Map<string, CameBack[]>> {
  const found = new Map<string, CameBack[]>();
  for (const [path, returned] of await returnedIn(snapshot)) {
    const back = returned.filter(({ overridden }) => !overridden);
    if (back.length === 0) continue;
    found.set(
      path,
      back.map(({ span, place, rejection }) => ({ span, instead: place.now, rejection })),
    );
  }
  return found;
}

/**
 * Finds what the files have of rejected text, also where an agent put it back with a reason, by path as the trail
 * records it.
 */
async function returnedIn(snapshot: Snapshot): Promise<Map<string, readonly ReturnedText[]>> {
  const known = await snapshot.context.rejections.all();
  if (known.length === 0) return new Map();
  const paths = known.flatMap(({ lines }) => lines.map(({ path }) => path));
  const files = await new EditStatuses(snapshot).files([...new Set(paths)]);
  return new Map(files.map(({ history, returned }) => [history.names.at(-1)!, returned]));
}

export interface BackText {
  path: string;
  line: number;
  rejection: string;
  /** As the log says it: `came back, rejected by Ada: no caching here`. */
  words: string;
}

/** Lists rejected text that the files hold again, by path and line, with the words for a reader. */
export async function backTexts(snapshot: Snapshot): Promise<BackText[]> {
  const found: BackText[] = [];
  for (const [recorded, returned] of await returnedIn(snapshot)) {
    const path = fromTrail(snapshot.context, recorded);
    if (path === null) continue;
    for (const { span, rejection, overridden, entries } of returned) {
      const why = overridden ? entries.at(-1)!.reason : '';
      const { commit, reviewer, reason } = rejection;
      const words = backWords({ reviewer, reason, why });
      found.push({ path, line: span.start + 1, rejection: commit, words });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

/** Returns the accepted text, with what the rejections left in these places of the present one. */
export function withoutCameBack(accepted: Side, present: Side, back: readonly CameBack[]): Side {
  if (back.length === 0 || !accepted.file || accepted.text === null || present.text === null) return accepted;
  const { old, changes, lineBreak } = compare(accepted.text, present.text);
  let lines = [...old];
  for (const { span, instead } of [...back].sort((a, b) => b.span.start - a.span.start)) {
    if (changes.some(change => meets(change, span))) continue;
    const before = changes.filter(({ newEnd }) => newEnd <= span.start);
    const shift = before.reduce((sum, one) => sum + one.newEnd - one.newStart - one.oldEnd + one.oldStart, 0);
    const put = instead.map(line => line + lineBreak);
    const at = span.start - shift;
    lines = [...lines.slice(0, at), ...put, ...lines.slice(at + span.end - span.start)];
  }
  return withText(accepted, lines.join(''));
}

interface ChangedLines {
  newStart: number;
  newEnd: number;
}

export function meets({ newStart, newEnd }: ChangedLines, { start, end }: LineSpan): boolean {
  return newStart < end ? newEnd > start || newStart >= start : newStart === start && newEnd === end;
}

export interface OverriddenRejection {
  commit: string;
  reviewer: string;
  reason: string;
  /** The reason that the agent gave; '' where it came back from outside. */
  why: string;
  /** As the log says it: `came back, rejected by Ada: no caching here`. */
  words: string;
}

/** Lists the rejections that agents overrode in this hunk, and those whose text came back in it from outside. */
export async function rejectedBefore(
  { objects }: Context,
  { cameBack }: { cameBack: readonly CameBack[] },
  { authors, change }: { authors: Iterable<TrailEntry | null>; change: ChangedLines | null },
): Promise<OverriddenRejection[]> {
  const found: Array<Omit<OverriddenRejection, 'words'>> = [];
  for (const edit of authors) {
    for (const commit of edit?.meta?.overrides ?? []) {
      const rejection = await readEntryOrNull(objects, commit);
      if (!rejection) continue;
      found.push({ commit, reviewer: rejection.author.name, reason: rejection.reason, why: edit!.reason });
    }
  }
  for (const { span, rejection } of cameBack) {
    const { commit, reviewer, reason } = rejection;
    if (change !== null && meets(change, span)) found.push({ commit, reviewer, reason, why: '' });
  }
  return found.map(one => ({ ...one, words: backWords(one) }));
}

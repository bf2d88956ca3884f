/**
 * Finds what a push would bring to light. A trail's ancestry holds more than agents' edits: commits of HEAD, amended
 * and rebased ones too, and the unsaved lines of people, recorded as outside changes. None of it can be left out
 * without new ids.
 */

import type { Context } from '../../engine/context.ts';
import { revList } from '../../git/rev-list.ts';
import { isUnclaimed } from '../../history/editors.ts';
import { isEdit, readEntryOrNull, type TrailEntry } from '../../history/walk.ts';
import { isOutside, isWork } from '../../operations.ts';

/** A commit that the remote does not have. */
export interface UnpublishedCommit {
  commit: string;
  /** ISO 8601, UTC. */
  time: string;
  author: string;
  subject: string;
  /** The files that an edit or an outside change names; of a commit of HEAD none are read. */
  paths: string[];
}

/** Commits that a push would show to others, by kind. Each list has the newest commits, at most LISTED; `counts` has them all. */
export interface Unpublished {
  /** Work of agents and people through the engine. */
  edits: UnpublishedCommit[];
  /** Text of people that the engine recorded: what they had typed and not committed. */
  outside: UnpublishedCommit[];
  /** Text from outside that may be an agent's, and reviews in which people claim such text. */
  unclaimed: UnpublishedCommit[];
  /** Commits of HEAD that are on no branch of the remote. */
  unpushed_commits: UnpublishedCommit[];
  counts: { edits: number; outside: number; unclaimed: number; unpushed_commits: number };
}

/** The most commits of each kind that are named. */
const LISTED = 200;

/**
 * Returns what these commits have in their history, and none of the remote's refs has. `there`: ids of the remote's
 * refs.
 */
export async function findUnpublished(
  context: Context,
  tips: readonly string[],
  there: readonly string[],
): Promise<Unpublished> {
  const { objects } = context;
  const known: string[] = [];
  for (const oid of new Set(there))
    if ((await objects.commitInfo(oid).catch(() => null)) !== null) known.push(oid);
  const lacking = new Set<string>();
  for (const tip of new Set(tips)) for (const oid of await revList(objects, tip, known)) lacking.add(oid);
  const groups = byKind((): TrailEntry[] => []);
  for (const oid of lacking) {
    const entry = await readEntryOrNull(objects, oid);
    const group = entry && groupOf(entry);
    if (group) groups[group].push(entry);
  }
  for (const entries of Object.values(groups)) entries.sort((a, b) => b.time - a.time);
  const listed = byKind(kind => groups[kind].slice(0, LISTED).map(about));
  return { ...listed, counts: byKind(kind => groups[kind].length) };
}

const KINDS = ['edits', 'outside', 'unclaimed', 'unpushed_commits'] as const;
type Kind = (typeof KINDS)[number];

function byKind<T>(make: (kind: Kind) => T): Record<Kind, T> {
  return Object.fromEntries(KINDS.map(kind => [kind, make(kind)])) as Record<Kind, T>;
}

/** A commit that only joins histories shows nothing of its own. */
function groupOf(entry: TrailEntry): Kind | null {
  if (!entry.meta) return 'unpushed_commits';
  if (isUnclaimed(entry) || (entry.meta.claims?.length ?? 0) > 0) return 'unclaimed';
  if (isOutside(entry.meta.op)) return 'outside';
  return isWork(entry.meta.op) || isEdit(entry) ? 'edits' : null;
}

function about({ commit, time, author, subject, meta }: TrailEntry): UnpublishedCommit {
  return {
    commit,
    time: new Date(time * 1000).toISOString(),
    author: author.name,
    subject,
    paths: [...(meta?.paths ?? [])],
  };
}

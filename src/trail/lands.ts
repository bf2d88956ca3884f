/**
 * The trailer by which a landed commit names the trail's commits that it holds:
 *
 *     Vedit-Lands: <commit>             one
 *     Vedit-Lands: <after>..<last>      all after the one, up to the other
 */

import { commitsBetween } from '../git/between.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import type { TrailEntry } from './walk.ts';

/** One commit, or with `after` a row of them, both ids full. */
export interface Lands {
  after: string | null;
  last: string;
}

export function formatLands({ after, last }: Lands): string {
  return after === null ? last : `${after}..${last}`;
}

/** Wherever such a line stands: a squashed merge indents messages and puts them one after another. */
export function parseLands(message: string): Lands[] {
  const found = message.matchAll(/^\s*Vedit-Lands: (?:([0-9a-f]{40})\.\.)?([0-9a-f]{40})\s*$/gm);
  return [...found].map(([, after, last]) => ({ after: after ?? null, last: last! }));
}

/**
 * As few trailers as name the `chosen` of these commits (oldest first) and none of the others. Outside changes are named
 * one by one; in a row they count for nothing.
 */
export function landsOf(chain: readonly TrailEntry[], chosen: ReadonlySet<string>): Lands[] {
  const named: Lands[] = [];
  let row: TrailEntry[] = [];
  const endRow = (): void => {
    if (row.length > 0) named.push(rowOf(row[0]!, row.at(-1)!));
    row = [];
  };
  for (const entry of chain) {
    const isChosen = chosen.has(entry.commit);
    if (entry.meta?.op !== 'outside' && isChosen) row.push(entry);
    else if (isChosen) named.push({ after: null, last: entry.commit });
    else if (entry.meta?.op !== 'outside') endRow();
  }
  endRow();
  return named;
}

function rowOf(first: TrailEntry, last: TrailEntry): Lands {
  return { after: first === last ? null : (first.parents[0] ?? null), last: last.commit };
}

/** What the history of `target` that `exclude` does not have says to have landed, and the commits of that history. */
export async function landedIn(
  objects: ObjectDatabase,
  target: string | null,
  exclude: string | null,
): Promise<{ lands: Lands[]; commits: ReadonlySet<string> }> {
  if (target === null) return { lands: [], commits: new Set() };
  const commits = await commitsBetween(objects, target, exclude);
  const lands = [...commits.values()].flatMap(commit => parseLands(commit.message));
  return { lands, commits: new Set(commits.keys()) };
}

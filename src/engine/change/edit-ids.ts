/**
 * Finds the edits of the trail by the ids they were asked for under: the caller's own (`edit_id`), and those of tool
 * calls, which count within a session. A workspace remembers the ids, and reads the trail only as far back as it has
 * grown since; the first time the rows that are kept tell them (trail/trail-index.ts). The trail is what counts: what
 * a row leads to is read there.
 */

import { isAncestor } from '../../git/rev-list.ts';
import type { TrailHead } from '../../trail/head.ts';
import { entriesNotIn } from '../../trail/history/entries-not-in.ts';
import { type IdentifiedRequest, keysIn, keysOf, shortKey } from '../../trail/request-keys.ts';
import {
  hasMerge,
  readEntryOrNull,
  rowOf,
  type TrailEntry,
  type TrailRow,
  type WalkOptions,
  walkRows,
} from '../../trail/walk.ts';
import type { Context } from '../context.ts';

/** The edits that the trail holds under the id of a request. */
export interface UsesOfId {
  /** The newest edit of the same tool and input: whoever made it, of a tool call the same session. */
  same: TrailEntry | null;
  /** The newest one of the same session; of a tool call none, since the same id may stand at several edits. */
  own: TrailEntry | null;
}

interface IndexedIds {
  upTo: string | null;
  /** The newest commit with each short key. */
  commits: Map<string, string>;
}

/** By ref, for as long as somebody has the workspace. */
const remembered = new WeakMap<Context, Map<string, IndexedIds>>();

/** Looks for the id of a request on the trail. Throws CORRUPT, STORE_FAILED where the trail cannot be read. */
export async function usesOfId(
  context: Context,
  trail: TrailHead,
  request: IdentifiedRequest,
): Promise<UsesOfId> {
  const trails = remembered.get(context) ?? new Map<string, IndexedIds>();
  remembered.set(context, trails);
  const known = await readOn(context, trail, trails.get(trail.ref) ?? nothing());
  trails.set(trail.ref, known);
  const uses = await usesIn(context, known, request);
  if (uses) return uses;
  const again = await readOn(context, trail, nothing(), { afresh: true });
  trails.set(trail.ref, again);
  return (await usesIn(context, again, request)) ?? { same: null, own: null };
}

const nothing = (): IndexedIds => ({ upTo: null, commits: new Map() });

/**
 * Returns the edits that the rows lead to; `null` where a commit does not hold what they say: what is kept may be
 * somebody else's.
 */
async function usesIn(
  { objects }: Context,
  { commits }: IndexedIds,
  request: IdentifiedRequest,
): Promise<UsesOfId | null> {
  const found: Array<TrailEntry | null> = [];
  for (const [at, key] of keysOf(request).entries()) {
    const commit = commits.get(shortKey(key));
    const entry = commit === undefined ? null : await readEntryOrNull(objects, commit).catch(() => null);
    if (commit !== undefined && (!entry || keysIn(entry)?.[at] !== key)) return null;
    found.push(entry);
  }
  return { same: found[0]!, own: found[1]! };
}

/** Returns the known ids with those of commits made since. Reads all of a trail that was moved back or replaced. */
async function readOn(
  { objects }: Context,
  { tip, checkedOut }: TrailHead,
  known: IndexedIds,
  how: Pick<WalkOptions, 'afresh'> = {},
): Promise<IndexedIds> {
  const options = { ...how, ownOnly: !checkedOut, goesOn: true };
  const since: TrailRow[] = [];
  for await (const rows of walkRows(objects, tip, options)) {
    const at = known.upTo === null ? -1 : rows.findIndex(({ commit }) => commit === known.upTo);
    since.push(...(at < 0 ? rows : rows.slice(0, at)));
    if (at >= 0) return withRows(known, tip, since);
    if (hasMerge(rows)) return readJoined(objects, tip, known, options);
  }
  return withRows(nothing(), tip, since);
}

/**
 * Returns the known ids with those of commits that a merge brought in: they were asked for elsewhere, and are not to be
 * done again here.
 */
async function readJoined(
  objects: Context['objects'],
  tip: string | null,
  known: IndexedIds,
  options: WalkOptions,
): Promise<IndexedIds> {
  const { upTo } = known;
  if (upTo !== null && tip !== null && (await isAncestor(objects, upTo, tip))) {
    const fresh = (await entriesNotIn(objects, tip, upTo)).reverse().map(rowOf);
    return withRows(known, tip, fresh);
  }
  const all: TrailRow[] = [];
  for await (const rows of walkRows(objects, tip, { ...options, joined: 'all' })) all.push(...rows);
  return withRows(nothing(), tip, all);
}

/** `since`: newer rows than all that are known, newest first. What was known is not copied: there may be very many. */
function withRows({ commits }: IndexedIds, tip: string | null, since: readonly TrailRow[]): IndexedIds {
  for (const { commit, keys = [] } of [...since].reverse())
    for (const key of keys) if (key !== '') commits.set(key, commit);
  return { upTo: tip, commits };
}

/**
 * Finds the edits of the trail by the ids they were asked for under: the caller's own (`edit_id`), and those of tool
 * calls, which count within a session. A workspace remembers the ids, and reads the trail only as far back as it has
 * grown since; the first time the rows that are kept tell them (trail/kept-entries.ts). The trail is what counts: what
 * a row leads to is read there.
 */

import { isAncestor } from '../../git/rev-list.ts';
import type { TrailHead } from '../../trail/head.ts';
import { entriesNotIn } from '../../trail/history/entries-not-in.ts';
import { commitWith, type IdentifiedRequest, keysIn, keysOf } from '../../trail/request-keys.ts';
import {
  hasMerge,
  readEntryOrNull,
  rowOf,
  type TrailEntry,
  tableOf,
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

interface Known {
  upTo: string | null;
  /** Newest first. */
  tables: readonly Uint8Array[];
}

const NOTHING: Known = { upTo: null, tables: [] };

/** By ref, for as long as somebody has the workspace. */
const remembered = new WeakMap<Context, Map<string, Known>>();

/** Looks for the id of a request on the trail. Throws CORRUPT, STORE_FAILED where the trail cannot be read. */
export async function usesOfId(
  context: Context,
  trail: TrailHead,
  request: IdentifiedRequest,
): Promise<UsesOfId> {
  const trails = remembered.get(context) ?? new Map<string, Known>();
  remembered.set(context, trails);
  const known = await readOn(context, trail, trails.get(trail.ref) ?? NOTHING);
  trails.set(trail.ref, known);
  const uses = await usesIn(context, known, request);
  if (uses) return uses;
  const again = await readOn(context, trail, NOTHING, { afresh: true });
  trails.set(trail.ref, again);
  return (await usesIn(context, again, request)) ?? { same: null, own: null };
}

/**
 * Returns the edits that the rows lead to; `null` where a commit does not hold what they say: what is kept may be
 * somebody else's.
 */
async function usesIn(
  { objects }: Context,
  { tables }: Known,
  request: IdentifiedRequest,
): Promise<UsesOfId | null> {
  const found: Array<TrailEntry | null> = [];
  for (const [at, key] of keysOf(request).entries()) {
    let commit: string | null = null;
    for (const table of key === '' ? [] : tables) {
      commit = commitWith(table, at === 0 ? 'same' : 'own', key);
      if (commit) break;
    }
    const entry = commit && (await readEntryOrNull(objects, commit).catch(() => null));
    if (commit && (!entry || keysIn(entry)?.[at] !== key)) return null;
    found.push(entry || null);
  }
  return { same: found[0]!, own: found[1]! };
}

/** Returns the known ids with those of commits made since. Reads all of a trail that was moved back or replaced. */
async function readOn(
  { objects }: Context,
  { tip, checkedOut }: TrailHead,
  known: Known,
  how: Pick<WalkOptions, 'afresh'> = {},
): Promise<Known> {
  const options = { ...how, ownOnly: !checkedOut, goesOn: true };
  const { upTo } = known;
  const since: Uint8Array[] = [];
  for await (const rows of walkRows(objects, tip, options)) {
    const at = upTo === null ? -1 : rows.findIndex(({ commit }) => commit === upTo);
    since.push(tableOf(at < 0 ? rows : rows.slice(0, at)));
    if (at >= 0) return { upTo: tip, tables: [...since, ...known.tables] };
    if (hasMerge(rows)) return readJoined(objects, tip, known, options);
  }
  return { upTo: tip, tables: since };
}

/**
 * Returns the known ids with those of commits that a merge brought in: they were asked for elsewhere, and are not to be
 * done again here.
 */
async function readJoined(
  objects: Context['objects'],
  tip: string | null,
  { upTo, tables }: Known,
  options: WalkOptions,
): Promise<Known> {
  if (upTo !== null && tip !== null && (await isAncestor(objects, upTo, tip))) {
    const fresh = (await entriesNotIn(objects, tip, upTo)).reverse().map(rowOf);
    return { upTo: tip, tables: [tableOf(fresh), ...tables] };
  }
  const all: Uint8Array[] = [];
  for await (const rows of walkRows(objects, tip, { ...options, joined: 'all' })) all.push(tableOf(rows));
  return { upTo: tip, tables: all };
}

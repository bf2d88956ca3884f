/**
 * Which edits of the trail were asked for under which ids: the caller's own (`edit_id`), and those of tool calls, which count
 * within a session. A workspace remembers them, and keeps them for the next one in a file of the engine's folder, so that the
 * trail is read only as far back as it has grown since:
 *
 *     <hash of all that follows>
 *     <commit up to which the trail was read>
 *     <rows; see id-rows.ts>
 *
 * The trail is what counts: what a row leads to is read there. A file that is gone, damaged, or does not fit the trail is made
 * anew by reading all of it.
 */

import { concatBytes, fromUtf8, utf8 } from '../../bytes.ts';
import { removeIfThere, replaceFile } from '../../fs/durable.ts';
import { isOid } from '../../git/objects/object.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isMerge } from '../../operations.ts';
import type { TrailHead } from '../../trail/head.ts';
import { entriesNotIn } from '../../trail/history/entries-not-in.ts';
import { readEntryOrNull, type TrailEntry, walkTrail } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import { IdRows } from './id-rows.ts';

/** A request with an id: the caller's own for it, or that of the tool call. */
export type RequestId = { editId: string; call?: undefined } | { editId?: undefined; call: string };

/** What a request with an id is told apart by. */
export type IdentifiedRequest = RequestId & { editHash: string; session: string };

/** What the trail holds under the id of a request. */
export interface UsesOfId {
  /** The newest edit of the same tool and input: whoever made it, of a tool call the same session. */
  same: TrailEntry | null;
  /** The newest one of the same session; of a tool call none, since the same id may stand at several edits. */
  own: TrailEntry | null;
}

interface Known {
  upTo: string | null;
  rows: IdRows;
  /** How many commits were read that the file does not know of. */
  unsaved: number;
}

/** By file, for as long as somebody has the workspace. */
const remembered = new WeakMap<Context, Map<string, Known>>();

/** The file is written again after so many commits: a process that only looks once reads about as many. */
const SAVED_EVERY = 64;

/**
 * Looks for the id of a request on the trail. `mayWrite`: the engine's lock is held, so that the file may be written.
 * Throws CORRUPT, STORE_FAILED where the trail cannot be read.
 */
export async function usesOfId(
  context: Context,
  trail: TrailHead,
  request: IdentifiedRequest,
  mayWrite: boolean,
): Promise<UsesOfId> {
  const file = await fileOf(context, trail.ref);
  const files = remembered.get(context) ?? new Map<string, Known>();
  remembered.set(context, files);
  const known = await readOn(context, trail, files.get(file) ?? (await load(context, file)));
  files.set(file, known);
  if (mayWrite && known.unsaved >= SAVED_EVERY) await save(context, file, known).catch(() => {});
  const uses = await usesIn(context, known, request);
  if (uses) return uses;
  const again = await readOn(context, trail, nothing());
  files.set(file, again);
  return (await usesIn(context, again, request)) ?? { same: null, own: null };
}

/** Of a trail that was deleted. With the engine's lock held. */
export async function forgetIds(context: Context, ref: string): Promise<void> {
  const file = await fileOf(context, ref);
  remembered.get(context)?.delete(file);
  await removeIfThere(context.fs, file);
}

/** What the rows lead to; `null` where a commit does not hold what they say: the file may be somebody else's. */
async function usesIn(
  { objects }: Context,
  { rows }: Known,
  request: IdentifiedRequest,
): Promise<UsesOfId | null> {
  const [same, own] = keysOf(request);
  const found: Array<TrailEntry | null> = [];
  for (const [at, key] of [same, own].entries()) {
    const commit = key === '' ? null : rows.newest(at === 0 ? 'first' : 'second', key);
    const entry = commit && (await readEntryOrNull(objects, commit).catch(() => null));
    if (commit && (!entry || keysIn(entry)?.[at] !== key)) return null;
    found.push(entry || null);
  }
  return { same: found[0]!, own: found[1]! };
}

/** The texts by which an edit is found: with its tool and input, and with its session. */
type Keys = readonly [same: string, own: string];

function keysOf({ editId, call, editHash, session }: IdentifiedRequest): Keys {
  if (call !== undefined) return [['call', call, editHash, session].join('\t'), ''];
  return [['id', editId, editHash].join('\t'), ['own', editId, session].join('\t')];
}

/** In a commit of an older version no hash stands beside the id, which is the same as no request. */
function keysIn({ meta }: TrailEntry): Keys | null {
  const { editId, call, editHash, session = '' } = meta ?? {};
  if (editId !== undefined) return keysOf({ editId, editHash: editHash ?? '-', session });
  return call === undefined || editHash === undefined ? null : keysOf({ call, editHash, session });
}

function nothing(): Known {
  return { upTo: null, rows: new IdRows(), unsaved: 0 };
}

/** A detached HEAD is each work tree's own. */
async function fileOf({ codec, folder, repo }: Context, ref: string): Promise<string> {
  const own = repo.worktree !== null && !ref.startsWith('refs/') ? `${repo.worktree} ${ref}` : ref;
  const name = await codec.hash('blob', new TextEncoder().encode(own));
  return `${folder}/edit-ids-3-${name.slice(0, 16)}`;
}

/** What is known with what came since. Of a trail that was moved back or replaced, all is read. */
async function readOn(context: Context, trail: TrailHead, known: Known): Promise<Known> {
  const { upTo } = known;
  const since = await entriesSince(context, trail, upTo);
  // Another call of this process read on in the meantime.
  if (known.upTo !== upTo) return readOn(context, trail, known);
  const next = since.joins ? known : nothing();
  for (const entry of since.entries.reverse()) {
    const keys = keysIn(entry);
    if (keys) next.rows.add(...keys, entry.commit);
  }
  next.upTo = trail.tip;
  next.unsaved += since.entries.length;
  return next;
}

/** The commits of the trail that the one at `upTo` has not, newest first. `joins`: it is in their history. */
async function entriesSince(
  { objects }: Context,
  { tip, checkedOut }: TrailHead,
  upTo: string | null,
): Promise<{ entries: TrailEntry[]; joins: boolean }> {
  const entries: TrailEntry[] = [];
  let isMerged = false;
  for await (const entry of walkTrail(objects, tip, { ownOnly: !checkedOut })) {
    if (entry.commit === upTo) return { entries, joins: true };
    isMerged = isMerge(entry.meta?.op) && entry.parents.length > 1;
    if (isMerged) break;
    entries.push(entry);
  }
  if (!isMerged) return { entries, joins: false };
  // What came in with a merge was asked for elsewhere, and is not to be done again here.
  if (upTo !== null && tip !== null && (await isAncestor(objects, upTo, tip)))
    return { entries: (await entriesNotIn(objects, tip, upTo)).reverse(), joins: true };
  const all: TrailEntry[] = [];
  for await (const entry of walkTrail(objects, tip, { ownOnly: !checkedOut, joined: 'all' })) all.push(entry);
  return { entries: all, joins: false };
}

/** Nothing is known where the file is not what was written. */
async function load({ fs, codec }: Context, file: string): Promise<Known> {
  const bytes = await fs.readFile(file).catch(() => new Uint8Array());
  const rest = bytes.subarray(LINE);
  const [hash, upTo] = [bytes, rest].map(part => fromUtf8(part.subarray(0, LINE - 1)) ?? '');
  const rows = rest.subarray(LINE);
  if (hash !== (await codec.hash('blob', rest)) || !isOid(upTo!) || !IdRows.fits(rows)) return nothing();
  return { upTo: upTo!, rows: new IdRows(rows), unsaved: 0 };
}

/** The digits of an id, and a line feed. */
const LINE = 41;

/** Not synced: after a power cut the file may be damaged, and then it does not count. */
async function save({ fs, codec, folder }: Context, file: string, known: Known): Promise<void> {
  const rest = concatBytes([utf8(`${known.upTo}\n`), known.rows.bytes]);
  known.unsaved = 0;
  const bytes = concatBytes([utf8(`${await codec.hash('blob', rest)}\n`), rest]);
  await replaceFile(fs, file, bytes, `${folder}/tmp/edit-ids`, { sync: false });
}

/**
 * Which edits of the trail have which ids. A process remembers them, and keeps them for the next one in a file of the
 * engine's folder, so that the trail is read only as far back as it has grown since. Its lines have tabs between fields:
 *
 *     <hash of all that follows>
 *     <commit up to which the trail was read>
 *     <commit> <hash of tool and input, or -> <session> <edit id>      a line for each
 *
 * The trail is what counts. A file that is gone, damaged, or does not fit the trail is made anew by reading all of it.
 */

import { fromUtf8 } from '../../bytes.ts';
import { removeIfThere, replaceFile } from '../../fs/durable.ts';
import { isOid } from '../../git/objects/object.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isMerge } from '../../operations.ts';
import type { TrailHead } from '../../trail/head.ts';
import { entriesNotIn } from '../../trail/history/entries-not-in.ts';
import { readEntryOrNull, type TrailEntry, walkTrail } from '../../trail/walk.ts';
import type { Context } from '../context.ts';

/** An edit with an id. */
export interface IdentifiedEdit {
  commit: string;
  /** Of tool and input; `null` in a commit of an older version, which is the same as no request. */
  hash: string | null;
  session: string;
}

/** A request with an id. */
export interface IdentifiedRequest {
  editId: string;
  editHash: string;
  session: string;
}

/** What the trail holds under the id of a request. */
export interface UsesOfId {
  /** An edit of the same tool and input, whoever made it. */
  same: IdentifiedEdit | undefined;
  /** The newest one of the same session. */
  own: IdentifiedEdit | undefined;
}

type Ids = Map<string, IdentifiedEdit[]>;

interface Known {
  upTo: string | null;
  /** By id, the newest first. */
  ids: Ids;
  /** How many commits were read that the file does not know of. */
  unsaved: number;
}

/** By folder of the engine and ref. */
const remembered = new Map<string, Known>();

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
  const known = await readOn(context, trail, remembered.get(file) ?? (await load(context, file)));
  remembered.set(file, known);
  if (mayWrite && known.unsaved >= SAVED_EVERY) await save(context, file, known).catch(() => {});
  const uses = usesIn(known, request);
  if (await areThere(context, request.editId, uses)) return uses;
  const again = await readOn(context, trail, nothing());
  remembered.set(file, again);
  return usesIn(again, request);
}

/** Of a trail that was deleted. With the engine's lock held. */
export async function forgetIds(context: Context, ref: string): Promise<void> {
  const file = await fileOf(context, ref);
  remembered.delete(file);
  await removeIfThere(context.fs, file);
}

function usesIn({ ids }: Known, { editId, editHash, session }: IdentifiedRequest): UsesOfId {
  const all = ids.get(editId) ?? [];
  return {
    same: all.find(one => one.hash === editHash),
    own: all.find(one => one.session === session),
  };
}

/** True when the commits hold what is known of them: the file may be somebody else's. */
async function areThere({ objects }: Context, editId: string, { same, own }: UsesOfId): Promise<boolean> {
  for (const one of new Set([same, own])) {
    if (!one) continue;
    const meta = (await readEntryOrNull(objects, one.commit).catch(() => null))?.meta;
    if (meta?.editId !== editId || (meta.editHash ?? null) !== one.hash) return false;
    if ((meta.session ?? '') !== one.session) return false;
  }
  return true;
}

function nothing(): Known {
  return { upTo: null, ids: new Map(), unsaved: 0 };
}

function add(ids: Ids, id: string, edit: IdentifiedEdit): void {
  const edits = ids.get(id);
  if (edits) edits.push(edit);
  else ids.set(id, [edit]);
}

/** A detached HEAD is each work tree's own. */
async function fileOf({ codec, folder, repo }: Context, ref: string): Promise<string> {
  const own = repo.worktree !== null && !ref.startsWith('refs/') ? `${repo.worktree} ${ref}` : ref;
  const name = await codec.hash('blob', new TextEncoder().encode(own));
  return `${folder}/edit-ids-2-${name.slice(0, 16)}`;
}

/** What is known with what came since. Of a trail that was moved back or replaced, all is read. */
async function readOn(context: Context, trail: TrailHead, known: Known): Promise<Known> {
  const { upTo } = known;
  const since = await entriesSince(context, trail, upTo);
  const fresh: Ids = new Map();
  for (const { commit, meta } of since.entries) {
    const { editId, editHash: hash = null, session = '' } = meta ?? {};
    if (editId) add(fresh, editId, { commit, hash, session });
  }
  const count = since.entries.length;
  // Another call of this process read on in the meantime.
  if (known.upTo !== upTo) return readOn(context, trail, known);
  if (!since.joins) return { upTo: trail.tip, ids: fresh, unsaved: count };
  for (const [id, edits] of fresh) known.ids.set(id, [...edits, ...(known.ids.get(id) ?? [])]);
  known.upTo = trail.tip;
  known.unsaved += count;
  return known;
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
  const hash = fromUtf8(bytes.subarray(0, HASH)) ?? '';
  const rest = bytes.subarray(HASH + 1);
  const text = hash === (await codec.hash('blob', rest)) ? fromUtf8(rest) : null;
  const [upTo = '', ...lines] = text?.split('\n') ?? [];
  const rows = lines.map(line => line.split('\t'));
  const known = nothing();
  if (!isOid(upTo) || rows.some(row => row.length !== 4)) return known;
  for (const [commit, hash, session, id] of rows as Array<[string, string, string, string]>)
    add(known.ids, id, { commit, hash: hash === '-' ? null : hash, session });
  return { ...known, upTo };
}

/** Hex digits. */
const HASH = 40;

/** Not synced: after a power cut the file may be damaged, and then it does not count. */
async function save({ fs, codec, folder }: Context, file: string, known: Known): Promise<void> {
  const lines = [...known.ids].flatMap(([id, edits]) =>
    edits.map(({ commit, hash, session }) => [commit, hash ?? '-', session, id].join('\t')),
  );
  const rest = [known.upTo, ...lines].join('\n');
  const hash = await codec.hash('blob', new TextEncoder().encode(rest));
  known.unsaved = 0;
  const bytes = new TextEncoder().encode(`${hash}\n${rest}`);
  await replaceFile(fs, file, bytes, `${folder}/tmp/edit-ids`, { sync: false });
}

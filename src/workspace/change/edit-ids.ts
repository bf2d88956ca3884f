/**
 * Which edit ids the trail holds. A process remembers them, and keeps them for the next one in a file of the engine's
 * folder, so that the trail is read only as far back as it has grown since:
 *
 *     <hash of all that follows>
 *     <commit up to which the trail was read>
 *     <commit> <edit id>                          a line for each
 *
 * The trail is what counts. A file that is gone, damaged, or does not fit the trail is made anew by reading all of it.
 */

import { fromUtf8 } from '../../git/bytes.ts';
import { replaceFile } from '../../git/durable.ts';
import { isOid } from '../../git/objects/object.ts';
import type { TrailHead } from '../../trail/head.ts';
import { readEntryOrNull, walkTrail } from '../../trail/walk.ts';
import type { Context } from '../context.ts';

interface Known {
  upTo: string | null;
  ids: Map<string, string>;
  /** How many commits were read that the file does not know of. */
  unsaved: number;
}

/** By folder of the engine and ref. */
const remembered = new Map<string, Known>();

/** The file is written again after so many commits: a process that only looks once reads about as many. */
const SAVED_EVERY = 64;

/**
 * The trail's commit with this edit id, or `null`. `mayWrite`: the engine's lock is held, so that the file may be written.
 * Throws CORRUPT, STORE_FAILED where the trail cannot be read.
 */
export async function commitOfEditId(
  context: Context,
  trail: TrailHead,
  editId: string,
  mayWrite: boolean,
): Promise<string | null> {
  const file = await fileOf(context, trail.ref);
  const known = await readOn(context, trail, remembered.get(file) ?? (await load(context, file)));
  remembered.set(file, known);
  if (mayWrite && known.unsaved >= SAVED_EVERY) await save(context, file, known).catch(() => {});
  const commit = known.ids.get(editId) ?? null;
  if (commit === null || (await holds(context, commit, editId))) return commit;
  remembered.set(file, await readOn(context, trail, NOTHING));
  return remembered.get(file)!.ids.get(editId) ?? null;
}

const NOTHING: Known = { upTo: null, ids: new Map(), unsaved: 0 };

/** A detached HEAD is each work tree's own. */
async function fileOf({ codec, folder, repo }: Context, ref: string): Promise<string> {
  const own = repo.worktree !== null && !ref.startsWith('refs/') ? `${repo.worktree} ${ref}` : ref;
  const name = await codec.hash('blob', new TextEncoder().encode(own));
  return `${folder}/edit-ids-${name.slice(0, 16)}`;
}

/** What is known with what came since. Of a trail that was moved back or replaced, all is read. */
async function readOn(context: Context, trail: TrailHead, known: Known): Promise<Known> {
  const { upTo } = known;
  const fresh = new Map<string, string>();
  let count = 0;
  let joins = false;
  for await (const { commit, meta } of walkTrail(context.objects, trail.tip, {
    ownOnly: !trail.checkedOut,
  })) {
    joins = commit === upTo;
    if (joins) break;
    count++;
    if (meta?.editId) fresh.set(meta.editId, commit);
  }
  // Another call of this process read on in the meantime.
  if (known.upTo !== upTo) return readOn(context, trail, known);
  if (!joins) return { upTo: trail.tip, ids: fresh, unsaved: count };
  for (const [id, commit] of fresh) if (!known.ids.has(id)) known.ids.set(id, commit);
  known.upTo = trail.tip;
  known.unsaved += count;
  return known;
}

async function holds({ objects }: Context, commit: string, editId: string): Promise<boolean> {
  return (await readEntryOrNull(objects, commit).catch(() => null))?.meta?.editId === editId;
}

/** Nothing is known where the file is not what was written. */
async function load({ fs, codec }: Context, file: string): Promise<Known> {
  const bytes = await fs.readFile(file).catch(() => new Uint8Array());
  const hash = fromUtf8(bytes.subarray(0, HASH)) ?? '';
  const rest = bytes.subarray(HASH + 1);
  const text = hash === (await codec.hash('blob', rest)) ? fromUtf8(rest) : null;
  if (text === null) return { ...NOTHING, ids: new Map() };
  const [upTo, ...lines] = text.split('\n');
  const ids = new Map(lines.map(line => [line.slice(HASH + 1), line.slice(0, HASH)]));
  return { upTo: isOid(upTo!) ? upTo! : null, ids, unsaved: 0 };
}

/** Hex digits. */
const HASH = 40;

/** Not synced: after a power cut the file may be damaged, and then it does not count. */
async function save({ fs, codec, folder }: Context, file: string, known: Known): Promise<void> {
  const lines = [...known.ids].map(([id, commit]) => `${commit} ${id}`);
  const rest = [known.upTo, ...lines].join('\n');
  const hash = await codec.hash('blob', new TextEncoder().encode(rest));
  known.unsaved = 0;
  const bytes = new TextEncoder().encode(`${hash}\n${rest}`);
  await replaceFile(fs, file, bytes, `${folder}/tmp/edit-ids`, { sync: false });
}

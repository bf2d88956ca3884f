/**
 * Writes and reads what the journal says of a change: all that is needed to do it again from the record alone, and how
 * the files looked that it was planned on. A journal may come with a repository that somebody else made, so what
 * recovery does by it is held to what the engine itself would have written: paths are found anew, ids and names are
 * checked.
 */

import { EditError } from '../../../errors.ts';
import type { Evidence } from '../../../fs/recovery-rules.ts';
import { type Codec, type EncodedObject, isOid, parseObject } from '../../../git/objects/object.ts';
import { checkRefName } from '../../../git/refs/refs.ts';
import { isTreePath } from '../../../stores/paths.ts';
import type { Frame } from './frames.ts';

export interface ChangeRecord {
  /** With what the names of its staged files begin: the token of the process, a dot and a number. */
  name: string;
  /** The id of the linked work tree; `null`: the main one. */
  worktree: string | null;
  /** When git made its entry (see `worktreeMade`): another one may get its id. Missing where only locks were held. */
  worktreeMade?: string;
  /** The workspace's folder inside the work tree, with a slash at its end, or ''. */
  prefix: string;
  ref: string;
  /** `null`: the ref did not exist. */
  old: string | null;
  new: string;
  /** The file that held `old`: the loose ref, or packed-refs; `null` where there was none. */
  refBefore: Evidence | null;
  refStaged: Evidence | null;
  /** The inode of the file of which our locks of git are hard links. */
  lockInode: string;
  /** The store's own record of the change (Staged.record), from which it recovers. */
  store: unknown;
  /** Each changed path with its entry in the new tree. */
  paths: RecordedPath[];
  index: RecordedIndex | null;
  /** The way in which the index follows a landing on the checked-out branch, however far it came. */
  landing: Landing | null;
  /** Objects of the record that git shall not have: the bytes of files of which it records others. */
  exact: string[];
}

export interface RecordedPath {
  path: string;
  after: Side;
}

/** The entries of git's index before and after, and the files of the index as read and as staged. */
export interface RecordedIndex {
  entries: IndexEdit[];
  was: Evidence | null;
  staged: Evidence;
}

export interface IndexEdit {
  path: string;
  before: Side;
  after: Side;
}

export type Side = { mode: string; oid: string } | null;

/** The index follows a branch that moved, whoever made the commit. */
export interface Landing {
  /** The commit that the branch was at. */
  from: string | null;
  /** Entries of the index that differ from that commit. */
  staged: StagedEntry[];
}

/** An index entry to set once the branch has moved; `after: 'branch'` copies the entry of the branch's new tree. */
export interface StagedEntry extends Pick<IndexEdit, 'path' | 'before'> {
  after: Side | 'branch';
}

/** Returns the record, or `null` when the engine did not write it. */
export function checkedRecord(record: ChangeRecord): ChangeRecord | null {
  try {
    return isRecord(record) ? record : null;
  } catch {
    return null;
  }
}

function isRecord(record: ChangeRecord): boolean {
  const { name, worktree, prefix, ref, new: oid, lockInode, index, landing } = record;
  return (
    [name, prefix, ref, lockInode, ...(worktree === null ? [] : [worktree])].every(isText) &&
    /^[0-9a-f]{24}\.\d{1,15}$/.test(name) &&
    (worktree === null || (/^[^/\0]{1,255}$/.test(worktree) && worktree !== '.' && worktree !== '..')) &&
    /^\d+ \d+$/.test(record.worktreeMade ?? '0 0') &&
    (prefix === '' || (prefix.endsWith('/') && isPath(prefix.slice(0, -1)))) &&
    isWrittenRef(ref) &&
    isIdOrNone(record.old) &&
    isId(oid) &&
    [record.refBefore, record.refStaged].every(isEvidence) &&
    /^\d+$/.test(lockInode) &&
    record.store !== undefined &&
    record.paths.every(({ path, after }) => isPath(path) && isSide(after)) &&
    (index === null ||
      (index.entries.every(one => isPath(one.path) && isSide(one.before) && isSide(one.after)) &&
        [index.was, index.staged].every(isEvidence))) &&
    (landing === null || (isIdOrNone(landing.from) && landing.staged.every(isStaged))) &&
    record.exact.every(isId)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isEvidence(found: Evidence | null): boolean {
  return found === null || (isText(found.ino) && isText(found.mtimeNs) && Number.isSafeInteger(found.size));
}

function isId(oid: string): boolean {
  return isText(oid) && isOid(oid);
}

/** Every kind of ref that a publication moves: branches, trails, and (refs/vedit-...) reviews and the mirrors of a server. */
function isWrittenRef(ref: string): boolean {
  return ref === 'HEAD' || (/^refs\/(heads|vedit(-[a-z]+)?)\//.test(ref) && checkRefName(ref));
}

function isIdOrNone(oid: string | null): boolean {
  return oid === null || isId(oid);
}

function isStaged({ path, before, after }: StagedEntry): boolean {
  return isPath(path) && isSide(before) && (after === 'branch' || isSide(after));
}

function isSide(side: Side): boolean {
  return side === null || (/^(100644|100755|120000|160000)$/.test(side.mode) && isId(side.oid));
}

/** An index that follows a branch holds what no request can name. */
function isPath(path: string): boolean {
  return isText(path) && isTreePath(path);
}

/**
 * The objects for git of a frame that are what their ids say, one after another. Inflating ends where no change of the
 * engine's has more: a forged one may hold a thousand times as many bytes as it has.
 */
export async function* carriedObjects(
  codec: Codec,
  { data, objects }: Frame<ChangeRecord>,
): AsyncGenerator<EncodedObject> {
  let left = MOST_BYTES;
  for (const { oid, deflated } of objects) {
    if (data.exact.includes(oid)) continue;
    const stored = await inflated(codec, deflated, left);
    if (stored === 'too much') break;
    if (!stored) continue;
    left -= stored.length;
    const object = parseObject(stored);
    if (object && (await codec.hash(object.type, object.content)) === oid) yield { oid, deflated, ...object };
  }
}

/** Inflates a stored object: 'too much' beyond `most` bytes, `null` where it cannot be inflated. */
export async function inflated(
  codec: Codec,
  deflated: Uint8Array,
  most: number = MOST_BYTES,
): Promise<Uint8Array | 'too much' | null> {
  try {
    return await codec.inflate(deflated, most);
  } catch (error) {
    return error instanceof EditError && error.code === 'TOO_LARGE' ? 'too much' : null;
  }
}

/** The most bytes of content of all objects of one change. */
const MOST_CONTENT = 1024 * 1024 * 1024;
/** With their headers. */
const MOST_BYTES = MOST_CONTENT + 1024 * 1024;

/** Throws TOO_LARGE for more than a record may carry. */
export function checkSize(objects: readonly Pick<EncodedObject, 'content'>[]): void {
  let size = 0;
  for (const { content } of objects) size += content.length;
  if (size <= MOST_CONTENT) return;
  const message = `The change has ${Math.ceil(size / 1024 / 1024)} MiB of new content, and one may have ${MOST_CONTENT / 1024 / 1024} MiB; nothing was changed. Make it in several calls.`;
  throw new EditError('TOO_LARGE', message, { limit: MOST_CONTENT });
}

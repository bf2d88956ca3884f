/**
 * Git's locks of one change: which they are, and whose. Each is a hard link of a file that holds the old commit id, as a
 * rule the ref's own, so that nothing that renames a lock over its ref breaks the ref.
 */

import { latin1 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { removeIfThere, removeTree } from '../../fs/durable.ts';
import { type Fs, orNull, type Stat } from '../../fs/fs.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import type { Boot } from '../../fs/recovery-rules.ts';
import type { WantedLock } from '../../git/git-locks.ts';
import { ZERO_OID } from '../../git/objects/object.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readRef, refFolder, refPath } from '../../git/refs/refs.ts';
import type { Repository } from '../../git/repository/repository.ts';
import type { TrailHead } from '../../history/head.ts';
import type { Context } from '../context.ts';
import type { ChangeRecord } from './journal/record.ts';

/** Names the locks that `git commit` takes, in its order, so that the two never wait for each other in a circle. */
export function wantedLocks(
  { repo }: Pick<Context, 'repo'>,
  { ref, checkedOut }: Pick<TrailHead, 'ref' | 'checkedOut'>,
  staged: string,
): WantedLock[] {
  const locks: WantedLock[] = [];
  if (checkedOut && !repo.bare)
    for (const file of ['index', 'HEAD']) locks.push({ path: `${repo.gitDir}/${file}.lock`, staged });
  if (repo.bare || ref !== 'HEAD') locks.push({ path: `${refPath(repo, ref)}.lock`, staged });
  return locks;
}

/**
 * The ref's own file, where locks can be links of it: it holds the old commit id already. One of another user cannot be
 * linked as a rule (protected_hardlinks in proc(5)).
 */
export function linkable({ fs, repo, euid }: Context, name: string, ref: Stat | null): string | null {
  return ref?.type === 'file' && ref.uid === euid && !fs.volatile ? refPath(repo, name) : null;
}

/** Gives the content of the engine's git locks: the id of the old commit. */
export function lockContent(old: string | null): Uint8Array {
  return new TextEncoder().encode(`${old ?? ZERO_OID}\n`);
}

/** The fields of a record that say which its locks are. */
type Locked = Pick<ChangeRecord, 'ref' | 'old' | 'lockInode'>;

/** Removes the locks of a record. Whose another one is nobody knows: it stays. */
export async function removeLocksOf(
  { repo }: Pick<Context, 'repo'>,
  boot: Boot,
  record: Locked,
): Promise<void> {
  const { fs, gitDir, commonDir } = repo;
  const ref = refPath(repo, record.ref);
  // Only a link makes a lock of the ref's own file; somebody may have moved the ref after the record was made.
  const linked = await fs.lstat(ref);
  const files = [ref, `${gitDir}/HEAD`, `${gitDir}/index`, `${commonDir}/packed-refs`];
  for (const path of new Set(files.map(file => `${file}.lock`))) {
    const stat = await fs.lstat(path);
    if (!stat) continue;
    const held = stat.ino === linked?.ino || isOurs(record, boot, stat, await contentOf(fs, path));
    if (held) await removeIfThere(fs, path);
  }
}

/**
 * True for a lock that is no link of the ref and that the record's change, or a repair of it, left behind: it holds the old commit
 * or zeros, also in a copy of the repository. No lock of git's does, but for the moment in which somebody sets the ref back to it.
 * A power cut may have taken the text of a ref's file that was never synced; without one, the inode of a lock that is given back
 * is soon another file's.
 */
function isOurs({ old, lockInode }: Locked, boot: Boot, stat: Stat, text: string): boolean {
  const content = latin1(lockContent(old));
  if (text === content || text === latin1(lockContent(null))) return true;
  return boot === 'other' && content.startsWith(text.replace(/^\0+$/, '')) && String(stat.ino) === lockInode;
}

async function contentOf(fs: Fs, path: string): Promise<string> {
  return latin1((await orNull(fs.readFile(path))) ?? new Uint8Array());
}

/**
 * Removes of these lock files those that are links of the file that held the ref until the change moved it. The engine's lock
 * may be lost: no other writer makes such links any more, and nobody else would know whose they are.
 */
export async function removeOldLocks(
  { fs, repo }: Context,
  { ref, oid }: Pick<TrailHead, 'ref' | 'oid'>,
  inode: string | null,
  paths: readonly string[],
): Promise<void> {
  const inodeOf = async (path: string): Promise<string> => String((await fs.lstat(path))?.ino);
  for (const path of paths) {
    if ((await inodeOf(path)) !== inode || (await inodeOf(refPath(repo, ref))) === inode) continue;
    // The number of a file that is gone is soon another one's; no lock of git's holds the old commit.
    if ((await contentOf(fs, path)) === latin1(lockContent(oid))) await removeIfThere(fs, path);
  }
}

/** Throws INVALID_INPUT when the trail has not begun and cannot, because another one has a part of its name. */
export async function checkName({ repo }: Context, { ref, oid }: TrailHead): Promise<void> {
  const other = oid === null && ref.startsWith('refs/vedit/') ? await refInTheWay(repo, ref) : null;
  if (other === null) return;
  const [wanted, there] = [ref, other].map(name => name.slice('refs/vedit/'.length));
  const message = `The history ${wanted} cannot begin: there is a history ${there}, and git keeps no two refs of which one is the folder of the other. Nothing was changed. Name another history, or move that one out of the way: git update-ref refs/vedit/${there!.replaceAll('/', '-')}-old ${other} && git update-ref -d ${other}`;
  throw new EditError('INVALID_INPUT', message, { field: 'trail', trail: wanted, in_the_way: there });
}

/**
 * Throws UNSUPPORTED_REPOSITORY when a ref or its log would be written through a link that the repository holds; `null` where
 * that was looked at before.
 */
export function checkPlaces(context: Context, { ref }: Pick<TrailHead, 'ref'>): Promise<void> | null {
  const known = checked.get(context.repo) ?? new Set<string>();
  checked.set(context.repo, known);
  return known.has(ref) ? null : lookAtPlaces(context, ref, known);
}

async function lookAtPlaces({ fs, repo }: Context, ref: string, known: Set<string>): Promise<void> {
  const { gitDir, commonDir } = repo;
  const folder = refFolder(repo, ref);
  if (ref.includes('/')) await assertNoSymlinks(fs, folder, `${folder}/${ref}`.replace(/\/[^/]*$/, ''));
  await assertNoSymlinks(fs, commonDir, `${commonDir}/logs/${ref}`);
  await assertNoSymlinks(fs, gitDir, `${gitDir}/logs/HEAD`);
  known.add(ref);
}

/** The refs that were looked at: a repository comes with such a link, it does not get one later. */
const checked = new WeakMap<Repository, Set<string>>();

/**
 * The ref that keeps a new one from being made, or `null`. Folders without refs, as a deleted ref leaves them behind,
 * are removed. Throws CORRUPT, STORE_FAILED.
 */
async function refInTheWay(repository: Repository, name: string): Promise<string | null> {
  const parts = name.split('/');
  for (let count = 2; count < parts.length; count++) {
    const above = parts.slice(0, count).join('/');
    if ((await readRef(repository, above)) !== null) return above;
  }
  const [below] = await listRefs(repository, `${name}/`);
  if (!below) await removeTree(repository.fs, refPath(repository, name), 'folders');
  return below?.name ?? null;
}

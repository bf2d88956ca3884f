/**
 * Reads refs, and deletes them: one file each, or a line of `packed-refs`; a linked worktree has some of its own
 * (gitrepository-layout(5), git-worktree(1) "Refs"). An empty or torn ref is damage, never a branch without commits.
 */

import { fromLatin1, fromUtf8, latin1, utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { createFile, parentOf, removeIfThere, syncFolder } from '../../fs/durable.ts';
import { corrupt, readFailed, reading } from '../../fs/failures.ts';
import { errno, isMissing, orNull } from '../../fs/fs.ts';
import type { WantedLock } from '../git-locks.ts';
import { type Repository, repositoryGone } from '../repository/repository.ts';

/** The value of one ref: another ref, or an id. */
type RefValue = { ref: string } | { oid: string };

export interface Head {
  /** The full name of the branch; `null` when HEAD is detached. */
  ref: string | null;
  /** The commit; `null` when the branch has none yet. */
  oid: string | null;
}

/** The most symbolic refs that are followed, as in git. */
const MAX_LINKS = 5;

/**
 * The id behind a full name (`HEAD`, `refs/heads/main`), symbolic refs followed, or `null` when there is none.
 * Throws CORRUPT, STORE_FAILED, INVALID_INPUT.
 */
export async function readRef(repository: Repository, name: string): Promise<string | null> {
  return (await followRef(repository, name)).oid;
}

/** Reads what is checked out. Throws as `readRef`. */
export async function readHead(repository: Repository): Promise<Head> {
  const { name, oid } = await followRef(repository, 'HEAD');
  if (name === 'HEAD' && oid === null) throw await headMissing(repository);
  return { ref: name === 'HEAD' ? null : name, oid };
}

/** Creates the error for a missing HEAD: the folder is damaged, or was removed, as `git worktree remove` does. */
async function headMissing(repository: Repository): Promise<EditError> {
  const { fs, gitDir } = repository;
  const isThere = await reading('the git folder', fs.lstat(gitDir));
  return isThere ? corrupt('HEAD', 'is missing', { ref: 'HEAD' }) : repositoryGone(repository);
}

/** Follows symbolic refs to the last one, which may not exist yet, and its id. Throws as `readRef`. */
export async function followRef(
  repository: Repository,
  start: string,
): Promise<{ name: string; oid: string | null }> {
  let name = start;
  for (let link = 0; link <= MAX_LINKS; link++) {
    if (!checkRefName(name)) throw badRefName(name);
    let value: RefValue | null;
    try {
      value = parseRef(name, await repository.fs.readFile(refPath(repository, name)));
    } catch (error) {
      // A folder in the place of the file is what an emptied folder of refs leaves behind, so it is no ref.
      if (!isMissing(error) && errno(error) !== 'EISDIR') throw readFailed(error, `the ref ${name}`);
      value = await readPacked(repository, name);
    }
    if (value === null || 'oid' in value) return { name, oid: value?.oid ?? null };
    name = value.ref;
  }
  throw corrupt(`the ref ${start}`, `leads through more than ${MAX_LINKS} symbolic refs`, { ref: start });
}

/** Returns the absolute path of the file that holds the ref. */
export function refPath(repository: Repository, name: string): string {
  return `${refFolder(repository, name)}/${name}`;
}

/** Returns the git folder below which the ref is: `HEAD`, its like and three folders belong to each worktree alone. */
export function refFolder({ gitDir, commonDir }: Repository, name: string): string {
  const own = !name.startsWith('refs/') || /^refs\/(bisect|worktree|rewritten)\//.test(name);
  return own ? gitDir : commonDir;
}

function parseRef(name: string, bytes: Uint8Array): RefValue {
  const text = fromUtf8(bytes) ?? latin1(bytes);
  const oid = /^([0-9a-f]{40})(?:\s|$)/.exec(text)?.[1];
  if (oid !== undefined) return { oid };
  const ref = /^ref:\s*(.*?)\s*$/s.exec(text)?.[1];
  if (ref !== undefined && checkRefName(ref)) return { ref };
  throw corrupt(`the ref ${name}`, text === '' ? 'is an empty file' : 'is damaged', { ref: name });
}

async function readPacked(repository: Repository, name: string): Promise<RefValue | null> {
  if (!name.startsWith('refs/')) return null;
  const text = await packedRefs(repository);
  const end = text.indexOf(` ${latin1(utf8(name))}\n`);
  if (end < 0) return null;
  const line = /(?:^|\n)([0-9a-f]{40})$/.exec(text.slice(Math.max(end - 41, 0), end));
  if (line === null) throw damagedPackedRefs();
  return { oid: line[1]! };
}

/** Reads `packed-refs`, one character a byte; '' when there is none. Throws CORRUPT for a torn one. */
export async function packedRefs({ fs, commonDir }: Repository): Promise<string> {
  const bytes = await reading('packed-refs', orNull(fs.readFile(`${commonDir}/packed-refs`)));
  const text = latin1(bytes ?? new Uint8Array(0));
  if (text !== '' && !text.endsWith('\n')) throw damagedPackedRefs();
  return text;
}

export function damagedPackedRefs(): EditError {
  return corrupt('the file packed-refs', 'is damaged', { ref: 'packed-refs' });
}

/** A component longer than this leaves no room for `.lock` in the 255 bytes that file systems allow. */
const MAX_COMPONENT_BYTES = 250;

/** Control characters, space, what revisions and globs give a meaning to, and parts that are hidden files or locks. */
const FORBIDDEN =
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)|\p{Surrogate}/u;

/** True when git allows the full name: `refs/...`, or one word in capitals such as `HEAD`. */
export function checkRefName(name: string): boolean {
  if (!name.startsWith('refs/')) return /^[A-Z_]+$/.test(name);
  if (FORBIDDEN.test(name)) return false;
  return name.split('/').every(part => utf8(part).length <= MAX_COMPONENT_BYTES);
}

function badRefName(name: string): EditError {
  const rule =
    'refs/<folder>/<name> without spaces, "..", "@{" and ~^:?*[\\, no part beginning with "." or ending in ".lock"';
  return new EditError('INVALID_INPUT', `${JSON.stringify(name)} is no name for a ref; use ${rule}`, {
    name,
  });
}

/*
 * A ref is deleted as git does it (refs/files-backend.c): under its lock and that of `packed-refs`, its value compared, first
 * its line in `packed-refs`, then its file, so that an old value never shows up again.
 */

/** Names the locks to hold. `staged` is the finished file that says whose they are. */
export function locksToDelete(repo: Repository, ref: string, staged: string): WantedLock[] {
  return [`${refPath(repo, ref)}.lock`, `${repo.commonDir}/packed-refs.lock`].map(path => ({ path, staged }));
}

/** Deletes a ref, with the locks held. False when it has another value, or is symbolic; then it stays. `temp` is a free path. */
export async function deleteRef(
  repo: Repository,
  ref: string,
  expected: string,
  temp: string,
): Promise<boolean> {
  const { name, oid } = await followRef(repo, ref);
  if (name !== ref || oid !== expected) return false;
  await unpack(repo, ref, temp);
  const path = refPath(repo, ref);
  if (await removeIfThere(repo.fs, path)) await syncFolder(repo.fs, parentOf(path));
  await removeIfThere(repo.fs, `${repo.commonDir}/logs/${ref}`);
  return true;
}

async function unpack(repo: Repository, ref: string, temp: string): Promise<void> {
  const text = await packedRefs(repo);
  const kept = withoutRef(text, latin1(utf8(ref)));
  if (kept === text) return;
  await createFile(repo.fs, temp, fromLatin1(kept));
  await repo.fs.rename(temp, `${repo.commonDir}/packed-refs`);
  await syncFolder(repo.fs, repo.commonDir);
}

/** Takes out the line of the ref, and the line below it that says what a tag leads to. */
function withoutRef(text: string, name: string): string {
  const at = text.indexOf(` ${name}\n`);
  if (at < 0) return text;
  const start = text.lastIndexOf('\n', at) + 1;
  let end = at + name.length + 2;
  if (text[end] === '^') end = text.indexOf('\n', end) + 1;
  return text.slice(0, start) + text.slice(end);
}

/** Removes folders that the ref left empty, up to the one at `top`. The locks must be released before. */
export async function removeEmptyFolders(repo: Repository, ref: string, top: string): Promise<void> {
  for (let folder = parentOf(ref); folder.startsWith(top) && folder !== top; folder = parentOf(folder)) {
    for (const at of [`${repo.commonDir}/${folder}`, `${repo.commonDir}/logs/${folder}`]) {
      await orNull(repo.fs.rmdir(at)).catch(error => {
        if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errno(error) ?? '')) throw error;
      });
    }
  }
}

/** Errors of the system in words (a full disk, a missing permission), and the refusals of a repository that is damaged or not supported. */

import { EditError, type ErrorData, internalError, thrownWords } from '../errors.ts';
import { errno, systemCode } from './fs.ts';

/** Words an error of the system, with its path, without the folders of this machine that a system's own message names. */
export function failureWords(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) return thrownWords(error);
  const { path, dest } = error as { path?: unknown; dest?: unknown };
  const places = [path, dest].filter(one => typeof one === 'string').map(shortPath);
  return [systemWords(code), ...(places.length > 0 ? [`at ${places.join(' -> ')}`] : [])].join(' ');
}

/** Words an error code of the system: `permission denied (EACCES)`. */
export function systemWords(code: string): string {
  const words = SYSTEM_WORDS[code];
  return words ? `${words} (${code})` : code;
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk reported an error',
  EBUSY: 'in use, or something is mounted there',
  EXDEV: 'on another file system than the rest',
  ENAMETOOLONG: 'the name is too long',
};

/** Shortens a path: in git's folder from there on; below an open folder from that on; else to the name. */
function shortPath(path: string): string {
  const found = /.*\/([^/]*\.git(?:\/.*)?)$/.exec(path) ?? /^\/(?:proc\/self|dev)\/fd\/\d+\/(.*)$/.exec(path);
  return found?.[1] ?? path.slice(path.lastIndexOf('/') + 1);
}

/** Creates STORE_FAILED for a read that failed, where something is there. An EditError passes through; a fault of ours stays one. */
export function readFailed(error: unknown, what: string): EditError {
  if (error instanceof EditError) return error;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return internalError(error);
  const cause = errno(error) ?? 'unknown error';
  const message = `reading ${what} failed: ${systemWords(cause)}; nothing was changed: retry, or look at the disk and the permissions`;
  return new EditError('STORE_FAILED', message, { what, cause }, { cause: error });
}

/** Creates CORRUPT for something in the repository that is there and cannot be right. */
export function corrupt(what: string, why: string, data: ErrorData = {}): EditError {
  const message = `${what} ${why}; run git fsck and restore it from another clone or a backup`;
  return new EditError('CORRUPT', message, { what, ...data });
}

/** Runs a read; what it throws becomes STORE_FAILED, naming `what`. */
export async function reading<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw readFailed(error, what);
  }
}

/** Creates the error for a git folder in parts, where no file gets from one to another in one step. */
export function onAnotherMount(error: unknown): EditError {
  const what = `a part of the git folder is ${failureWords(error)}`;
  return unsupported(
    what,
    'nothing was changed; mount the git folder as a whole, or vedit and refs of it together',
  );
}

/** Creates UNSUPPORTED_REPOSITORY. `next`: what to do instead. */
export function unsupported(what: string, next: string): EditError {
  return new EditError('UNSUPPORTED_REPOSITORY', `${what}; ${next}`, { feature: what });
}

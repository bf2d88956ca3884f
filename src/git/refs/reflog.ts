/**
 * The reflog of a ref, one line a move: `<old> <new> <name> <<email>> <seconds> <zone>\t<message>`
 * (git's refs/files-backend.c). It is what saves a user after a mistake, and isomorphic-git writes none.
 */

import { fromUtf8 } from '../../bytes.ts';
import { ensureFolder, parentOf, withOpen } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { ZERO_OID } from '../objects/object.ts';
import type { Repository } from '../repository/repository.ts';

export interface ReflogLine {
  old: string | null;
  new: string;
  /** `Name <email> seconds zone`, as in a commit. */
  committer: string;
  message: string;
}

/**
 * The log files that git would append to: by default those of branches and HEAD where there is a work tree, and any
 * that is there already; `core.logAllRefUpdates` says otherwise.
 */
export async function reflogPaths(fs: Fs, repo: Repository, ref: string, isHead: boolean): Promise<string[]> {
  const own = ref === 'HEAD' ? [] : [`${repo.commonDir}/logs/${ref}`];
  const head = isHead && !repo.bare ? [`${repo.gitDir}/logs/HEAD`] : [];
  const wanted = repo.config.get('core.logallrefupdates')?.toLowerCase() ?? String(!repo.bare);
  if (wanted === 'always') return [...own, ...head];
  const isTrue = ['true', 'yes', 'on', '1', ''].includes(wanted);
  if (isTrue && ref.startsWith('refs/heads/')) return [...own, ...head];
  const paths: string[] = [];
  for (const path of [...own, ...head])
    if ((isTrue && !own.includes(path)) || (await fs.lstat(path))) paths.push(path);
  return paths;
}

export async function appendReflog(fs: Fs, paths: readonly string[], line: ReflogLine): Promise<void> {
  const text = `${line.old ?? ZERO_OID} ${line.new} ${line.committer}\t${line.message}\n`;
  for (const path of paths) {
    const start = (await endsTorn(fs, path)) ? '\n' : '';
    await append(fs, path, new TextEncoder().encode(start + text));
  }
}

/** A move as it is read: `committer` and its time apart, in seconds since 1970. */
export interface LoggedMove extends Omit<ReflogLine, 'committer'> {
  seconds: number;
}

/** Reads the log of HEAD, oldest first; nothing where there is none. */
export async function readHeadLog({ fs, gitDir }: Repository): Promise<LoggedMove[]> {
  const bytes = await orNull(fs.readFile(`${gitDir}/logs/HEAD`));
  const lines = (bytes && fromUtf8(bytes))?.matchAll(LOGGED) ?? [];
  return [...lines].map(([, old, now, seconds, message]) => ({
    old: old === ZERO_OID ? null : old!,
    new: now!,
    seconds: Number(seconds),
    message: message!,
  }));
}

const LOGGED = /^([0-9a-f]{40}) ([0-9a-f]{40}) .*> (\d+) [+-]\d{4}\t(.*)$/gm;

/** True when a crash or a full disk left half a line: git passes over it as long as nothing is glued to it. */
async function endsTorn(fs: Fs, path: string): Promise<boolean> {
  const last = withOpen(fs, path, 'read', async handle => {
    const { size } = await handle.stat();
    return size === 0 ? NEWLINE : (await handle.read(size - 1, 1))[0];
  });
  return ((await orNull(last)) ?? NEWLINE) !== NEWLINE;
}

const NEWLINE = 0x0a;

async function append(fs: Fs, path: string, bytes: Uint8Array): Promise<void> {
  await ensureFolder(fs, parentOf(path));
  await withOpen(fs, path, 'append', handle => handle.write(bytes));
}

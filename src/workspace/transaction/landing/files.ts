/**
 * The files of landings, which outlive the process that made them: the git that it started goes on when it is killed, and
 * commits the index that it was given. So they lie outside of what recovery empties, and go when that git has ended:
 *
 *     land/<name>.index      what git commits
 *     land/<name>.message    the message for it
 *     land/<name>            the socket that git inherits: whoever can connect to it knows that somebody still has it open
 *     land/<name>.git        which process that git is, in the form of a lock file
 *
 * `<name>` is that of the record of the landing in the journal.
 */

import { removeIfThere } from '../../../fs/durable.ts';
import { orNull } from '../../../fs/fs.ts';
import type { Context } from '../../context.ts';

export interface LandingFiles {
  folder: string;
  index: string;
  message: string;
  socket: string;
  git: string;
}

type Where = Pick<Context, 'fs' | 'folder'>;

export function landingFiles({ folder: engine }: Pick<Context, 'folder'>, name: string): LandingFiles {
  const folder = `${engine}/land`;
  const socket = `${folder}/${name}`;
  return { folder, index: `${socket}.index`, message: `${socket}.message`, socket, git: `${socket}.git` };
}

/** Removes all files of one landing, also those that git made beside its index, and the folder if it is empty then. */
export async function removeLanding(where: Where, name: string): Promise<void> {
  const { fs } = where;
  const { folder } = landingFiles(where, name);
  for (const file of (await namesIn(where)) ?? [])
    if (file === name || file.startsWith(`${name}.`)) await removeIfThere(fs, `${folder}/${file}`);
  await fs.rmdir(folder).catch(() => {});
}

/** The names of the landings that left files. A folder without any goes. */
export async function leftLandings(where: Where): Promise<string[]> {
  const files = await namesIn(where);
  if (files?.length === 0) await where.fs.rmdir(`${where.folder}/land`).catch(() => {});
  return [...new Set(files?.flatMap(file => /^[0-9a-f]{24}\.\d+/.exec(file)?.[0] ?? []))];
}

/** `null` without the folder. A repository may come with a link in its place, and nothing is removed through that. */
async function namesIn({ fs, folder }: Where): Promise<string[] | null> {
  const stat = await fs.lstat(`${folder}/land`);
  return stat?.type === 'directory' ? orNull(fs.readdir(`${folder}/land`)) : null;
}

/**
 * The state of the work tree when it was last looked at, as an index of git's own form that is nobody else's: git lists by it
 * what changed since. It is only written here, whole and by a rename, after what it says was recorded.
 */

import { utf8 } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { lookFolder, replaceOwn } from '../../engine/origins/own-files.ts';
import { ensureFolder } from '../../fs/durable.ts';
import { lstatOf, orNull } from '../../fs/fs.ts';
import { readIndexEntry, updateIndex } from '../../git/index/file.ts';
import { racilyDirty } from '../../git/index/racy.ts';
import type { SeenFile } from './present.ts';

const INDEX = 'seen.index';
const EXCLUDES = 'seen.exclude';

export function seenIndexPath(context: Context): string {
  return `${lookFolder(context)}/${INDEX}`;
}

/** Names what is never looked at: repositories inside this one. */
export function excludesPath(context: Context): string {
  return `${lookFolder(context)}/${EXCLUDES}`;
}

/** True where somebody looked before. */
export async function hasLooked(context: Context): Promise<boolean> {
  return (await context.fs.lstat(seenIndexPath(context)))?.type === 'file';
}

/** Tells whether a path was there at the last look; none where nobody looked. */
export async function seenBefore(context: Context): Promise<(path: string) => boolean> {
  const bytes = await orNull(context.fs.readFile(seenIndexPath(context)));
  return path => bytes !== null && readIndexEntry(bytes, path) !== null;
}

/** Says of each file that it was looked at as it is. The first time it goes on from the user's own index. */
export async function noteSeen(context: Context, files: readonly SeenFile[]): Promise<void> {
  const { fs, codec, repo } = context;
  const path = seenIndexPath(context);
  const own = await orNull(fs.readFile(path));
  if (own !== null && files.length === 0) return;
  await ensureFolder(fs, lookFolder(context));
  const bytes = own ?? (await orNull(fs.readFile(`${repo.gitDir}/index`)));
  const smudged = own && (await hiddenChanges(context, own, path));
  const sha1 = (content: Uint8Array): Promise<string> | string => codec.sha1(content);
  const changed = await updateIndex(bytes, files.map(entryOf), sha1, smudged ?? []);
  await replaceOwn(context, lookFolder(context), INDEX, changed);
}

function entryOf({ path, mode, oid, stat }: SeenFile): Parameters<typeof updateIndex>[1][number] {
  return { path, entry: stat && { mode, oid, stat } };
}

/** Finds files that changed in the second in which the index was written, with the same size. */
async function hiddenChanges(
  { fs, codec, repo }: Context,
  index: Uint8Array,
  path: string,
): Promise<Uint8Array[]> {
  const writtenNs = (await lstatOf(fs, path)).mtimeNs;
  const hash = (content: Uint8Array): Promise<string> | string => codec.hash('blob', content);
  return racilyDirty({ fs, workDir: repo.workDir!, index, writtenNs, hash });
}

/** Leaves out of later looks what git lists and nobody can record. `folders` end with a slash. */
export async function noteExcluded(context: Context, folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const path = excludesPath(context);
  const before = (await orNull(context.fs.readFile(path))) ?? new Uint8Array();
  const lines = folders.map(folder => `/${folder.replace(/[\\*?[\]#! ]/g, '\\$&')}\n`);
  const text = new TextDecoder().decode(before) + lines.join('');
  await ensureFolder(context.fs, lookFolder(context));
  await replaceOwn(context, lookFolder(context), EXCLUDES, utf8(text));
}

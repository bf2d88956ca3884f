/**
 * The state of the work tree when it was last looked at, as an index of git's own form that is nobody else's: by it git lists
 * what changed since, or the engine by the state of every file. It is only written here, whole and by a rename, after what it says was recorded.
 */

import { nameOf, utf8 } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { lookFolder } from '../../engine/origins/looked.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { ensureFolder } from '../../fs/durable.ts';
import { lstatOf, orNull, type Stat } from '../../fs/fs.ts';
import { replaceOwn } from '../../fs/own-files.ts';
import { entryAt } from '../../git/index/entry.ts';
import { emptyIndex, readIndexEntry, updateIndex } from '../../git/index/file.ts';
import { assertWhole, parseIndex } from '../../git/index/format.ts';
import { isUnchanged, racilyDirty } from '../../git/index/racy.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { quietGit, type RunGit } from '../../git/run-git.ts';
import type { SeenFile } from './seen-changes.ts';

const INDEX = 'seen.index';
const EXCLUDES = 'seen.exclude';

function seenIndexPath(context: Context): string {
  return `${lookFolder(context)}/${INDEX}`;
}

/** Names what is never looked at: repositories inside this one. */
function excludesPath(context: Context): string {
  return `${lookFolder(context)}/${EXCLUDES}`;
}

/** Tells whether a path was there at the last look; none where nobody looked. */
export async function seenBefore(context: Context): Promise<(path: string) => boolean> {
  const bytes = await orNull(context.fs.readFile(seenIndexPath(context)));
  return path => bytes !== null && readIndexEntry(bytes, path) !== null;
}

/** Says of each file that it was looked at as it is. The first time it goes on from the user's own index. */
export async function noteSeen(context: Context, files: readonly SeenFile[]): Promise<void> {
  const { fs, codec } = context;
  const path = seenIndexPath(context);
  const own = await orNull(fs.readFile(path));
  if (own !== null && files.length === 0) return;
  await ensureFolder(fs, lookFolder(context));
  const sha1 = (content: Uint8Array): Promise<string> | string => codec.sha1(content);
  const bytes = own ?? (await orNull(fs.readFile(`${context.repo.gitDir}/index`)));
  // Without what tells git to pass over them.
  const gone = own ? [] : (await passedOver(context)).map(path => ({ path, entry: null }));
  const plain = gone.length > 0 ? await updateIndex(bytes, gone, sha1) : bytes;
  const smudged = own && (await hiddenChanges(context, own, path));
  const changed = await updateIndex(plain, files.map(entryOf), sha1, smudged ?? []);
  await replaceOwn(context, lookFolder(context), INDEX, changed);
}

/** Lists the files that are there, and that the user's index tells git to pass over. */
async function passedOver(context: Context): Promise<string[]> {
  const index = parseIndex(
    (await orNull(context.fs.readFile(`${context.repo.gitDir}/index`))) ?? emptyIndex(),
  );
  const found: string[] = [];
  for (let i = 0; i < index.count; i++) {
    const { assumeValid, skipWorktree } = entryAt(index, i);
    const name = assumeValid || skipWorktree ? nameOf(index.name(i)) : null;
    if (name !== null && (await context.fs.lstat(`${context.repo.workDir}/${name}`))) found.push(name);
  }
  return found;
}

/** Lists the repositories inside this one, submodules too, that are there: nothing in them is looked at. */
export async function foldersInside(context: Context): Promise<string[]> {
  const { fs, repo } = context;
  const lines = (await excludes(context)).split('\n').filter(Boolean);
  const index = parseIndex((await context.index.read()) ?? emptyIndex());
  const all = new Set(lines.map(line => line.slice(1).replace(/\\(.)/g, '$1')));
  for (let i = 0; i < index.count; i++)
    if (entryAt(index, i).mode === '160000') all.add(`${nameOf(index.name(i))}/`);
  const found: string[] = [];
  for (const folder of all) if (await fs.lstat(`${repo.workDir}/${folder.slice(0, -1)}`)) found.push(folder);
  return found;
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

/** Leaves the folders out of later looks: git lists them, and nobody can record them. They end with a slash. */
export async function noteExcluded(context: Context, paths: readonly string[]): Promise<void> {
  const folders = paths.filter(path => path.endsWith('/'));
  if (folders.length === 0) return;
  const lines = folders.map(folder => `/${folder.replace(/[\\*?[\]#! ]/g, '\\$&')}\n`);
  const text = (await excludes(context)) + lines.join('');
  await replaceOwn(context, lookFolder(context), EXCLUDES, utf8(text));
}

async function excludes(context: Context): Promise<string> {
  const bytes = await orNull(context.fs.readFile(excludesPath(context)));
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

/** Characters of a list of changed files. */
const LONGEST_LIST = 64 * 1024 * 1024;

/** Lists what changed. git lists by the private index; the first time by the user's, with what is staged and what the trail has otherwise. */
export async function listChanged(context: Context, git: RunGit | undefined): Promise<string[]> {
  const isFirst = (await context.fs.lstat(seenIndexPath(context)))?.type !== 'file';
  const names = (git && (await gitsList(context, git, isFirst))) ?? (await walkChanged(context, isFirst));
  if (!isFirst) return names;
  return [...new Set([...names, ...(await passedOver(context)), ...(await trailsOwn(context))])];
}

async function gitsList(context: Context, git: RunGit, isFirst: boolean): Promise<string[] | null> {
  const { repo } = context;
  const args = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'];
  const path = excludesPath(context);
  const own = (await context.fs.lstat(path)) ? ['-X', path] : [];
  const env = isFirst ? {} : { GIT_INDEX_FILE: seenIndexPath(context) };
  const run = async (words: string[]): Promise<string[] | null> => {
    const call = { args: words, cwd: repo.workDir!, env, limit: LONGEST_LIST };
    const result = await quietGit(git)(call);
    return result?.code === 0 ? [...new Set(result.stdout.split('\0').filter(Boolean))] : null;
  };
  const names = await run([...args, ...own]);
  if (names === null || !isFirst) return names;
  const staged =
    (await run(['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff'])) ?? [];
  return [...names, ...staged];
}

/** Lists the paths that the trail holds otherwise than HEAD. */
async function trailsOwn(context: Context): Promise<string[]> {
  const { tree, head } = await openTrail(context);
  if (head === null || tree === null) return [];
  const { tree: before } = parseCommit((await context.objects.read(head)).content);
  return (await diffTrees(context.objects, before, tree)).map(({ path }) => path);
}

/** Lists names as git does, without it: every file is looked at. Throws STORE_FAILED, and what parseIndex throws. */
async function walkChanged(context: Context, isFirst: boolean): Promise<string[]> {
  const { fs, repo } = context;
  const path = isFirst ? `${repo.gitDir}/index` : seenIndexPath(context);
  const bytes = await orNull(fs.readFile(path));
  if (bytes) assertWhole(bytes);
  const index = parseIndex(bytes ?? emptyIndex());
  const written = bytes ? (await lstatOf(fs, path)).mtimeNs : 0n;
  const known = new Map(Array.from({ length: index.count }, (_, i) => [nameOf(index.name(i)), i]));
  const isIgnored = context.guards.ignored();
  const changed: string[] = [];
  const visit = async (name: string, stat: Stat): Promise<void> => {
    if (stat.type === 'directory') return (await isIgnored(name, true)) ? undefined : walk(`${name}/`);
    const at = stat.type === 'other' ? undefined : known.get(name);
    known.delete(name);
    const isSame = at === undefined ? await isIgnored(name, false) : isUnchanged(index, at, stat, written);
    if (!isSame && stat.type !== 'other') changed.push(name);
  };
  /** Repositories inside are passed over. */
  const walk = async (folder: string): Promise<void> => {
    const names = (await orNull(fs.readdir(`${repo.workDir}/${folder}`))) ?? [];
    if (folder !== '' && names.includes('.git')) return;
    for (const name of names.filter(one => one !== '.git').sort()) {
      const stat = await fs.lstat(`${repo.workDir}/${folder}${name}`);
      if (stat) await visit(folder + name, stat);
    }
  };
  await walk('');
  return [...changed, ...known.keys()];
}

/**
 * The state of the work tree when it was last looked at, as an index of git's own form that is nobody else's: by it git lists
 * what changed since, or the engine by the state of every file. It is only written here, whole and by a rename, after what it says was recorded.
 */

import { nameOf, utf8 } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { lookFolder, replaceOwn } from '../../engine/origins/own-files.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { ensureFolder } from '../../fs/durable.ts';
import { type Fs, lstatOf, orNull, type Stat } from '../../fs/fs.ts';
import { readIndexEntry, updateIndex } from '../../git/index/file.ts';
import { assertWhole, EXTENDED, FLAGS_AT, parseIndex } from '../../git/index/format.ts';
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
  const { fs, codec } = context;
  const path = seenIndexPath(context);
  const own = await orNull(fs.readFile(path));
  if (own !== null && files.length === 0) return;
  await ensureFolder(fs, lookFolder(context));
  const bytes = own ?? (await usersIndex(context))?.bytes ?? null;
  const smudged = own && (await hiddenChanges(context, own, path));
  const sha1 = (content: Uint8Array): Promise<string> | string => codec.sha1(content);
  const changed = await updateIndex(bytes, files.map(entryOf), sha1, smudged ?? []);
  await replaceOwn(context, lookFolder(context), INDEX, changed);
}

/** The user's index without what tells git to pass over files that are there, and the names of those. */
async function usersIndex({ fs, repo }: Context): Promise<{ bytes: Uint8Array; passed: string[] } | null> {
  const users = await orNull(fs.readFile(`${repo.gitDir}/index`));
  if (users === null) return null;
  const bytes = users.slice();
  const index = parseIndex(bytes);
  const passed: string[] = [];
  for (let i = 0; i < index.count; i++) {
    const at = index.starts[i]! + FLAGS_AT;
    const isExtended = (bytes[at]! & (EXTENDED >> 8)) !== 0;
    const isSkipped = isExtended && (bytes[at + 2]! & SKIP_WORKTREE) !== 0;
    if (!isSkipped && (bytes[at]! & ASSUME_VALID) === 0) continue;
    const name = nameOf(index.name(i));
    if ((await fs.lstat(`${repo.workDir}/${name}`)) === null) continue;
    bytes[at]! &= ~ASSUME_VALID;
    if (isSkipped) bytes[at + 2]! &= ~SKIP_WORKTREE;
    passed.push(name);
  }
  return { bytes, passed };
}

/** Bits of the first byte of an entry's flags, and of its further flags. */
const ASSUME_VALID = 0x80;
const SKIP_WORKTREE = 0x40;

/** Lists the repositories inside this one, submodules too, that are there: nothing in them is looked at. */
export async function foldersInside(context: Context): Promise<string[]> {
  const { fs, repo } = context;
  const listed = (await orNull(fs.readFile(excludesPath(context)))) ?? new Uint8Array();
  const lines = new TextDecoder().decode(listed).split('\n').filter(Boolean);
  const bytes = await context.index.read();
  const index = bytes && parseIndex(bytes);
  const all = new Set(lines.map(line => line.slice(1).replace(/\\(.)/g, '$1')));
  for (let i = 0; index && i < index.count; i++)
    if ((index.bytes[index.starts[i]! + MODE_AT]! & 0xf0) === GITLINK) all.add(`${nameOf(index.name(i))}/`);
  const found: string[] = [];
  for (const folder of all) if (await fs.lstat(`${repo.workDir}/${folder.slice(0, -1)}`)) found.push(folder);
  return found;
}

/** Where the type is in an entry, and the one of a commit of another repository. */
const MODE_AT = 26;
const GITLINK = 0xe0;

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

/** Characters of a list of changed files. */
const LONGEST_LIST = 64 * 1024 * 1024;

/** Lists what changed. git lists by the private index; the first time by the user's, with what is staged and what the trail has otherwise. */
export async function listChanged(
  context: Context,
  { git, walks, isFirst }: { git?: RunGit | undefined; walks?: boolean | undefined; isFirst: boolean },
): Promise<string[] | null> {
  const names =
    (git && (await gitsList(context, git, isFirst))) ?? (walks ? await walkChanged(context) : null);
  if (!names || !isFirst) return names;
  const passed = (await usersIndex(context))?.passed ?? [];
  return [...new Set([...names, ...passed, ...(await trailsOwn(context))])];
}

async function gitsList(context: Context, git: RunGit, isFirst: boolean): Promise<string[] | null> {
  const { repo } = context;
  const args = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'];
  const excludes = (await context.fs.lstat(excludesPath(context))) ? ['-X', excludesPath(context)] : [];
  const env = isFirst ? {} : { GIT_INDEX_FILE: seenIndexPath(context) };
  const run = async (words: string[]): Promise<string[] | null> => {
    const call = { args: words, cwd: repo.workDir!, env, limit: LONGEST_LIST };
    const result = await quietGit(git)(call);
    return result?.code === 0 ? [...new Set(result.stdout.split('\0').filter(Boolean))] : null;
  };
  const names = await run([...args, ...excludes]);
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
async function walkChanged(context: Context): Promise<string[]> {
  const { fs, repo } = context;
  const path = (await hasLooked(context)) ? seenIndexPath(context) : `${repo.gitDir}/index`;
  const bytes = await orNull(fs.readFile(path));
  if (bytes) assertWhole(bytes);
  const index = bytes && parseIndex(bytes);
  const written = bytes ? (await lstatOf(fs, path)).mtimeNs : 0n;
  const known = new Map(Array.from({ length: index?.count ?? 0 }, (_, i) => [nameOf(index!.name(i)), i]));
  const isIgnored = context.guards.ignored();
  const changed: string[] = [];
  const visit = async (name: string, stat: Stat): Promise<void> => {
    const at = known.get(name);
    known.delete(name);
    const isSame = at === undefined ? await isIgnored(name, false) : isUnchanged(index!, at, stat, written);
    if (!isSame) changed.push(name);
  };
  await walk(fs, repo.workDir!, '', { visit, skip: async name => !known.has(name) && isIgnored(name, true) });
  return [...changed, ...known.keys()];
}

interface Visitor {
  visit(name: string, stat: Stat): Promise<void>;
  skip(folder: string): Promise<boolean>;
}

/** Visits every file and link below a folder. Repositories inside are passed over. */
async function walk(fs: Fs, root: string, folder: string, visitor: Visitor): Promise<void> {
  const names = (await orNull(fs.readdir(`${root}/${folder}`))) ?? [];
  if (folder !== '' && names.includes('.git')) return;
  for (const name of names.sort()) {
    if (name === '.git') continue;
    const path = folder + name;
    const stat = await fs.lstat(`${root}/${path}`);
    if (stat?.type === 'file' || stat?.type === 'symlink') await visitor.visit(path, stat);
    else if (stat?.type === 'directory' && !(await visitor.skip(path)))
      await walk(fs, root, `${path}/`, visitor);
  }
}

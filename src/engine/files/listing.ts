/** A folder as a listing of two levels, without what git ignores. */

import { fromLatin1, nameOf } from '../../bytes.ts';
import { shownName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isTree, parseTree } from '../../git/objects/tree-entries.ts';
import { pathIn } from '../../git/paths.ts';
import type { StoreEntry } from '../../stores/store.ts';
import { fieldName, look, pathName } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import { type Context, toTrail } from '../context.ts';
import type { Snapshot } from './snapshot.ts';

const LEVELS = 2;
/** A longer listing is cut, with a notice. */
export const MAX_ENTRIES = 1_000;

type Lister = (folder: string) => ReturnType<typeof sortedEntries>;

export interface FolderView {
  kind: 'folder';
  path: string;
  commit: string | null;
  /** Paths from the workspace's root, folders with a slash. */
  entries: string[];
  /** Those of the entries that are symbolic links, to files or folders; absent where none is. */
  links?: string[];
  cut: boolean;
  // A program that names a file need not ask first whether it is one.
  version?: undefined;
  recorded?: undefined;
  mode?: undefined;
  from?: undefined;
  to?: undefined;
  lines?: undefined;
  bytes?: undefined;
  text?: undefined;
}

export interface ListOptions {
  /** Lists the folder as it is in this tree, the one of the commit `at`; else as it is now. */
  tree: string | null;
  at: string | null;
  limit: number;
  most: number;
}

/** Lists the entries that fit, as they are on disk or in a tree. Throws FILE_NOT_FOUND. */
export async function listFolder(
  snapshot: Snapshot,
  folder: string,
  { tree, at, limit, most }: ListOptions,
): Promise<Answer<FolderView>> {
  const { trail } = snapshot;
  const list: Lister = path => sortedEntries(snapshot, path, tree);
  const top = await list(folder);
  if (!top && folder !== '')
    throw new EditError('FILE_NOT_FOUND', `There is no folder ${pathName(folder)}.`, { path: folder });
  const found: ListedPath[] = [];
  for await (const one of listed(list, folder, top?.entries ?? [], LEVELS)) {
    found.push(one);
    // One more tells that there are more.
    if (found.length > most) break;
  }
  const commit = at ?? trail.tip ?? trail.head;
  const paths = found.slice(0, most).map(({ path }) => path);
  const shown = fitting(paths, limit);
  const linked = found.slice(0, shown.length).filter(({ isLink }) => isLink);
  const notices = [
    `[${folder ? pathName(folder) : 'the workspace'}: 2 levels, without files that git ignores]`,
  ];
  if (found.length > shown.length) notices.unshift(cutWords(shown.length, found.length, { limit, most }));
  return {
    message: [
      ...shown.map(one => (shownName(one) === one ? pathName(one) : entryWords(one))),
      ...notices,
    ].join('\n'),
    data: {
      kind: 'folder',
      path: folder,
      commit,
      entries: shown,
      ...(linked.length > 0 ? { links: linked.map(({ path }) => path) } : {}),
      cut: found.length > shown.length,
    },
  };
}

/** Larger folders are not looked through for a name. */
const LARGE = 500;

/** The names in one folder, folders with a slash; `null` where there is no such folder, or one with very many names. */
export async function namesIn(
  snapshot: Snapshot,
  folder: string,
  tree: string | null,
): Promise<string[] | null> {
  const listed = await sortedEntries(snapshot, folder, tree, LARGE);
  if (!listed) return null;
  return listed.entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name)).sort();
}

/**
 * The entries of a folder, now or in a tree, with those that git ignores apart; `null` where there is no such folder, or one
 * with more than `most` entries.
 */
export async function sortedEntries(
  snapshot: Snapshot,
  folder: string,
  tree: string | null = null,
  most?: number,
): Promise<{ entries: StoreEntry[]; ignored: StoreEntry[] } | null> {
  const { context, trail } = snapshot;
  const source = tree ?? (context.store.separate ? null : trail.tree);
  const all = await (source
    ? listTree(context, source, folder)
    : context.store.list(folder, most && most + 1));
  if (!all || (most !== undefined && all.length > most)) return null;
  const kept = new Set(source ? all : await withoutIgnored(snapshot, folder, all));
  return { entries: all.filter(one => kept.has(one)), ignored: all.filter(one => !kept.has(one)) };
}

/** An entry of a listing, to be sent back as it stands; of what no call can name, with a word that says so. */
function entryWords(entry: string): string {
  const name = shownName(entry);
  return name === entry ? entry : `${name} (a name that no call can give)`;
}

function fitting(entries: readonly string[], limit: number): string[] {
  let size = 0;
  const end = entries.findIndex(entry => {
    size += entryWords(entry).length + 1;
    return size > limit;
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

function cutWords(
  shown: number,
  found: number,
  { limit, most }: Pick<ListOptions, 'limit' | 'most'>,
): string {
  if (shown === most) return `[cut at ${most} entries: ${look('folder')} a folder below]`;
  const all = found > most ? `more than ${most}` : found;
  return `[cut at ${limit} characters: ${shown} of ${all} entries are shown; ${look('folder')} a folder below, or give a larger ${fieldName('max_characters')}]`;
}

interface ListedPath {
  /** The path; of a folder, with a slash at its end. */
  path: string;
  isLink: boolean;
}

/** Yields these entries of a folder, each folder with what is in it, so many levels deep. */
async function* listed(
  list: Lister,
  folder: string,
  entries: readonly StoreEntry[],
  levels: number,
): AsyncGenerator<ListedPath> {
  for (const { name, type } of entries) {
    const path = pathIn(folder, name);
    const isFolder = type === 'directory';
    yield { path: isFolder ? `${path}/` : path, isLink: type === 'symlink' };
    if (isFolder && levels > 1) yield* listed(list, path, (await list(path))?.entries ?? [], levels - 1);
  }
}

/** Leaves out what git ignores, but for files that are recorded all the same. */
async function withoutIgnored(
  snapshot: Snapshot,
  folder: string,
  entries: readonly StoreEntry[],
): Promise<StoreEntry[]> {
  const { context } = snapshot;
  const ignored = context.guards.ignored();
  const kept: StoreEntry[] = [];
  for (const entry of entries) {
    if (folder === '' && entry.name === '.git') continue;
    const path = pathIn(folder, entry.name);
    const isIgnored = await ignored(toTrail(context, path), entry.type === 'directory');
    if (!isIgnored || (await snapshot.recorded(path))) kept.push(entry);
  }
  return kept;
}

async function listTree(context: Context, tree: string, folder: string): Promise<StoreEntry[] | null> {
  const path = toTrail(context, folder).replace(/\/$/, '');
  const ref = await lookup(context.objects, tree, path);
  if (!ref || !isTree(ref.mode)) return null;
  const entries = parseTree((await context.objects.read(ref.oid, 'tree')).content);
  return entries.map(({ name, mode }) => ({ name: nameOf(fromLatin1(name)), type: typeOf(mode) }));
}

function typeOf(mode: string): StoreEntry['type'] {
  if (isTree(mode)) return 'directory';
  if (mode === '120000') return 'symlink';
  return mode.startsWith('100') ? 'file' : 'other';
}

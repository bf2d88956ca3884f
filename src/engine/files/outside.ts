/** Changes that did not come through the engine and are not recorded yet: what the next edit would record first. */

import { EditError, type ErrorCode } from '../../errors.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { pathIn } from '../../git/paths.ts';
import { isBelow } from '../../history/changed-paths.ts';
import type { TrailHead } from '../../history/head.ts';
import { renamesOf } from '../../history/renames.ts';
import { treeOf, walkRows } from '../../history/walk.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type Context, fromTrail, toTrail } from '../context.ts';
import { overRecorded } from './conversion.ts';
import { sortedEntries } from './listing.ts';
import { recordedFile, type Snapshot } from './snapshot.ts';

export interface OutsideChange {
  path: string;
  kind: 'modified' | 'deleted' | 'created';
  /** The file as it is recorded, and as git would record it now. */
  before: StoredFile | null;
  after: StoredFile | null;
  /** Why the file that is there cannot be read; `after` is `null` then. */
  unreadable?: ErrorCode;
}

export interface OutsideChanges {
  changes: OutsideChange[];
  checked: number;
}

/** The paths of so many newest commits are looked at, however long the trail is. */
export const RECENT_COMMITS = 100;

/**
 * Looks at the files that the engine edited: beside a branch those that differ from it now, and everywhere those of
 * the newest commits. `only`: this file, edited or not, or this folder.
 */
export async function outsideChanges(snapshot: Snapshot, only?: string): Promise<OutsideChanges> {
  const { context, trail } = snapshot;
  if (!context.store.separate) return { changes: [], checked: 0 };
  const wanted = only === undefined ? undefined : await snapshot.resolve(only);
  const paths = await editedPaths(context, trail, RECENT_COMMITS);
  if (wanted !== undefined) {
    const isRecorded = (await snapshot.recorded(wanted))?.mode.startsWith('100');
    if (isRecorded || (await present(snapshot, wanted))?.file) paths.add(toTrail(context, wanted));
  }
  const own = [...paths].map(path => fromTrail(context, path)).filter(path => path !== null);
  const chosen = own.filter(path => isBelow(path, wanted)).sort();
  const changes: OutsideChange[] = [];
  for (const path of chosen) {
    const change = await outsideChange(snapshot, path);
    if (change) changes.push(change);
  }
  return { changes, checked: chosen.length };
}

/** The paths that were edited through the engine, as the trail records them: by its newest commits, and beside the branch all that differs from it. */
export async function editedPaths(
  { objects }: Context,
  trail: TrailHead,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Set<string>> {
  const paths = new Set<string>();
  if (!trail.checkedOut && trail.tip) {
    const seen = trail.seen ? await treeOf(objects, trail.seen) : null;
    for (const change of await diffTrees(objects, seen, trail.tree)) if (change.utf8) paths.add(change.path);
  }
  const walk = walkRows(objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut, limit });
  for await (const rows of walk) for (const row of rows) for (const path of row.paths) paths.add(path);
  return paths;
}

async function outsideChange(snapshot: Snapshot, path: string): Promise<OutsideChange | null> {
  const { context, conversion } = snapshot;
  const recorded = await snapshot.recorded(path);
  if (recorded && !recorded.mode.startsWith('100')) return null;
  const found = await present(snapshot, path);
  if (!found || (!found.unreadable && (await conversion.isRecorded(path, found.file, recorded)))) return null;
  const { file, unreadable } = found;
  const before = recorded && (await recordedFile(context, path, recorded));
  const after = file && (await conversion.recorded(path, file, overRecorded(context, recorded)));
  const kind = !file && !unreadable ? 'deleted' : recorded ? 'modified' : 'created';
  return { path, kind, before, after, ...(unreadable ? { unreadable } : {}) };
}

/** Reads the present file; `null` for one that a sparse checkout leaves out. A folder in place of a file means that the file is gone. */
async function present(
  snapshot: Snapshot,
  path: string,
): Promise<{ file: StoredFile | null; unreadable?: ErrorCode } | null> {
  try {
    return { file: await snapshot.file(path) };
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    if (error.code === 'FILE_NOT_FOUND') return null;
    // It lies below a link now: the file is gone.
    if (error.code === 'OUTSIDE_WORKSPACE' && (await snapshot.entry(path)) === null) return { file: null };
    return error.code === 'IS_DIRECTORY' ? { file: null } : { file: null, unreadable: error.code };
  }
}

/** A file that is there, and that the trail does not know. */
interface NewFile {
  path: string;
  file: StoredFile;
}

/** Returns the old names of files by the new ones, as the trail names them: of edited files, and of others that are gone nearby. */
export async function movedFiles(snapshot: Snapshot, come: readonly NewFile[]): Promise<Map<string, string>> {
  const edited = await goneFiles(snapshot);
  const known = new Set(edited.map(({ path }) => path));
  const near: OutsideChange[] = [];
  for (const path of come.length > MOST_NEW ? [] : await goneNear(snapshot, come)) {
    const change = known.has(path) ? null : await outsideChange(snapshot, path);
    if (change?.kind === 'deleted') near.push(change);
  }
  return renamed(snapshot, [...edited, ...near], come);
}

async function goneFiles(snapshot: Snapshot): Promise<OutsideChange[]> {
  const { changes } = await outsideChanges(snapshot);
  return [...changes, ...(await renamedByHead(snapshot))].filter(({ kind }) => kind === 'deleted');
}

/** The most new files at once of which each is looked for nearby. */
const MOST_NEW = 100;

/** The most entries of a folder that is looked through for what is gone. */
const MOST_NEAR = 500;

/**
 * Lists recorded files that are gone from the folder of a new one or from those above it, and from its place in a folder beside
 * one of these: so a file and a folder are renamed, and a file is moved from one folder to the next.
 */
async function goneNear(snapshot: Snapshot, come: readonly NewFile[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { path } of come) {
    const parts = path.split('/');
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const folder = parts.slice(0, depth).join('/');
      const known = await sortedEntries(snapshot, folder, snapshot.trail.tree, MOST_NEAR);
      const there = await sortedEntries(snapshot, folder);
      const names = new Set(there?.entries.flatMap(({ name, type }) => (type === 'file' ? name : [])));
      for (const { name, type } of known?.entries ?? []) {
        if (names.has(name)) continue;
        const below = parts.slice(depth + 1).join('/') || parts.at(-1)!;
        found.add(pathIn(folder, type === 'directory' ? `${name}/${below}` : name));
      }
    }
  }
  return found;
}

function renamed(
  snapshot: Snapshot,
  gone: readonly OutsideChange[],
  come: readonly NewFile[],
): Promise<Map<string, string>> {
  const sides = [
    ...gone.map(({ path, before }) => ({ path, before, after: null })),
    ...come.map(({ path, file }) => ({ path, before: null, after: file })),
  ];
  return renamesOf(sides, (path, file: StoredFile) => ({
    path: toTrail(snapshot.context, path),
    oid: file.version,
    read: async () => file,
  }));
}

/** Looks at files that were edited under names that they had before a commit of HEAD renamed them. */
async function renamedByHead(snapshot: Snapshot): Promise<OutsideChange[]> {
  const { context, trail } = snapshot;
  const edited = await editedPaths(context, trail, RECENT_COMMITS);
  const lost: string[] = [];
  for (const path of edited) {
    const own = fromTrail(context, path);
    if (own !== null && (await snapshot.recorded(own)) === null) lost.push(path);
  }
  if (lost.length === 0) return [];
  const { lineFiles } = await import('../../line/files.ts');
  const query = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut };
  const { files } = await lineFiles(context.objects, query, lost);
  const found: OutsideChange[] = [];
  for (const name of files.map(({ names }) => names.at(-1)!)) {
    const path = edited.has(name) ? null : fromTrail(context, name);
    const change = path === null ? null : await outsideChange(snapshot, path);
    if (change) found.push(change);
  }
  return found;
}

/** The name that the history has for a file which somebody renamed since; `null`: it has none, or this one. */
export async function movedFrom(snapshot: Snapshot, path: string): Promise<string | null> {
  if (!snapshot.context.store.separate || (await snapshot.recorded(path))) return null;
  const file = (await present(snapshot, path))?.file;
  const name = toTrail(snapshot.context, path);
  return file ? ((await movedFiles(snapshot, [{ path, file }])).get(name) ?? null) : null;
}

/** Says, once it is asked, where a file is that is gone: its new name, as the trail names files; `null`: nowhere. */
export function movedTo(snapshot: Snapshot): (path: string) => Promise<string | null> {
  let found: Promise<ReadonlyMap<string, string>> | null = null;
  return async path => {
    found ??= newFiles(snapshot)
      .then(async come => renamed(snapshot, await goneFiles(snapshot), come))
      .then(moved => new Map([...moved].map(([to, from]) => [from, to])));
    return (await found).get(path) ?? null;
  };
}

/** The most files that are looked at for those that the trail does not know. */
const MOST_FILES = 20_000;

/** Lists the files that are there and neither recorded nor ignored. */
async function newFiles(snapshot: Snapshot): Promise<NewFile[]> {
  const { tree } = snapshot.trail;
  const come: NewFile[] = [];
  const folders = [''];
  for (let left = MOST_FILES; folders.length > 0 && left > 0; ) {
    const folder = folders.pop()!;
    const { entries = [] } = (await sortedEntries(snapshot, folder)) ?? {};
    const known = tree === null ? null : await sortedEntries(snapshot, folder, tree);
    const names = new Set(known?.entries.map(({ name }) => name));
    left -= entries.length;
    for (const { name, type } of entries) {
      const path = pathIn(folder, name);
      if (type === 'directory') folders.push(path);
      const file = type === 'file' && !names.has(name) ? (await present(snapshot, path))?.file : null;
      if (file) come.push({ path, file });
    }
  }
  return come;
}

/**
 * The ids that purges of this clone changed: a file of the engine's folder, which holds nothing of the text. Old ids are
 * looked up in it.
 *
 *     commit <old> <new>
 *     blob <old> <new>       the content of a file
 *
 * The new id is always that of today: a further purge changes it in the lines of earlier ones, too.
 */

import { utf8 } from '../bytes.ts';
import { ensureFolder, replaceFile, syncFolder } from '../fs/durable.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import type { Fault, FaultKind } from './verify/faults.ts';
import { type TrailEntry, treeOf } from './walk.ts';

/** Begins every text that stands for one that was purged. */
export const MARKER = '[purged';

/** Stands in one place alone, and for the first text that was purged from files. Each further one has its number. */
export const PURGED: string = `${MARKER}]`;

/** Every text that stands for one that was purged: `[purged]`, `[purged 2]`. */
export const PURGED_TEXTS: RegExp = /\[purged(?: \d+)?\]/g;

/** By old id, the id of today. */
export interface Purged {
  commits: ReadonlyMap<string, string>;
  blobs: ReadonlyMap<string, string>;
}

export const NOTHING_PURGED: Purged = { commits: new Map(), blobs: new Map() };

interface Home {
  fs: Fs;
  folder: string;
}

function pathOf({ folder }: Home): string {
  return `${folder}/purged`;
}

/** Names the state of the file; '' where nothing was purged. */
export async function purgedStamp(home: Home): Promise<string> {
  const stat = await home.fs.lstat(pathOf(home));
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : '';
}

/** Reads all that was purged here; `null`: nothing. */
export async function readPurged(home: Home): Promise<Purged | null> {
  const bytes = await orNull(home.fs.readFile(pathOf(home)));
  return bytes && parse(new TextDecoder().decode(bytes));
}

const LINE = /^(commit|blob) ([0-9a-f]{40}) ([0-9a-f]{40})$/gm;

function parse(text: string): Purged {
  const [commits, blobs] = [new Map<string, string>(), new Map<string, string>()];
  for (const [, kind, old, now] of text.matchAll(LINE)) (kind === 'blob' ? blobs : commits).set(old!, now!);
  return { commits, blobs };
}

/** Adds to what was purged before, durably. Answers all of it. */
export async function addPurged(home: Home, before: Purged, more: Purged): Promise<Purged> {
  const { fs, folder } = home;
  const commits = followed(before.commits, more.commits);
  const blobs = followed(before.blobs, more.blobs);
  const lines = [
    ...[...commits].map(([old, now]) => `commit ${old} ${now}\n`),
    ...[...blobs].map(([old, now]) => `blob ${old} ${now}\n`),
  ];
  await ensureFolder(fs, `${folder}/tmp`);
  const temp = `${folder}/tmp/purged-${Date.now()}`;
  await replaceFile(fs, pathOf(home), utf8(lines.join('')), temp, { sync: true });
  await syncFolder(fs, folder);
  return { commits, blobs };
}

function followed(
  before: ReadonlyMap<string, string>,
  more: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...[...before].map(([old, now]) => [old, more.get(now) ?? now] as const), ...more]);
}

/** The ids that an id which was purged, or the start of one, has today. */
export function idsToday({ commits }: Purged, prefix: string): string[] {
  const whole = commits.get(prefix);
  if (whole !== undefined) return [whole];
  return [...new Set([...commits].filter(([old]) => old.startsWith(prefix)).map(([, now]) => now))];
}

const ABOUT_TEXT: ReadonlySet<FaultKind> = new Set(['paths', 'lines', 'head', 'back']);

/**
 * The traces of this clone's purges in a history. A rewritten history is checked like any other; what only says that a marker
 * stands where text stood is no fault.
 */
export class Purges {
  readonly #objects: ObjectDatabase;
  readonly #purged: Purged | null;
  /** Commits and contents that purges made. */
  readonly #commits: ReadonlySet<string>;
  readonly #blobs: ReadonlySet<string>;

  /** `purged`: what was purged here; `null`: nothing. */
  constructor(objects: ObjectDatabase, purged: Purged | null) {
    this.#objects = objects;
    this.#purged = purged;
    this.#commits = new Set(purged?.commits.values());
    this.#blobs = new Set(purged?.blobs.values());
  }

  /** The ids of today of a commit that had this id, or one with this start, before a purge. */
  today(prefix: string): string[] {
    return this.#purged ? idsToday(this.#purged, prefix) : [];
  }

  /** Leaves out faults that are about text of a file in which a marker stands. */
  async withoutMarked(entry: TrailEntry, faults: readonly Fault[]): Promise<Fault[]> {
    if (faults.length === 0 || !this.#commits.has(entry.commit)) return [...faults];
    const trees = [entry.tree];
    for (const parent of entry.parents) trees.push(await treeOf(this.#objects, parent));
    const left: Fault[] = [];
    for (const one of faults) {
      const paths = one.path === null ? (entry.meta?.paths ?? []) : [one.path];
      const isMarked = ABOUT_TEXT.has(one.kind) && (await this.#isMarked(trees, paths));
      if (!isMarked) left.push(one);
    }
    return left;
  }

  async #isMarked(trees: readonly string[], paths: readonly string[]): Promise<boolean> {
    for (const path of paths)
      for (const tree of trees) {
        const at = await lookup(this.#objects, tree, path);
        if (at && this.#blobs.has(at.oid)) return true;
      }
    return false;
  }
}

/**
 * The file that was meant by a path where none is: with other letters in a name, with a folder before it that is not of
 * the workspace (`a/`, `/repo/`), or without the folders that it lies in.
 */

import { shownName } from '../../c-quote.ts';
import { pathIn } from '../../git/paths.ts';
import { closestName } from '../../near-names.ts';
import { namesIn } from './listing.ts';
import type { Snapshot } from './snapshot.ts';

/** The names in a folder; `null` for one that is not there, cannot be read, or is too large. */
export type Names = (folder: string) => Promise<string[] | null>;

export interface PathSuggestion {
  /** The one file that was meant; `null` when none is, or several are. */
  file: string | null;
  /** Where several files end like the path: the first of them, nearest to the root first. */
  several: string[];
}

/** Returns the names in folders, as they are now or in the tree `then`; each folder is read once. */
export function namesOnce(snapshot: Snapshot, then: string | null): Names {
  const known = new Map<string, Promise<string[] | null>>();
  return folder => {
    const names = known.get(folder) ?? namesIn(snapshot, folder, then).catch(() => null);
    known.set(folder, names);
    return names;
  };
}

/** Returns the names in the folders that these paths make. */
export function namesAmong(paths: Iterable<string>): Names {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    parts.forEach((part, depth) => {
      const folder = parts.slice(0, depth).join('/');
      const names = folders.get(folder) ?? new Set();
      folders.set(folder, names.add(depth < parts.length - 1 ? `${part}/` : part));
    });
  }
  return async folder => (folders.has(folder) ? [...folders.get(folder)!] : null);
}

/** Finds the file that was meant by a text that was sent as a path. */
export async function suggestFile(given: string, all: Names): Promise<PathSuggestion> {
  // What no call can name is no advice.
  const names: Names = async folder => (await all(folder))?.filter(name => shownName(name) === name) ?? null;
  const parts = partsOf(given);
  const one = (file: string): PathSuggestion => ({ file, several: [] });
  for (const fits of [exact, sameLetters]) {
    for (let from = 0; from < parts.length - 1; from++) {
      const file = await walked(parts.slice(from), names, fits);
      if (file !== null && file !== given) return one(file);
    }
  }
  const near = await walked(parts, names, closest);
  if (near !== null) return one(near);
  const ends = await endingLike(parts, names);
  return ends.length === 1 ? one(ends[0]!) : { file: null, several: ends.slice(0, NAMED) };
}

/** Finds the path of a new file that was meant: the end of the one given, from a folder of the workspace on; else `null`. */
export async function suggestNewFile(given: string, names: Names): Promise<string | null> {
  const parts = partsOf(given);
  for (let from = 0; from < parts.length - 1; from++) {
    const folder = await walkedFolder(parts.slice(from, -1), names);
    if (folder !== null) return [folder, parts.at(-1)].join('/');
  }
  return parts.length === 1 ? parts[0]! : null;
}

/** The most files of the same end that are named. */
const NAMED = 5;

function partsOf(given: string): string[] {
  const parts: string[] = [];
  for (const part of given.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** Answers the name in the folder that the given one stands for; `null` when there is none. */
type Fits = (part: string, here: readonly string[]) => string | null;

const exact: Fits = (part, here) => (here.includes(part) ? part : null);

const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

const sameLetters: Fits = (part, here) => {
  const same = here.filter(name => folded(name) === folded(part));
  return exact(part, here) ?? (same.length === 1 ? same[0]! : null);
};

/** The letters from which on a close name tells something: what is close to one letter may be anything. */
const TELLING = 2;

const closest: Fits = (part, here) => {
  const stem = part.replace(/(?<=.)\.[^.]*$/, '');
  return exact(part, here) ?? (stem.length < TELLING ? null : closestName(part, here));
};

/** Walks from the root along these names, each put right by `fits`, to a file; `null` where there is none. */
async function walked(parts: readonly string[], names: Names, fits: Fits): Promise<string | null> {
  const folder = await walkedFolder(parts.slice(0, -1), names, fits);
  if (folder === null) return null;
  const here = ((await names(folder)) ?? []).filter(name => !name.endsWith('/'));
  const name = fits(parts.at(-1) ?? '', here);
  return name && pathIn(folder, name);
}

async function walkedFolder(
  parts: readonly string[],
  names: Names,
  fits: Fits = exact,
): Promise<string | null> {
  let at = '';
  for (const part of parts) {
    const here = ((await names(at)) ?? []).filter(name => name.endsWith('/'));
    const name = fits(
      part,
      here.map(one => one.slice(0, -1)),
    );
    if (name === null) return null;
    at = pathIn(at, name);
  }
  return at;
}

/** The most folders, and the most files in them, that are looked through, those nearest to the root first. */
const FOLDERS = 400;
const FILES = 20_000;

/** The files that end with most of the parts, as they are or else with other letters; none without the last of them. */
async function endingLike(parts: readonly string[], names: Names): Promise<string[]> {
  const last = folded(parts.at(-1) ?? '');
  const found = (await filesNearTheRoot(names)).filter(path => folded(path.split('/').at(-1)!) === last);
  for (const plain of [(text: string) => text, folded]) {
    for (let from = 0; from < parts.length; from++) {
      const end = plain(`/${parts.slice(from).join('/')}`);
      const ending = found.filter(path => plain(`/${path}`).endsWith(end));
      if (ending.length > 0) return ending;
    }
  }
  return [];
}

async function filesNearTheRoot(names: Names): Promise<string[]> {
  const folders = [''];
  const files: string[] = [];
  for (const folder of folders) {
    for (const name of (await names(folder)) ?? []) {
      if (!name.endsWith('/')) files.push(pathIn(folder, name));
      else if (folders.length < FOLDERS) folders.push(pathIn(folder, name.slice(0, -1)));
    }
    if (files.length > FILES) break;
  }
  return files;
}

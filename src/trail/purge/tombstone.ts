/**
 * The tombstone of a purge: a commit without parents and files, which the commit of the purge joins to its trail, so that
 * it goes wherever the trail goes. Its message says which ids became which, and nothing of the text:
 *
 *     tombstone of refs/vedit/main
 *
 *     commit <old> <new>     oldest first
 *     moved <old> <new>      as `commit`; its tree stayed what it was
 *     words <old> <new>      as `commit`; the text stood in what the commit itself says, too
 *     blob <old> <new>
 *
 * An old id is the hash of all that the commit was. Who puts the old ids back into the new commit and its trees has the
 * old commit again, byte for byte, and so the old id: nothing but what the tombstone says was changed.
 */

import { parseCommit } from '../../git/objects/commit.ts';
import { isOid } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import type { Repository } from '../../git/repository/repository.ts';

/** Every tombstone that is known here has a ref of its own, named by its id, whatever becomes of the trail. */
export const PURGED_PREFIX = 'refs/vedit-purged/';

/** A file of the engine's folder that is there once a tombstone is: without one, nobody looks for them. */
export function purgedMark(folder: string): string {
  return `${folder}/purged`;
}

/** Begins every text that stands for one that was purged. */
export const MARKER = '[purged';

/** Stands in one place alone, and for the first text that was purged from files. Each further one has its number. */
export const PURGED: string = `${MARKER}]`;

/** Every text that stands for one that was purged: `[purged]`, `[purged 2]`. */
export const PURGED_TEXTS: RegExp = /\[purged(?: \d+)?\]/g;

/** A history before and after a purge. */
export interface Renewed {
  /** The new id of each commit that was rewritten, by the old one, oldest first. */
  commits: Map<string, string>;
  /** The old ids of those whose tree stayed, and of those whose own words changed. */
  moved: Set<string>;
  words: Set<string>;
  /** The new id of the content of a file. */
  blobs: Map<string, string>;
}

export interface Tombstone extends Renewed {
  /** The ref of the trail that was rewritten. */
  trail: string;
}

/** Makes a tombstone without entries. */
export function newTombstone(trail: string): Tombstone {
  return { trail, commits: new Map(), moved: new Set(), words: new Set(), blobs: new Map() };
}

export function formatTombstone({ trail, commits, moved, words, blobs }: Tombstone): string {
  const kind = (old: string): string => (words.has(old) ? 'words' : moved.has(old) ? 'moved' : 'commit');
  const lines = [...commits].map(([old, now]) => `${kind(old)} ${old} ${now}`);
  lines.push(...[...blobs].map(([old, now]) => `blob ${old} ${now}`));
  return `tombstone of ${trail}\n\n${lines.join('\n')}\n`;
}

const LINE = /^(commit|moved|words|blob) ([0-9a-f]{40}) ([0-9a-f]{40})$/;

/** Reads a message that `formatTombstone` made; `null` for any other. */
function parseTombstone(message: string): Tombstone | null {
  const [, trail, rest] = /^tombstone of (\S+)\n\n(.*)$/s.exec(message) ?? [];
  if (trail === undefined || rest === undefined) return null;
  const found = newTombstone(trail);
  for (const line of rest.trimEnd().split('\n')) {
    const [, kind, old, now] = LINE.exec(line) ?? [];
    if (old === undefined || now === undefined) return null;
    (kind === 'blob' ? found.blobs : found.commits).set(old, now);
    if (kind === 'moved') found.moved.add(old);
    if (kind === 'words') found.words.add(old);
  }
  return found;
}

/** Reads the tombstone; `null` where the id is that of anything else. */
export async function readTombstone(objects: ObjectDatabase, oid: string): Promise<Tombstone | null> {
  const object = isOid(oid) ? await objects.readOrNull(oid) : null;
  if (object?.type !== 'commit') return null;
  const { parents, message } = parseCommit(object.content);
  return parents.length === 0 ? parseTombstone(message) : null;
}

/** All that was ever purged, as far as it is known here. */
export interface Purged {
  /** By old id, the id of today. */
  commits: ReadonlyMap<string, string>;
  blobs: ReadonlyMap<string, string>;
}

const NOTHING: Purged = { commits: new Map(), blobs: new Map() };

/** Reads every tombstone that has a ref. Purges after each other are followed to the newest id. */
export async function readPurged(
  repo: Pick<Repository, 'fs' | 'gitDir' | 'commonDir'>,
  objects: ObjectDatabase,
): Promise<Purged> {
  const refs = await listRefs(repo as Repository, PURGED_PREFIX);
  if (refs.length === 0) return NOTHING;
  const key = refs.map(({ oid }) => oid).join();
  const known = read.get(objects);
  if (known?.key === key) return known.purged;
  const found = { commits: new Map<string, string>(), blobs: new Map<string, string>() };
  for (const { oid } of refs) {
    const one = await readTombstone(objects, oid);
    for (const [old, now] of one?.commits ?? []) found.commits.set(old, now);
    for (const [old, now] of one?.blobs ?? []) found.blobs.set(old, now);
  }
  const purged = { commits: followed(found.commits), blobs: followed(found.blobs) };
  read.set(objects, { key, purged });
  return purged;
}

/** By database, what was read last, and the tombstones that there were. */
const read = new WeakMap<ObjectDatabase, { key: string; purged: Purged }>();

/** Follows each id to the newest. A circle, which only a forged tombstone makes, is gone through once. */
function followed(map: ReadonlyMap<string, string>): Map<string, string> {
  const last = (start: string): string => {
    let oid = start;
    for (let n = 0; n <= map.size && map.has(oid); n++) oid = map.get(oid)!;
    return oid;
  };
  return new Map([...map].map(([old]) => [old, last(old)]));
}

/** The ids that an id which was purged, or the start of one, has today. */
export function idsToday(commits: ReadonlyMap<string, string>, prefix: string): string[] {
  const whole = commits.get(prefix);
  if (whole !== undefined) return [whole];
  return [...new Set([...commits].filter(([old]) => old.startsWith(prefix)).map(([, now]) => now))];
}

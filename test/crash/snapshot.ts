/**
 * What of a state on disk has to be right: the files of the work tree, refs, index, objects, reflogs, and what lies
 * around. Two runs that did the same give the same snapshot, whatever their tokens, temporary names and times.
 */

import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../helpers/fault-log.ts';
import { digest } from './image.ts';
import { type IndexLine, indexLines } from './index-lines.ts';

export interface Snapshot {
  /** Files and links of the work tree, by path; folders too. */
  work: Map<string, string>;
  /** Files of git's folder that are none of the following: HEAD, config, refs, packed-refs, ... */
  git: Map<string, string>;
  /** The entries of the index without times, or `null` where there is none. */
  index: string[] | null;
  /** Ids of objects, loose and packed. */
  objects: Set<string>;
  /** Reflogs, by path. */
  logs: Map<string, string>;
  /** Locks, and what is in the engine's own folder. */
  residue: string[];
  /** Of all that git reads. */
  fingerprint: string;
}

/** `gitDir` is the folder of the repository inside the image ('' when the image is a bare one). */
export function snapshotOf(tree: Tree, gitDir: string): Snapshot {
  const snapshot: Snapshot = {
    work: new Map(),
    git: new Map(),
    index: null,
    objects: new Set(),
    logs: new Map(),
    residue: [],
    fingerprint: '',
  };
  for (const [path, entry] of tree) place(snapshot, path, entry, gitDir);
  snapshot.fingerprint = fingerprintOf(snapshot);
  return snapshot;
}

type Entry = Tree extends Map<string, infer Value> ? Value : never;

function place(snapshot: Snapshot, path: string, entry: Entry, gitDir: string): void {
  const inside = gitDir === '' ? path : path.startsWith(`${gitDir}/`) ? path.slice(gitDir.length + 1) : null;
  if (path === gitDir) return;
  if (inside === null) snapshot.work.set(path, digest(entry));
  else if (entry !== null) placeInGit(snapshot, inside, entry);
}

function placeInGit(snapshot: Snapshot, path: string, entry: NonNullable<Entry>): void {
  const own = path.replace(/^worktrees\/[^/]+\//, '');
  // Packs are kept, and where the history of a linked work tree begins; the file that wakes followers is empty.
  if (/^vedit\/(packs\/|events$|wanted$|began-after$|live\/\w+\.draft$)/.test(own)) return;
  if (/^vedit\//.test(own) || own.endsWith('.lock')) snapshot.residue.push(path);
  else if (own.startsWith('objects/'))
    for (const oid of objectsIn(own, bytesOf(entry))) snapshot.objects.add(oid);
  else if (own.startsWith('logs/')) snapshot.logs.set(path, new TextDecoder().decode(bytesOf(entry)));
  else if (own === 'index') snapshot.index = entriesOf(bytesOf(entry));
  else if (own !== 'COMMIT_EDITMSG') snapshot.git.set(path, digest(entry));
}

/** A loose object is named by its path; an index of a pack (gitformat-pack(5)) lists those of its pack. */
function objectsIn(path: string, bytes: Uint8Array): string[] {
  const loose = /^objects\/(..)\/(.{38})$/.exec(path);
  if (loose) return [loose[1]! + loose[2]!];
  if (!path.endsWith('.idx')) return [];
  const index = Buffer.from(bytes);
  const count = index.length < 1032 ? 0 : index.readUInt32BE(1028);
  return Array.from({ length: count }, (_, i) => index.toString('hex', 1032 + i * 20, 1052 + i * 20));
}

/** A torn one is like no other. */
function entriesOf(index: Uint8Array): string[] {
  try {
    return indexLines(index).map(line => line.text);
  } catch (error) {
    return [String(error)];
  }
}

function bytesOf(entry: NonNullable<Entry>): Uint8Array {
  return typeof entry === 'string' ? new Uint8Array() : entry.bytes;
}

function fingerprintOf({ git, index, objects, logs }: Snapshot): string {
  const all = [[...git].sort(), index, [...objects].sort(), [...logs].sort()];
  return createHash('sha1').update(JSON.stringify(all)).digest('hex');
}

/** Entries of the index that git would take for unchanged, and whose file holds something else. */
export function indexLies(tree: Tree, root: string, gitDir: string): string[] {
  const entry = tree.get(`${gitDir}/index`);
  if (!entry || typeof entry === 'string') return [];
  return indexLines(entry.bytes)
    .filter(line => line.stage === 0 && isBelieved(line, join(root, line.path)))
    .filter(line => !blobsOf(tree.get(line.path) ?? null).includes(line.oid))
    .map(line => `the index claims that ${line.path} is unchanged`);
}

/** True when size and times are those that the entry holds, so that git does not look at the content. */
function isBelieved(line: IndexLine, path: string): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return (
    stat !== undefined &&
    line.size === Number(stat.size & 0xffffffffn) &&
    line.mtimeNs === stat.mtimeNs &&
    line.ctimeNs === stat.ctimeNs
  );
}

/** What git records of a file: its bytes, or where it converts line ends those with LF. */
function blobsOf(entry: Entry): string[] {
  if (entry === null) return [];
  const bytes = Buffer.from(typeof entry === 'string' ? entry : entry.bytes);
  return [bytes, Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')].map(content =>
    createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex'),
  );
}

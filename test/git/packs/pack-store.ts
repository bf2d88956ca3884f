/** A repository of git with a history in loose objects, and the store that packs them. */

import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import type { PackInput } from '../../../src/git/packs/build-pack.ts';
import type { JoinOptions } from '../../../src/git/packs/join/join-packs.ts';
import { packAway } from '../../../src/git/packs/pack-away.ts';
import { at, repository, type Sandbox } from '../../helpers/real-git.ts';
import { deflated, History, type HistoryOptions, SMALL } from './history.ts';

let stores = 0;

/** As a process of its own sees the repository in `dir`. */
export function storeOf(dir: string, fs: Fs = nodeFs()): JoinOptions {
  const token = String(++stores).padStart(24, '0');
  const folder = `${dir}/.git/vedit`;
  const processes = { self: { pid: process.pid, host: hostname() }, isRunning };
  return { fs, codec: nativeCodec, objectsDir: `${dir}/.git/objects`, folder, token, processes };
}

function isRunning(pid: number, host: string): boolean {
  try {
    return host !== hostname() || process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function packRepository(): { box: Sandbox; store: JoinOptions } {
  const box = repository();
  mkdirSync(box.path('.git/vedit'));
  return { box, store: storeOf(box.dir) };
}

/** Writes the objects as loose ones, and a ref that leads to the last commit. */
export async function writeLoose(box: Pick<Sandbox, 'path'>, objects: readonly PackInput[]): Promise<void> {
  for (const [oid, bytes] of await deflated(objects)) writeObject(box, oid, bytes);
  const head = objects.findLast(({ type }) => type === 'commit');
  if (head) replace(box, box.path('.git/refs/heads/main'), `${head.oid}\n`);
}

/** In one step, so that no git beside it reads half a file. */
function replace(box: Pick<Sandbox, 'path'>, path: string, content: string | Uint8Array): void {
  const draft = box.path(`.git/vedit/draft-${++stores}`);
  writeFileSync(draft, content);
  renameSync(draft, path);
}

/** A git gc removes empty folders at any moment. */
function writeObject(box: Pick<Sandbox, 'path'>, oid: string, bytes: Uint8Array): void {
  for (let tries = 1; ; tries++) {
    try {
      mkdirSync(box.path('.git/objects', oid.slice(0, 2)), { recursive: true });
      replace(box, box.path('.git/objects', oid.slice(0, 2), oid.slice(2)), bytes);
      return;
    } catch (error) {
      if (tries === 20 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

export interface Packed {
  box: Sandbox;
  store: JoinOptions;
  objects: PackInput[];
  history: History;
}

/** A repository with packs of so many edits each. */
export async function packed(edits: readonly number[], options: HistoryOptions = SMALL): Promise<Packed> {
  const { box, store } = packRepository();
  const history = new History(options);
  const batches = [history.first, ...edits.map(count => history.take(count))];
  for (const objects of batches) await packAway(store, objects);
  writeFileSync(box.path('.git/refs/heads/main'), `${history.head}\n`);
  return { box, store, objects: batches.flat(), history };
}

/** The ids of those objects that the engine does not read as they were. */
export async function missingIn(dir: string, objects: readonly PackInput[]): Promise<string[]> {
  const { fs, codec, objectsDir } = storeOf(dir);
  const database = openObjects({ fs, codec, objectsDir });
  const missing: string[] = [];
  for (const { oid, content } of objects) {
    const object = await database.readOrNull(oid).catch(() => null);
    if (!object || !Buffer.from(object.content).equals(content)) missing.push(oid);
  }
  await database.close();
  return missing;
}

/** Git finds every object whole, and so many commits. */
export function expectSound(dir: string, commits: number): void {
  const box = at(dir);
  expect(box.git('fsck', '--strict', '--full', '--no-dangling')).toBe('');
  expect(box.git('rev-list', '--count', 'main')).toBe(String(commits));
}

/** Names in `objects/pack` with an ending, without it. */
export function packsOf(box: Pick<Sandbox, 'path'>, ending = '.pack'): string[] {
  return names(box.path('.git/objects/pack'))
    .filter(name => name.endsWith(ending))
    .map(name => name.slice(0, -ending.length))
    .sort();
}

export function marksOf(box: Pick<Sandbox, 'path'>): string[] {
  return names(box.path('.git/vedit/packs')).sort();
}

export function looseOf(box: Pick<Sandbox, 'path'>): string[] {
  return names(box.path('.git/objects'))
    .filter(name => name.length === 2)
    .flatMap(folder => names(box.path('.git/objects', folder)).map(name => folder + name));
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A repository of git with a history in loose objects, and the store that packs them. */

import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { PackInput } from '../../../src/git/objects/object.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import { buildPack } from '../../../src/git/packs/build-pack.ts';
import { type PackStore, removeLoose, storePack } from '../../../src/git/packs/store-pack.ts';
import { at, repository, type Sandbox } from '../../helpers/real-git.ts';
import { deflated } from './history.ts';

let stores = 0;

/** As a process of its own sees the repository in `dir`. */
export function storeOf(dir: string, fs: Fs = nodeFs()): PackStore {
  const token = String(++stores).padStart(24, '0');
  const folder = `${dir}/.git/vedit`;
  return { fs, codec: nativeCodec, objectsDir: `${dir}/.git/objects`, folder, token };
}

/** As a checkpoint does it: one pack, and then no loose files. Answers its name. */
export async function packAway(store: PackStore, objects: readonly PackInput[]): Promise<string> {
  const made = await buildPack(store.codec, objects);
  await storePack(store, made);
  await removeLoose(
    store,
    objects.map(({ oid }) => oid),
  );
  return made.name;
}

export function packRepository(): { box: Sandbox; store: PackStore } {
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

export function draftsOf(box: Pick<Sandbox, 'path'>): string[] {
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

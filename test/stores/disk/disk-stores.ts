/** The places where the disk store is tried: a real disk with and without descriptor paths, and memory. */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { createFsFromVolume, Volume } from 'memfs';
import { onTestFinished } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { promisesFs } from '../../../src/fs/promises-fs.ts';
import { type DiskOptions, diskStore } from '../../../src/stores/disk/disk.ts';
import type { Store, StoredFile, StoredMode } from '../../../src/stores/store.ts';

/** The part of node's `fs` with which tests look at a place and act as a person would. */
export type Hands = Pick<
  typeof fs,
  | 'mkdirSync'
  | 'writeFileSync'
  | 'readFileSync'
  | 'symlinkSync'
  | 'statSync'
  | 'lstatSync'
  | 'chmodSync'
  | 'existsSync'
  | 'readdirSync'
  | 'renameSync'
  | 'rmSync'
  | 'linkSync'
  | 'utimesSync'
>;

export interface Place {
  fs: Fs;
  hands: Hands;
  /** Holds `root` (the workspace, with `.git`) and `outside`. */
  top: string;
  root: string;
  store: Store;
  open(options?: Partial<DiskOptions>): Store;
}

export const PLACES: [string, () => Place][] = [
  ['a disk with descriptor paths', () => onDisk(nodeFs())],
  ['a disk without', () => onDisk(withoutDescriptors(nodeFs()))],
  ['memory', inMemory],
];

export function onDisk(real: Fs): Place {
  const dir = fs.mkdtempSync(`${fs.realpathSync(tmpdir())}/disk-store-`);
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return build(real, fs, dir);
}

export function inMemory(): Place {
  const memory = createFsFromVolume(Volume.fromJSON({ '/top/x': '' }));
  return build(promisesFs(memory), memory as unknown as Hands, '/top');
}

/** Best effort, as on a system without /proc. */
export function withoutDescriptors(real: Fs): Fs {
  return Object.create(real, { descriptorPaths: { value: false } }) as Fs;
}

function build(real: Fs, hands: Hands, top: string): Place {
  const root = `${top}/root`;
  hands.mkdirSync(`${root}/.git/vedit/tmp`, { recursive: true });
  hands.writeFileSync(`${root}/.git/HEAD`, 'ref: refs/heads/main\n');
  hands.mkdirSync(`${top}/outside`);
  hands.writeFileSync(`${top}/outside/secret`, 'secret');
  const open = (options: Partial<DiskOptions> = {}): Store =>
    diskStore({
      fs: real,
      root,
      gitDir: `${root}/.git`,
      stageFolder: `${root}/.git/vedit/tmp`,
      hash: blobId,
      ...options,
    });
  return { fs: real, hands, top, root, store: open(), open };
}

export function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

export function stored(words: string, mode: StoredMode = '100644'): StoredFile {
  const bytes = new TextEncoder().encode(words);
  return { bytes, mode, version: blobId(bytes) };
}

/** The files below a folder with their contents; folders end with a slash. `.git` is left out. */
export function tree(place: Place, folder: string = place.root, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of (place.hands.readdirSync(folder) as string[]).sort()) {
    if (name === '.git') continue;
    const stat = place.hands.lstatSync(`${folder}/${name}`);
    if (stat.isFile()) found[prefix + name] = place.hands.readFileSync(`${folder}/${name}`, 'utf8');
    if (!stat.isDirectory()) continue;
    const inside = tree(place, `${folder}/${name}`, `${prefix}${name}/`);
    Object.assign(found, Object.keys(inside).length > 0 ? inside : { [`${prefix}${name}/`]: '' });
  }
  return found;
}

/** The names left in the stage folder. */
export function staged(place: Place): string[] {
  return place.hands.readdirSync(`${place.root}/.git/vedit/tmp`) as string[];
}

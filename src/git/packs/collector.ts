/**
 * Beside a `git gc` that is under way. It decides early what can be reached and deletes late, so that with
 * `--prune=now` the objects of a commit made in between go although a ref leads to it; no time of a file helps. What is
 * in a pack with a `.keep` file (git-repack(1)) stays, so new objects are put into one until that gc has ended.
 */

import { ensureFolder, removeIfThere } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import type { Processes } from '../../fs/lock/processes.ts';
import type { Codec } from '../objects/object.ts';
import { buildPack, type PackInput } from './build-pack.ts';
import { gcState } from './gc-pid.ts';
import { keepMark, keptPacks, makeKeepFile } from './kept-pack.ts';
import { storePack } from './store-pack.ts';

export interface CollectorOptions {
  fs: Fs;
  codec: Codec;
  processes: Processes;
  commonDir: string;
  /** The engine's own folder, which names the packs that it keeps. */
  folder: string;
}

/**
 * True while a git gc runs here: it writes `<pid> <host>` into `gc.pid` before it looks at anything, and removes that at
 * its end. When this is asked after a ref was moved, the answer no means that every later gc sees the ref as it is. The
 * engine that joins packs holds that file too, and is none: to keep packs from it would make more to join.
 */
export async function isCollecting(options: CollectorOptions): Promise<boolean> {
  return (await gcState(options)) === 'running';
}

/** Puts the objects into a pack that no gc deletes. The `.keep` comes first, and before it what says whose it is. */
export async function keepPacked(options: CollectorOptions, objects: readonly PackInput[]): Promise<void> {
  const { fs, codec, commonDir, folder } = options;
  const made = await buildPack(codec, objects);
  const packs = `${commonDir}/objects/pack`;
  await ensureFolder(fs, packs);
  await makeKeepFile(fs, keepMark({ folder }, made.name));
  await makeKeepFile(fs, `${packs}/${made.name}.keep`);
  await storePack({ fs, codec, objectsDir: `${commonDir}/objects`, folder, token: made.name }, made);
}

/** Leaves these packs to git's care again, unless a gc runs: then a later call does. */
export async function letPacksGo(options: CollectorOptions, packs: readonly string[]): Promise<void> {
  if (packs.length === 0 || (await isCollecting(options))) return;
  const { fs, commonDir, folder } = options;
  for (const name of packs) {
    await removeIfThere(fs, `${commonDir}/objects/pack/${name}.keep`);
    await removeIfThere(fs, keepMark({ folder }, name));
  }
}

/** Leaves all packs that the engine keeps to git's care again. The caller knows that no change needs them any more. */
export async function letAllPacksGo(options: CollectorOptions): Promise<void> {
  await letPacksGo(options, keptPacks((await orNull(options.fs.readdir(options.folder))) ?? []));
}

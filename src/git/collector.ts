/**
 * Beside a `git gc` that is under way. It decides early what can be reached and deletes late, so that with
 * `--prune=now` the objects of a commit made in between go although a ref leads to it; no time of a file helps. What is
 * in a pack with a `.keep` file (git-repack(1)) stays, so new objects are put into one until that gc has ended.
 */

import { createFile, ensureFolder, removeIfThere } from './durable.ts';
import { type Fs, orNull } from './fs.ts';
import type { Processes } from './lock/processes.ts';
import type { LooseObject } from './objects/loose.ts';
import { storePack } from './objects/pack-up.ts';

export interface CollectorOptions {
  fs: Fs;
  processes: Processes;
  commonDir: string;
  /** The engine's own folder, which names the packs that it keeps. */
  folder: string;
}

/** Git takes a gc for dead after so many seconds. */
const LONGEST_SECONDS = 12 * 3600;

/**
 * True while a git gc runs here: it writes `<pid> <host>` into `gc.pid` before it looks at anything, and removes that at
 * its end. When this is asked after a ref was moved, the answer no means that every later gc sees the ref as it is.
 */
export async function isCollecting({ fs, processes, commonDir }: CollectorOptions): Promise<boolean> {
  const path = `${commonDir}/gc.pid`;
  const bytes = await orNull(fs.readFile(path));
  const [, pid, host] = /^(\d+) (.+)/.exec(bytes ? new TextDecoder().decode(bytes) : '') ?? [];
  if (pid === undefined) return false;
  const stat = await orNull(fs.lstat(path));
  if (!stat) return false;
  const mtimeMs = Number(stat.mtimeNs / 1_000_000n);
  if ((Date.now() - mtimeMs) / 1000 >= LONGEST_SECONDS) return false;
  return processes.isRunning(Number(pid), host!, { path, mtimeMs });
}

/** Puts the objects into a pack that no gc deletes. The `.keep` comes first, and before it what says whose it is. */
export async function keepPacked(options: CollectorOptions, objects: readonly LooseObject[]): Promise<void> {
  const { fs, commonDir, folder } = options;
  const { packLoose } = await import('./portable/pack-writer.ts');
  const made = await packLoose(new Map(objects.map(({ oid, deflated }) => [oid, deflated])));
  const packs = `${commonDir}/objects/pack`;
  await ensureFolder(fs, packs);
  await makeIfNone(fs, `${folder}/${MARK}${made.name}`);
  await makeIfNone(fs, `${packs}/${made.name}.keep`);
  // A gc that prunes sweeps temporaries beside the packs.
  await storePack(fs, packs, made, `${folder}/tmp/${made.name}`);
}

/** Leaves the packs to git's care again once no gc runs. `names`: what is in the engine's folder. */
export async function letPacksGo(options: CollectorOptions, names: readonly string[]): Promise<void> {
  const marks = names.filter(name => MARKS.test(name));
  if (marks.length === 0 || (await isCollecting(options))) return;
  const { fs, commonDir, folder } = options;
  for (const mark of marks) {
    await removeIfThere(fs, `${commonDir}/objects/pack/${mark.slice(MARK.length)}.keep`);
    await removeIfThere(fs, `${folder}/${mark}`);
  }
}

const MARK = 'keep-';
const MARKS = /^keep-pack-[0-9a-f]{40}$/;

async function makeIfNone(fs: Fs, path: string): Promise<void> {
  if (!(await orNull(fs.lstat(path)))) await createFile(fs, path, new TextEncoder().encode('vedit\n'));
}

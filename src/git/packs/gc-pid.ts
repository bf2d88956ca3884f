/**
 * Git's own lock of a gc: `gc.pid` in the common folder, holding `<pid> <host>` (git's lock_repo_for_gc). Who holds it
 * meets no git gc. The engine adds a third word, which git does not read: what it does under this lock deletes nothing.
 */

import { createFile, exists, removeIfThere } from '../../fs/durable.ts';
import { errno, type Fs, lstatOf, orNull, type Stat } from '../../fs/fs.ts';

/** What has to be known of processes. */
export interface GcProcesses {
  /** This process. */
  readonly self: { pid: number; host: string };
  /** False only when it surely does not run, in whatever namespace or container it was started. */
  isRunning(pid: number, host: string, file: { path: string; mtimeMs: number }): boolean;
}

export interface GcPidOptions {
  fs: Fs;
  processes: GcProcesses;
  commonDir: string;
  /** A path on the same device that nobody else uses. */
  draft: string;
}

/** Git takes a gc for dead after so many seconds. */
const LONGEST_SECONDS = 12 * 3600;

const ENGINE = 'versioned-edit';

/** Tells the holder of gc.pid: a gc that may run, the engine that joins packs, or one that surely died. */
export async function gcState({
  fs,
  processes,
  commonDir,
}: Pick<GcPidOptions, 'fs' | 'processes' | 'commonDir'>): Promise<'none' | 'running' | 'joining' | 'dead'> {
  const path = `${commonDir}/gc.pid`;
  const bytes = await orNull(fs.readFile(path));
  const stat = bytes && (await fs.lstat(path));
  if (!bytes || !stat) return 'none';
  const mtimeMs = Number(stat.mtimeNs / 1_000_000n);
  const [, pid, host, by] = /^(\d+) (\S+)(?: (\S+))?/.exec(new TextDecoder().decode(bytes)) ?? [];
  if (pid === undefined || (Date.now() - mtimeMs) / 1000 >= LONGEST_SECONDS) return 'dead';
  if (!processes.isRunning(Number(pid), host!, { path, mtimeMs })) return 'dead';
  return by === ENGINE ? 'joining' : 'running';
}

/** Takes the lock and answers how to give it back; `null` when a gc has it that may be alive. */
export async function holdGcPid(options: GcPidOptions): Promise<(() => Promise<void>) | null> {
  const { fs, processes, commonDir, draft } = options;
  if (!['none', 'dead'].includes(await gcState(options))) return null;
  const { pid, host } = processes.self;
  await createFile(fs, draft, new TextEncoder().encode(`${pid} ${host} ${ENGINE}`), { sync: false });
  try {
    await moveDeadAside(options, `${draft}.dead`);
    return await linked(fs, draft, `${commonDir}/gc.pid`);
  } finally {
    await removeIfThere(fs, draft);
  }
}

/** Moved first and judged then, so that the file of a gc that began meanwhile is put back and not lost. */
async function moveDeadAside(options: GcPidOptions, aside: string): Promise<void> {
  const { fs, commonDir } = options;
  const path = `${commonDir}/gc.pid`;
  const judged = await fs.lstat(path);
  if (!judged || (await gcState(options)) !== 'dead') return;
  await orNull(fs.rename(path, aside));
  const moved = await fs.lstat(aside);
  if (moved && !isSameFile(moved, judged)) await fs.link(aside, path).catch(() => {});
  await removeIfThere(fs, aside);
}

/**
 * Git looks into gc.pid while it holds gc.pid.lock, and then renames that over it. So where that lock is not there after our
 * link, no gc overlooked it, and where the file is still ours, none replaced it.
 */
async function linked(fs: Fs, draft: string, path: string): Promise<(() => Promise<void>) | null> {
  const mine = await lstatOf(fs, draft);
  const release = async (): Promise<void> => {
    const stat = await fs.lstat(path);
    if (stat && isSameFile(stat, mine)) await removeIfThere(fs, path);
  };
  try {
    await fs.link(draft, path);
  } catch (error) {
    // Without hard links there is no way to take it in one step: packs stay as they are.
    if (['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errno(error) ?? '')) return null;
    throw error;
  }
  try {
    const isFree = !(await exists(fs, `${path}.lock`));
    const stat = await fs.lstat(path);
    if (isFree && stat && isSameFile(stat, mine)) return release;
    await release();
    return null;
  } catch (error) {
    await release().catch(() => {});
    throw error;
  }
}

function isSameFile(a: Stat, b: Stat): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

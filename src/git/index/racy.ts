/**
 * Entries that git would wrongly take for unchanged once the index is written again.
 *
 * Git trusts the times of a file, in whole seconds, only when they are older than the index: a file that was changed in
 * the second in which the index was written has to be read each time (git's racy-git.txt). Writing the index anew moves
 * that second, and the change would be hidden. So, as git does, such entries lose their size.
 */

import { nameBytes, nameOf, uint32 } from '../../bytes.ts';
import { type Fs, isMissing, type Stat } from '../../fs/fs.ts';
import { entryAt, type IndexEntry, type StatData, statDataAt, statDataOf } from './entry.ts';
import { type Index, parseIndex } from './format.ts';

/** Longer than one tick of the clock that stamps files, in nanoseconds. */
const TICK = 20_000_000n;

export interface RacyOptions {
  fs: Fs;
  /** Absolute. */
  workDir: string;
  /** The present index, and the time of its file (`mtimeNs`). */
  index: Uint8Array;
  writtenNs: bigint;
  /** The git blob id. */
  hash(content: Uint8Array): Promise<string> | string;
}

/**
 * The names of the entries whose file differs from what the index holds although its size and times, in whole seconds,
 * are the same. Looks only at files of the second in which the index was written, and reads few of them.
 */
export async function racilyDirty(options: RacyOptions): Promise<Uint8Array[]> {
  const index = parseIndex(options.index);
  const second = Number(options.writtenNs / 1_000_000_000n);
  const dirty: Uint8Array[] = [];
  for (let i = 0; i < index.count; i++) {
    if (mtimeAt(index, i) < second) continue;
    const entry = entryAt(index, i);
    if (!isCompared(entry) || statDataAt(index, i).size === 0) continue;
    if (await isHidden(options, index, i, entry)) dirty.push(index.name(i));
  }
  return dirty;
}

/** Reads the time of an entry without decoding the rest: it is asked for of every one. */
function mtimeAt(index: Index, i: number): number {
  return uint32(index.bytes, index.starts[i]! + 8);
}

function isCompared(entry: IndexEntry): boolean {
  return entry.stage === 0 && !entry.assumeValid && !entry.skipWorktree && entry.mode !== '160000';
}

async function isHidden(options: RacyOptions, index: Index, i: number, entry: IndexEntry): Promise<boolean> {
  try {
    const path = `${options.workDir}/${nameOf(index.name(i))}`;
    const stat = await options.fs.lstat(path);
    if (!stat) return false;
    const recorded = statDataAt(index, i);
    if (isNoticed(recorded, statDataOf(stat)) || isTrusted(options.writtenNs, recorded, stat)) return false;
    const { fs, hash } = options;
    const isLink = stat.type === 'symlink';
    return (await hash(isLink ? nameBytes(await fs.readlink(path)) : await fs.readFile(path))) !== entry.oid;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** True when the entry says that the file is what it holds, and nobody has to read it; `writtenNs`: when the index was. */
export function isUnchanged(index: Index, i: number, stat: Stat, writtenNs: bigint): boolean {
  const recorded = statDataAt(index, i);
  return !isNoticed(recorded, statDataOf(stat)) && isTrusted(writtenNs, recorded, stat);
}

/** True when git sees the difference without reading. */
function isNoticed(recorded: StatData, now: StatData): boolean {
  return (
    recorded.size !== now.size ||
    recorded.mtime !== now.mtime ||
    recorded.ctime !== now.ctime ||
    recorded.ino !== now.ino
  );
}

/** True when the exact times are unchanged, and older than the index by more than the clock's step. */
function isTrusted(writtenNs: bigint, recorded: StatData, stat: Stat): boolean {
  const now = statDataOf(stat);
  const exact = recorded.mtimeNs === now.mtimeNs && recorded.ctimeNs === now.ctimeNs && now.ctimeNs !== 0;
  return exact && writtenNs - stat.ctimeNs > TICK;
}

/** A file of a change as it is staged, the record of it, and the names that it has until it is in place. */

import type { FileHandle, Stat } from '../../fs/fs.ts';
import type { Evidence } from '../../fs/recovery-rules.ts';
import type { StoreChange, StoredMode } from '../store.ts';
import type { OpenFolder } from './folders.ts';

/** The record of a change for recovery: plain JSON, one entry a file. */
export interface DiskRecord {
  files: RecordedFile[];
}

export interface RecordedFile {
  path: string;
  before: { version: string; mode: StoredMode } | null;
  after: { version: string; mode: StoredMode } | null;
  /** Permission bits and owner of the file that is replaced or deleted. */
  was: Ownership | null;
  /** Evidence of the file as it was read, and of the staged one: recovery touches a file only if it is one of the two. */
  seen: Evidence | null;
  ours: Evidence | null;
  /**
   * The name of the new content in the stage folder; see also `besideName`. Of a deletion, that of an empty file: what lies
   * there when a process was killed was not put in place yet.
   */
  staged: string;
}

export interface Ownership {
  perm: number;
  uid: number;
  gid: number;
}

export interface StagedFile {
  change: StoreChange;
  record: RecordedFile;
  /** True while the new content, or the mark of a deletion, is in the stage folder. */
  isStaged: boolean;
  /** The stat of the staged file; `null` of a deletion. */
  stat: Stat | null;
  /** The stat of the folder of the target, or of the deepest one above it that was there. */
  folder: Stat;
  /** Where the file that is replaced or deleted has its second name; see backup.ts. */
  kept: 'here' | 'elsewhere' | null;
  /** The folder of the target, open until the change is done, where it was open when the file was read. */
  open: OpenFolder | null;
  /** The staged file, open until it is synced. */
  handle: FileHandle | null;
}

export function evidenceOf(stat: Stat | null | undefined): Evidence | null {
  return stat ? { ino: String(stat.ino), mtimeNs: String(stat.mtimeNs), size: stat.size } : null;
}

/** True for a name as `stageFiles` gives under the name of a change: a token and two numbers. */
export function isStagedName(name: string): boolean {
  return /^[0-9a-f]{24}\.\d+-\d+$/.test(name);
}

/** True for a name that `stageFiles` gives, also when recovery stages the file again. */
export function isForWorkTree(name: string): boolean {
  return isStagedName(name.replace(/-again$/, ''));
}

/** The name beside its target that a content has for a moment when no rename leads there from the stage folder. */
export function besideName(record: RecordedFile): string {
  return `.vedit-${record.staged}`;
}

/** The second name, in the stage folder, of the file that is replaced or deleted. */
export function backupName(record: RecordedFile): string {
  return `${record.staged}.was`;
}

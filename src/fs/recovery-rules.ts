/**
 * The rules of recovery: what a repository is brought to after a killed process or a power cut. Pure: the journal's
 * records and what is found on disk come in as plain data, a decision goes out. The engine does what is decided, and
 * the model in test/model/ tries the same functions over every short history.
 *
 * After a kill (boot 'same') nothing is lost and only the last record can be unfinished: what still lies staged in
 * tmp/ was not done, what does not lie there was. After a power cut (boot 'other') whatever was not synced may be as
 * it was at any moment since: a file is the engine's own when its inode, mtime and size are ones that a record names,
 * and everything else is somebody's and stays.
 */

/** Identifies the file that a path named: a replacement, a save or a checkout gives other values. Content is never evidence. */
export interface Evidence {
  ino: string;
  mtimeNs: string;
  size: number;
}

/** 'same': the records were made since the machine started. 'other': unsynced writes may be lost. */
export type Boot = 'same' | 'other';

/** A blob as a tree entry holds it; `null` where there is no file. */
export type Version = { version: string; mode: string } | null;

/** The fate of a ref's last record. 'moved': somebody has set the ref elsewhere since. */
export type Publication = 'published' | 'taken back' | 'moved';

export interface RefRecord {
  old: string | null;
  new: string;
  /** The file that held `old`: the loose ref, or packed-refs where there was no loose one. */
  refBefore: Evidence | null;
  refStaged: Evidence;
}

export type PresentRef =
  | { kind: 'missing' }
  /** The ref's file is empty or all NUL. */
  | { kind: 'empty' }
  | {
      kind: 'value';
      value: string;
      /** The evidence of the file that holds the value: the loose ref, or packed-refs. */
      evidence: Evidence;
      /** The commit with its trees and parents can be read, down to what the journal begins with. */
      isReadable: boolean;
      /** Those `new` of the records that are this commit or below it. */
      reaches: readonly string[];
    };

export interface RefFacts {
  /** The boot of the last of the records: the same as now, or another. */
  boot: Boot;
  /** The last record's staged ref still lies in tmp/, or was moved aside there to fence its owner off. Same boot only. */
  isStaged: boolean;
  /** The records of this ref that count, oldest first; on the same boot only the last of the journal. Never empty. */
  records: readonly RefRecord[];
  present: PresentRef;
  /** Those `new` of the records that can be read, after the objects that the records carry were written again. */
  readable: readonly string[];
}

export interface RefDecision {
  /** The value to put the ref to; `null` leaves it. */
  set: string | null;
  publication: Publication;
  /** A commit that was acknowledged and that nothing holds any more: put it under refs/vedit-kept/ and say so. */
  keep: string | null;
  /** The unreadable value that `set` replaces: say so. */
  unreadable: string | null;
}

/** Decides where a ref belongs. */
export function decideRef(facts: RefFacts): RefDecision {
  return facts.boot === 'same' ? decideRefAfterKill(facts) : decideRefAfterPowerCut(facts);
}

/** A killed process loses no write: the ref is never set. A staged ref that lies in tmp/ was never renamed. */
function decideRefAfterKill({ records, present, isStaged }: RefFacts): RefDecision {
  if (isStaged) return leave('taken back');
  return leave(isAtOrAbove(present, records.at(-1)!.new) ? 'published' : 'moved');
}

function isAtOrAbove(present: PresentRef, oid: string): boolean {
  return present.kind === 'value' && (present.value === oid || present.reaches.includes(oid));
}

/**
 * The ref goes to the last record's commit when its own value was lost or is one that the journal wrote or read there.
 * Any other value is somebody's and stays, unless it cannot be read.
 */
function decideRefAfterPowerCut({ records, present, readable }: RefFacts): RefDecision {
  const last = records.at(-1)!;
  const target = records.findLast(record => readable.includes(record.new))?.new ?? null;
  if (present.kind !== 'value') return put(target);
  if (!present.isReadable) return { ...put(target), unreadable: target && present.value };
  if (isAtOrAbove(present, last.new)) return leave('published');
  if (isNamed(records, present)) return put(target);
  return { ...leave('moved'), keep: readable.includes(last.new) ? last.new : null };
}

/** True for a value in the very file in which a record found it or put it. */
function isNamed(
  records: readonly RefRecord[],
  { value, evidence }: PresentRef & { kind: 'value' },
): boolean {
  return records.some(
    record =>
      (record.old === value && isSame(record.refBefore, evidence)) ||
      (record.new === value && isSame(record.refStaged, evidence)),
  );
}

function leave(publication: Publication): RefDecision {
  return { set: null, publication, keep: null, unreadable: null };
}

function put(target: string | null): RefDecision {
  return { set: target, publication: target ? 'published' : 'moved', keep: null, unreadable: null };
}

/** True for the same file, unchanged. */
export function isSame(one: Evidence | null, other: Evidence | null): boolean {
  if (!one || !other) return false;
  return one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.size === other.size;
}

export interface FileRecord {
  /** The version that the file held before, for what was set aside and in a copy of a repository; `null` where there was none. */
  before?: Version;
  after: Version;
  /** The file as it was read; `null` where there was none. */
  was: Evidence | null;
  /** The file that replaces it; `null` for a deletion, and for an outside change, where the file as read already is `after`. */
  staged: Evidence | null;
}

export interface FileFacts {
  /** The boot of the last of the records: the same as now, or another. */
  boot: Boot;
  /** The records of this path in this work tree that count, of all refs, oldest first. Never empty. */
  records: readonly FileRecord[];
  /** The fate of the last record, from {@link decideRef}. */
  publication: Publication;
  /** The file that somebody's commit has at the path; `null` where the ref, as decided, is on its last record's commit. */
  others: { head: Version } | null;
  /** The present file at the path. */
  present: Evidence | null;
  /** The last record's staged file still lies in tmp/; of a deletion, its mark there. Asked on the same boot only. */
  isStaged: boolean;
  /** The version of the file that is there, for what was set aside and in a copy of a repository. */
  version?: Version;
}

/** `put` is what the path is brought to; `put: null` removes the file. */
export type FileDecision = 'leave' | { put: Version };

/** Decides what a file of the work tree is brought to. */
export function decideFile(facts: FileFacts): FileDecision {
  const last = facts.records.at(-1)!;
  if (isOverruled(facts.others, last.after)) return 'leave';
  const isStale = facts.boot === 'same' ? isUnfinished(facts, last) : isLost(facts, last);
  return isStale ? { put: last.after } : 'leave';
}

/** True where somebody's commit or reset says otherwise than the record: their files and index go with that. */
function isOverruled(others: { head: Version } | null, after: Version): boolean {
  return others !== null && !isSameVersion(others.head, after);
}

/**
 * After a kill: the last record is published and this file of it was not reached. That the file is the one that was read
 * is not enough: somebody may have put it back since, from a copy that is a hard link of it. In a copy of the whole repository
 * every file is another one, and its version tells.
 */
function isUnfinished({ publication, present, isStaged, version }: FileFacts, last: FileRecord): boolean {
  if (publication !== 'published' || !isStaged) return false;
  const isBefore = version !== undefined && last.before !== undefined && isSameVersion(version, last.before);
  return isBefore || isAsRead(present, last.was);
}

/** True where it is the file that was read, or where there is none, as there was none. */
function isAsRead(present: Evidence | null, was: Evidence | null): boolean {
  return was === null ? present === null : isSame(present, was);
}

/**
 * After a power cut: the file is one of the journal's, and not the last one; or its creation was lost. What was set aside may
 * have got another inode since, by a backup or a copy: there the versions of the records tell as well.
 */
function isLost({ records, present, version }: FileFacts, last: FileRecord): boolean {
  if (version !== undefined && isSameVersion(version, last.after)) return false;
  if (
    version &&
    records.some(one => [one.before, one.after].some(known => known && isSameVersion(version, known)))
  )
    return true;
  if (present === null) return last.after !== null && records.some(isCreation);
  if (last.after !== null && isSame(present, last.staged ?? last.was)) return false;
  return records.some(({ was, staged }) => isSame(present, was) || isSame(present, staged));
}

function isCreation({ was, after }: FileRecord): boolean {
  return was === null && after !== null;
}

/** True for the same content and mode, or no file on both sides. */
export function isSameVersion(one: Version, other: Version): boolean {
  return one?.version === other?.version && one?.mode === other?.mode;
}

export interface AsideFacts {
  /** The file as it was read, by the path's record. */
  was: Evidence | null;
  /** The file in tmp/ that was at the path until it was replaced or deleted. */
  aside: Evidence;
  /** The file at the path now. */
  present: Evidence | null;
}

/**
 * Decides on a file that was moved aside by a replacement or deletion: what somebody wrote into it after it was read is kept,
 * and its path told. It is not put back: nobody knows any more whether it is newer than what is at the path now.
 */
export function decideAside({ was, aside, present }: AsideFacts): 'drop' | 'keep' {
  return isSame(aside, was) || isSame(aside, present) ? 'drop' : 'keep';
}

export interface IndexEntry {
  path: string;
  before: Version;
  after: Version;
}

export interface IndexRecord {
  entries: readonly IndexEntry[];
  /** The index file as read, and the staged one. */
  was: Evidence | null;
  staged: Evidence;
}

export interface IndexFacts {
  /** The boot of the last of the records: the same as now, or another. */
  boot: Boot;
  /** The records that changed this index and that count, oldest first. Never empty. */
  records: readonly IndexRecord[];
  /** The fate of the last record, from {@link decideRef}. */
  publication: Publication;
  /** The present index file. */
  present: Evidence | null;
  /** The last record's staged index still lies in tmp/. Asked on the same boot only. */
  isStaged: boolean;
  /** For each path that the records name, the present entry, and `others` as in {@link FileFacts}, with HEAD's tree. */
  entries: Readonly<Record<string, { present: Version; others: { head: Version } | null }>>;
}

/** Decides which entries of the index are put to `after`. All others stay. */
export function decideIndex(facts: IndexFacts): IndexEntry[] {
  const stale = facts.boot === 'same' ? unfinishedEntries(facts) : lostEntries(facts);
  return stale.filter(({ path, after }) => {
    const { present, others } = facts.entries[path]!;
    return !isOverruled(others, after) && !isSameVersion(present, after);
  });
}

/** After a kill: those of the last record, where they still hold what it read. */
function unfinishedEntries({ records, publication, isStaged, entries }: IndexFacts): IndexEntry[] {
  if (publication !== 'published' || !isStaged) return [];
  return records.at(-1)!.entries.filter(({ path, before }) => isSameVersion(entries[path]!.present, before));
}

/**
 * After a power cut: the last of each path, where the file is the journal's and not somebody's who rewrote it since. Before
 * the first commit there may have been none.
 */
function lostEntries({ records, present }: IndexFacts): IndexEntry[] {
  const isOurs = records.some(({ was, staged }) => isAsRead(present, was) || isSame(present, staged));
  if (!isOurs) return [];
  return [...new Map(records.flatMap(({ entries }) => entries).map(entry => [entry.path, entry])).values()];
}

/** Recovery as the engine does it: finds the facts, asks the rules of src, does what they decide, step by step. */

import {
  type Boot,
  decideFile,
  decideIndex,
  decideRef,
  type PresentRef,
  type RefDecision,
  type Version,
} from '../../src/fs/recovery-rules.ts';
import { evidence, putRef, returnAsides } from './asides.ts';
import { DELETION, type Steps, stagingOf } from './edit.ts';
import { counted, journalsThere, newJournal, settle } from './journal.ts';
import type { JournalRecord, WorkFile, World } from './world.ts';

/** What recovery works on: the records that count, and the one that may be unfinished. */
interface Repair {
  token: number;
  records: readonly JournalRecord[];
  last: JournalRecord | undefined;
  /** By id of the record, the boot it was made in. */
  boots: ReadonlyMap<number, Boot>;
  decisions: Map<string, RefDecision>;
}

/** 'fenced' when somebody took the lock over from the one that repairs. */
export function* recover(world: World, token: number): Steps<'done' | 'fenced'> {
  for (const [other, staging] of world.tmp) if (other !== token) staging.isFenced = true;
  yield 'fenced off';
  const records = counted(world);
  const repair: Repair = {
    token,
    records,
    last: records.at(-1),
    boots: bootsOf(world),
    decisions: new Map(),
  };
  if (!world.flaws.has('objects not written again')) {
    for (const { commits } of records)
      for (const oid of commits) if (!world.objects.has(oid)) world.objects.set(oid, false);
  }
  yield 'objects';
  if (records.some(record => repair.boots.get(record.id) === 'other'))
    for (const { commits } of records) world.syncObjects(commits);
  const isMine =
    (yield* repairRefs(world, repair)) &&
    (yield* repairFiles(world, repair)) &&
    (yield* repairIndexes(world, repair));
  if (!isMine) return 'fenced';
  yield* returnAsides(world, token, records);
  for (const [name, holder] of world.gitLocks) if (holder !== token) world.gitLocks.delete(name);
  yield 'git locks';
  if (world.lock !== token) return 'fenced';
  const journal = newJournal(world, sealedLength(world, repair));
  yield 'sealed';
  for (const other of [...world.tmp.keys()]) if (other !== token) world.tmp.delete(other);
  if (world.flaws.has('old journal kept')) return 'done';
  yield* settle(world, journal.number);
  return world.lock === token ? 'done' : 'fenced';
}

function bootsOf(world: World): Map<number, Boot> {
  return new Map(
    world.journals.flatMap(({ boot, records }) =>
      records.now.map(({ id }): [number, Boot] => [id, boot === world.boot ? 'same' : 'other']),
    ),
  );
}

/** The last journal's records that count; a record that was taken back is left out. */
function sealedLength(world: World, { last, decisions }: Repair): number {
  const inLast = new Set(
    journalsThere(world)
      .at(-1)
      ?.records.now.map(({ id }) => id),
  );
  const records = counted(world).filter(({ id }) => inLast.has(id));
  const isTakenBack = last && inLast.has(last.id) && decisions.get(last.ref)?.publication === 'taken back';
  if (!isTakenBack) return records.length;
  world.ledger.takenBack.push(last.new);
  return records.length - 1;
}

/** True where a record may need repair: all that count of another boot, the very last one of this boot. */
function isOpen(record: JournalRecord, { boots, last }: Repair): boolean {
  return boots.get(record.id) === 'other' || record === last;
}

/** Records by a name, oldest first, where the last of the name may need repair. */
function grouped(
  repair: Repair,
  namesOf: (record: JournalRecord) => readonly string[],
): Map<string, JournalRecord[]> {
  const groups = new Map<string, JournalRecord[]>();
  for (const record of repair.records)
    for (const name of namesOf(record)) groups.set(name, [...(groups.get(name) ?? []), record]);
  for (const [name, records] of groups) if (!isOpen(records.at(-1)!, repair)) groups.delete(name);
  return groups;
}

function* repairRefs(world: World, repair: Repair): Steps<boolean> {
  for (const [ref, records] of grouped(repair, record => [record.ref])) {
    if (world.flaws.has('records counted over all refs') && records.at(-1) !== repair.last) continue;
    const decision = decideRef({
      boot: repair.boots.get(records.at(-1)!.id)!,
      isStaged: isRefStaged(world, records.at(-1)!),
      records: records.map(record => ({
        old: record.old,
        new: record.new,
        refBefore: evidence(world, record.refBefore, record.old),
        refStaged: evidence(world, record.refStaged, record.new)!,
      })),
      present: presentRef(world, ref, records),
      readable: records.map(record => record.new).filter(oid => world.isReadable(oid)),
    });
    repair.decisions.set(ref, decision);
    if (world.lock !== repair.token) return false;
    if (decision.keep !== null) putRef(world, `refs/vedit-kept/${decision.keep}`, decision.keep);
    if (decision.set !== null) putRef(world, ref, decision.set);
    yield `ref ${ref}`;
  }
  return true;
}

function isRefStaged(world: World, { token, refStaged }: JournalRecord): boolean {
  return world.tmp.get(token)?.ref?.ino === refStaged;
}

function presentRef(world: World, ref: string, records: readonly JournalRecord[]): PresentRef {
  const present = world.readRef(ref);
  if (!present) return { kind: 'missing' };
  const { value, ino } = present;
  if (value === '') return { kind: 'empty' };
  const below = world.reachable(value);
  return {
    kind: 'value',
    value,
    evidence: evidence(world, ino, value)!,
    isReadable: world.isReadable(value),
    reaches: records.map(record => record.new).filter(oid => below.has(oid)),
  };
}

function publicationOf({ decisions }: Repair, record: JournalRecord): RefDecision['publication'] {
  return decisions.get(record.ref)?.publication ?? 'published';
}

/** What is at the path where the ref is not on its last record's commit, or HEAD is on another branch. */
function othersAt(
  world: World,
  repair: Repair,
  ref: string,
  path: string,
  head = ref,
): { head: Version } | null {
  const value = world.readRef(head)?.value;
  const last = repair.records.findLast(record => record.ref === ref);
  if (world.flaws.has('head not asked') || (head === ref && value === last?.new)) return null;
  return { head: version(world.tree(value)[path] ?? null) };
}

function version(name: string | null): Version {
  return name === null ? null : { version: name, mode: '100644' };
}

/** Stages, looks whether the lock is still its own, then replaces, as an edit does. */
function* repairFiles(world: World, repair: Repair): Steps<boolean> {
  const keysOf = (record: JournalRecord): string[] =>
    record.files.map(({ path }) => `${record.worktree}/${path}`);
  for (const [key, records] of grouped(repair, keysOf)) {
    const record = records.at(-1)!;
    const path = key.slice(record.worktree.length + 1);
    if (!world.heads.has(record.worktree)) continue;
    const present = world.file(key);
    const decision = decideFile({
      boot: repair.boots.get(record.id)!,
      records: records.map(one => {
        const file = one.files.find(candidate => candidate.path === path)!;
        return {
          after: version(file.after),
          was: evidence(world, file.was, versionOf(world, one, path)),
          staged: evidence(world, file.staged, file.after),
        };
      }),
      publication: publicationOf(repair, record),
      others: othersAt(world, repair, record.ref, path),
      present: present && evidence(world, present.ino, present.version),
      isStaged: world.flaws.has('staged not asked') || isFileStaged(world, record, path),
    });
    if (decision === 'leave') continue;
    const staged = decision.put && stageForRepair(world, repair.token, path, decision.put.version);
    yield `staged ${key}`;
    if (world.lock !== repair.token || (staged && !world.tmp.get(repair.token)?.files.has(path)))
      return false;
    world.tmp.get(repair.token)?.files.delete(path);
    world.setFile(key, staged);
    world.tmp.get(record.token)?.files.delete(path);
    yield `file ${key}`;
  }
  return true;
}

/** The content that a record found at its path: the tree before its last commit. */
function versionOf(world: World, record: JournalRecord, path: string): string | null {
  const [parent] = world.commits.get(record.new)!.parents;
  return world.commits.get(parent!)?.tree[path] ?? null;
}

function isFileStaged(world: World, record: JournalRecord, path: string): boolean {
  const staged = record.files.find(file => file.path === path)?.staged ?? DELETION.ino;
  return world.tmp.get(record.token)?.files.get(path)?.ino === staged;
}

function stageForRepair(world: World, token: number, path: string, content: string): WorkFile {
  const file: WorkFile = { version: content, ino: world.newInode(), by: 'engine' };
  world.synced.add(file.ino);
  stagingOf(world, token).files.set(path, file);
  return file;
}

function* repairIndexes(world: World, repair: Repair): Steps<boolean> {
  for (const [worktree, records] of grouped(repair, record => (record.index ? [record.worktree] : []))) {
    const last = records.at(-1)!;
    const present = world.indexes.get(worktree)?.now ?? null;
    if (!world.heads.has(worktree) || !present) continue;
    const paths = records.flatMap(record => record.index!.entries.map(entry => entry.path));
    const put = decideIndex({
      boot: repair.boots.get(last.id)!,
      records: records.map(({ index }) => ({
        was: evidence(world, index!.was, 'index'),
        staged: evidence(world, index!.staged, 'index')!,
        entries: index!.entries.map(({ path, before, after }) => ({
          path,
          before: version(before),
          after: version(after),
        })),
      })),
      publication: publicationOf(repair, last),
      present: evidence(world, present.ino, 'index'),
      isStaged: world.tmp.get(last.token)?.index?.ino === last.index!.staged,
      entries: Object.fromEntries(
        paths.map(path => [
          path,
          {
            present: version(present.entries[path] ?? null),
            others: othersAt(world, repair, last.ref, path, world.heads.get(worktree)!),
          },
        ]),
      ),
    });
    if (put.length === 0) continue;
    const entries = { ...present.entries };
    for (const { path, after } of put) {
      if (after) entries[path] = after.version;
      else delete entries[path];
    }
    const ino = world.newInode();
    world.synced.add(ino);
    if (world.lock !== repair.token) return false;
    world.setIndex(worktree, { entries, ino, by: 'engine' });
    yield `index ${worktree}`;
  }
  return true;
}

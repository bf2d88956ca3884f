/**
 * One edit, step by step as the page has it: each `yield` is a place where the process can be killed or stopped, or
 * where somebody else acts.
 */

import { newJournal, openJournal } from './journal.ts';
import { type EditSpec, type Plan, readAndPlan, syncOfOthers, withVersions } from './plan.ts';
import { recover } from './recover.ts';
import type { Journal, JournalRecord, Staging, WorkFile, World } from './world.ts';

export type Outcome = 'done' | 'refused';
export type Steps<T> = Generator<string, T, void>;

export function* edit(world: World, token: number, spec: EditSpec): Steps<Outcome> {
  if (!(yield* takeLock(world, token))) return 'refused';
  const journal = openJournal(world);
  const plan = readAndPlan(world, token, spec);
  yield 'read';
  if (!plan) return letGo(world, token, 'refused');
  yield* syncOfOthers(world, plan.record);
  stage(world, plan.record);
  yield 'staged';
  // The journal is chosen and all is staged, then the look: whoever takes the lock over later seals that journal and
  // moves the staged files away, so that an owner that wakes adds no record behind another's and takes no lock of git.
  if (world.lock !== token && !world.flaws.has('no look before the record'))
    return letGo(world, token, 'refused');
  yield 'mine';
  if (spec.fails) return yield* failedAppend(world, journal, plan.record, spec.fails);
  yield* append(world, journal, plan.record);
  for (const oid of plan.record.commits) if (!world.objects.has(oid)) world.objects.set(oid, false);
  yield 'objects';
  if (!isLockStaged(world, token)) return yield* takeBack(world, journal, plan.record);
  const locks = gitLocksOf(plan.record);
  if (locks.some(name => world.gitLocks.has(name))) return yield* takeBack(world, journal, plan.record);
  for (const name of locks) world.gitLocks.set(name, token);
  yield 'locked';
  if (!isUnchanged(world, plan)) return yield* takeBack(world, journal, plan.record);
  yield 'looked';
  if (!moveRef(world, plan.record)) return yield* takeBack(world, journal, plan.record);
  yield 'ref';
  if (world.flaws.has('record after the ref')) yield* appendLate(journal, plan.record);
  yield* completeWorkTree(world, plan.record);
  yield 'completed';
  giveGitLocks(world, token);
  yield 'unlocked';
  return acknowledge(world, plan.record);
}

/** Every path to an answer: the staged files go, then the lock; the answer is out when the lock is free. */
function letGo(world: World, token: number, outcome: Outcome): Outcome {
  world.tmp.delete(token);
  giveGitLocks(world, token);
  if (world.lock === token) world.lock = null;
  world.ledger.refused.push(...world.ledger.takenBack);
  world.ledger.takenBack = [];
  return outcome;
}

function acknowledge(world: World, record: JournalRecord): Outcome {
  world.ledger.acknowledged.push({ commit: record.new, ref: record.ref, record });
  return letGo(world, record.token, 'done');
}

function giveGitLocks(world: World, token: number): void {
  for (const [name, holder] of world.gitLocks) if (holder === token) world.gitLocks.delete(name);
}

/** Takes a free lock, or that of an owner that is dead or taken for dead, and repairs. */
export function* takeLock(world: World, token: number): Steps<boolean> {
  const wasHeld = world.lock !== null;
  world.lock = token;
  yield 'lock';
  if (wasHeld || world.journals.some(({ isThere, boot }) => isThere.now && boot !== world.boot)) {
    if ((yield* recover(world, token)) === 'fenced') return false;
  }
  return true;
}

export function stagingOf(world: World, token: number): Staging {
  let staging = world.tmp.get(token);
  if (!staging) {
    staging = { ref: null, isFenced: false, files: new Map(), index: null, asides: new Map() };
    world.tmp.set(token, staging);
  }
  return staging;
}

/** What lies staged of a deletion until it is done. */
export const DELETION: WorkFile = { version: '', ino: 0, by: 'engine' };

function stage(world: World, record: JournalRecord): void {
  const staging = stagingOf(world, record.token);
  staging.ref = { value: record.new, ino: record.refStaged, by: 'engine' };
  for (const { path, after, was, staged } of record.files) {
    if (after !== null && staged !== null)
      staging.files.set(path, { version: after, ino: staged, by: 'engine' });
    if (after === null && was !== null) staging.files.set(path, DELETION);
  }
  if (record.index) {
    const present = world.indexes.get(record.worktree)?.now;
    const changes = record.index.entries.map(({ path, after }): [string, string | null] => [path, after]);
    const entries = withVersions(present?.entries ?? {}, changes);
    staging.index = { entries, ino: record.index.staged, by: 'engine' };
  }
}

/** The one wait: the record, the staged files and the staged index. */
function* append(world: World, journal: Journal, record: JournalRecord): Steps<void> {
  const whole = { ...record, salt: journal.salt };
  if (!world.flaws.has('record after the ref')) pushRecord(journal, whole);
  yield 'appended';
  if (!world.flaws.has('no sync of the record')) journal.records.past = [];
  for (const { staged } of record.files) if (staged !== null) world.synced.add(staged);
  if (record.index && !world.flaws.has('index synced late')) world.synced.add(record.index.staged);
  yield 'waited';
}

function pushRecord(journal: Journal, record: JournalRecord): void {
  journal.records = {
    now: [...journal.records.now, record],
    past: [...journal.records.past, journal.records.now],
  };
}

/** A short write or a failed sync: the record is cut, and a new journal seals the old one before the answer. */
function* failedAppend(
  world: World,
  journal: Journal,
  record: JournalRecord,
  fails: 'append' | 'sync',
): Steps<Outcome> {
  const before = journal.records.now;
  pushRecord(journal, { ...record, salt: journal.salt, isTorn: fails === 'append' });
  yield 'failed';
  if (world.flaws.has('short write ignored')) return acknowledge(world, record);
  // After a failed sync the cut fails too, as a disk that fails does; after a short write it is made.
  if (fails === 'append')
    journal.records = { now: before, past: [...journal.records.past, journal.records.now] };
  yield 'cut';
  const isSealed = world.journals.at(-1) !== journal;
  if (!isSealed && !world.flaws.has('no new journal after a failure')) newJournal(world, before.length);
  yield 'sealed';
  world.ledger.refused.push(record.new);
  return letGo(world, record.token, 'refused');
}

/** The cut of an aborted record is synced before the refusal is answered. */
function* takeBack(world: World, journal: Journal, record: JournalRecord): Steps<Outcome> {
  giveGitLocks(world, record.token);
  yield 'aborted';
  const records = journal.records.now.filter(({ id }) => id !== record.id);
  journal.records = { now: records, past: [...journal.records.past, journal.records.now] };
  yield 'cut';
  if (!world.flaws.has('cut not synced')) journal.records.past = [];
  yield 'cut synced';
  world.ledger.refused.push(record.new);
  return letGo(world, record.token, 'refused');
}

/** The ref's lock, and on the checked-out branch the index's. */
function gitLocksOf({ ref, index, worktree }: JournalRecord): string[] {
  return index ? [ref, `${worktree}/index`] : [ref];
}

/** Git's locks are hard links of a staged file. */
function isLockStaged(world: World, token: number): boolean {
  return (
    world.tmp.get(token)?.isFenced === false ||
    world.flaws.has('no look before the record') ||
    world.flaws.has('no fence')
  );
}

/** The last look: the lock, HEAD and ref, the index, each file. */
function isUnchanged(world: World, { record, headRef }: Plan): boolean {
  if (world.lock !== record.token) return false;
  const isCompared = !world.flaws.has('no ref compare');
  if (isCompared && headRef !== undefined && world.heads.get(record.worktree) !== headRef) return false;
  if (isCompared && (world.readRef(record.ref)?.ino ?? null) !== record.refBefore) return false;
  if (record.index && (world.indexes.get(record.worktree)?.now?.ino ?? null) !== record.index.was)
    return false;
  return record.files.every(
    ({ path, was }) => (world.file(`${record.worktree}/${path}`)?.ino ?? null) === was,
  );
}

/** The moment of the edit; false when the staged ref is gone, since somebody took the lock over. */
function moveRef(world: World, record: JournalRecord): boolean {
  const staging = world.tmp.get(record.token);
  if (!staging?.ref || (staging.isFenced && !world.flaws.has('no fence'))) return false;
  world.setRef(record.ref, staging.ref);
  staging.ref = null;
  return true;
}

/** Negative control: what becomes visible before it is recorded. */
function* appendLate(journal: Journal, record: JournalRecord): Steps<void> {
  pushRecord(journal, { ...record, salt: journal.salt });
  journal.records.past = [];
  yield 'late record';
}

/** Step 9: each staged file over its target, the staged index, a look at what was moved aside. */
function* completeWorkTree(world: World, record: JournalRecord): Steps<void> {
  for (const file of record.files) {
    replaceFile(world, record, file);
    yield `file ${file.path}`;
  }
  returnAsides(world, record);
  yield 'asides';
  const staging = world.tmp.get(record.token);
  if (staging?.index && world.indexes.get(record.worktree)?.now?.ino === record.index?.was) {
    world.setIndex(record.worktree, staging.index);
    staging.index = null;
    yield 'index';
  }
}

/** Renames one staged file over its target, or moves a deleted one away, where it is still what was read. */
function replaceFile(world: World, record: JournalRecord, file: JournalRecord['files'][number]): void {
  const key = `${record.worktree}/${file.path}`;
  const staging = world.tmp.get(record.token);
  const present = world.file(key);
  if (!staging || !world.heads.has(record.worktree)) return;
  const isOthers = (present?.ino ?? null) !== file.was;
  if (isOthers && !(file.was === null && world.flaws.has('plain write for exclusive create'))) return;
  const staged = staging.files.get(file.path) ?? null;
  if (file.staged !== null && !staged) return;
  if (present && file.was !== null) staging.asides.set(key, present);
  staging.files.delete(file.path);
  if (present || staged) world.setFile(key, staged === DELETION ? null : staged);
}

/** Somebody who wrote into a file that was replaced or moved away gets it back. */
function returnAsides(world: World, record: JournalRecord): void {
  const asides: Map<string, WorkFile> = world.tmp.get(record.token)?.asides ?? new Map();
  for (const [key, aside] of asides) {
    const file = record.files.find(({ path }) => `${record.worktree}/${path}` === key);
    if (file && aside.ino !== file.was && (world.file(key)?.ino ?? null) === file.staged)
      world.setFile(key, aside);
  }
  asides.clear();
}

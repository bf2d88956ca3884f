/** The journals of the model: which records count, a new one that seals the old, and how an old one is settled. */

import { countedRecords } from './counted-records.ts';
import type { Steps } from './edit.ts';
import type { Journal, JournalRecord, World } from './world.ts';

/** The whole records that count, oldest first. */
export function counted(world: World): JournalRecord[] {
  const journals = world.journals
    .filter(({ isThere }) => isThere.now)
    .map(journal => ({
      name: String(journal.number),
      seals: world.flaws.has('no seal') ? [] : journal.seals,
      records: wholeRecords(world, journal).map((record, index) => ({ record, end: index + 1 })),
    }));
  return countedRecords(journals).map(({ record }) => record);
}

/** Up to the first that is torn, damaged, or of another file. */
function wholeRecords(world: World, { records, salt }: Journal): readonly JournalRecord[] {
  const end = records.now.findIndex(
    record =>
      (record.isTorn && !world.flaws.has('checksum not checked')) ||
      (record.salt !== salt && !world.flaws.has('no chain or salt')),
  );
  return end === -1 ? records.now : records.now.slice(0, end);
}

export function journalsThere(world: World): Journal[] {
  return world.journals.filter(({ isThere }) => isThere.now);
}

/** The journal that appends go to. */
export function openJournal(world: World): Journal {
  return journalsThere(world).findLast(({ boot }) => boot === world.boot) ?? newJournal(world);
}

export function nextNumber({ journals }: World): number {
  return (journals.at(-1)?.number ?? 0) + 1;
}

/** A new journal, synced with its folder, that seals the one before: at its end, or at `length` records. */
export function newJournal(world: World, length?: number): Journal {
  const before = journalsThere(world).at(-1);
  const number = nextNumber(world);
  const seals = before
    ? [{ journal: String(before.number), length: length ?? wholeRecords(world, before).length }]
    : [];
  const journal: Journal = {
    number,
    boot: world.boot,
    salt: world.tick(),
    seals,
    records: { now: [], past: [] },
    isThere: { now: true, past: [] },
  };
  world.journals.push(journal);
  return journal;
}

/** Makes durable what the journals before `number` recorded, and removes them. */
export function* settle(world: World, number: number): Steps<void> {
  for (const journal of journalsThere(world).filter(one => one.number < number)) {
    const isEarly = world.flaws.has('removes before it syncs');
    if (isEarly) yield* remove(world, journal);
    yield* makeDurable(world, recordsOf(world, journal));
    if (!isEarly) yield* remove(world, journal);
  }
}

function recordsOf(world: World, journal: Journal): JournalRecord[] {
  const inIt = new Set(journal.records.now.map(({ id }) => id));
  return counted(world).filter(({ id }) => inIt.has(id));
}

function* makeDurable(world: World, records: readonly JournalRecord[]): Steps<void> {
  for (const { commits } of records) {
    for (const oid of commits) world.objects.set(oid, true);
    if (!world.flaws.has('syncs what is there')) for (const oid of commits) world.enginePacks.add(oid);
  }
  yield 'packed';
  for (const ref of new Set(records.map(one => one.ref))) {
    const present = world.readRef(ref);
    // Somebody's value: its objects first, or the ref would stand on what a power cut takes.
    if (present && !world.flaws.has('no extra sync')) world.syncObjects(world.reachable(present.value));
    world.syncRef(ref);
    yield 'synced ref';
  }
  for (const { worktree, files, index } of records) {
    if (!world.heads.has(worktree)) continue;
    for (const { path } of files) {
      const cell = world.files.get(`${worktree}/${path}`);
      if (cell) cell.past = [];
    }
    const cell = world.indexes.get(worktree);
    if (index && cell) world.sync(cell);
  }
  yield 'synced work tree';
}

function* remove(world: World, journal: Journal): Steps<void> {
  journal.isThere = { now: false, past: [...journal.isThere.past, true] };
  world.staleRecords.push(...journal.records.now);
  yield 'unlinked';
  journal.isThere.past = [];
  yield 'removed';
}

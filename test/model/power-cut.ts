/** A power cut: every name keeps any value it had since it was synced, damaged where its content was not. */

import type { Cell, Inode, Journal, JournalRecord, World } from './world.ts';

/** Chooses one of so many; the answers of all calls of one cut are one world. */
type Choose = (count: number) => number;

/** The worlds that a power cut may leave: all where there are at most `limit`, else the two ends and a fixed draw. */
export function* powerCuts(world: World, limit: number): Generator<World> {
  const counts: number[] = [];
  yield cut(world, count => {
    counts.push(count);
    return 0;
  });
  const total = counts.reduce((product, count) => product * count, 1);
  if (total <= limit) {
    for (let number = 1; number < total; number++) yield cut(world, digits(number));
    return;
  }
  yield cut(world, count => count - 1);
  const random = generator(total);
  for (let drawn = 2; drawn < limit; drawn++) yield cut(world, count => Math.floor(random() * count));
}

function digits(number: number): Choose {
  let rest = number;
  return count => {
    const digit = rest % count;
    rest = Math.floor(rest / count);
    return digit;
  };
}

/** A small generator of fixed numbers (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One world after a cut. The first choice of each is 'nothing was lost', the last 'the oldest'. */
export function cut(before: World, choose: Choose): World {
  const world = before.clone();
  const pick = <T>(options: readonly T[]): T => options[choose(options.length)]!;
  for (const [ref, cell] of world.refs) {
    // A name that changed may be missing, whatever it held.
    const missing = cell.past.length > 0 && !cell.past.includes(null) ? [null] : [];
    world.refs.set(ref, kept(pick([...values(world, cell, file => ({ ...file, value: '' })), ...missing])));
  }
  world.packed = kept(pick(values(world, world.packed, file => ({ ...file, values: {} }))));
  for (const [key, cell] of world.files)
    world.files.set(key, kept(pick(values(world, cell, file => ({ ...file, version: '?' })))));
  for (const [worktree, cell] of world.indexes)
    world.indexes.set(
      worktree,
      kept(pick(values(world, cell, file => ({ ...file, entries: { '?': '?' } })))),
    );
  loseObjects(world, pick);
  for (const journal of world.journals) cutJournal(world, journal, pick);
  for (const cells of [world.refs, world.files, world.indexes])
    for (const { now } of (cells as Map<string, Cell<Inode | null>>).values())
      if (now) world.synced.add(now.ino);
  if (world.packed.now) world.synced.add(world.packed.now.ino);
  world.boot += 1;
  for (const holder of world.gitLocks.values()) world.dead.add(holder);
  if (world.lock !== null) world.dead.add(world.lock);
  return world;
}

/** The values that a name may hold, newest first, each also damaged where its content was not synced. */
function values<T extends Inode>(
  world: World,
  { now, past }: Cell<T | null>,
  damage: (file: T) => T,
): Array<T | null> {
  const all = [...new Set([now, ...past.toReversed()])];
  return all.flatMap(file => (file && !world.synced.has(file.ino) ? [file, damage(file)] : [file]));
}

function kept<T>(now: T): Cell<T> {
  return { now, past: [] };
}

/** Of the objects that were not synced: none is lost, all, one of them, those of the engine, those of a person. */
function loseObjects(world: World, pick: <T>(options: readonly T[]) => T): void {
  const volatile = [...world.objects].filter(([, isDurable]) => !isDurable).map(([oid]) => oid);
  const by = (writer: string): string[] => volatile.filter(oid => world.commits.get(oid)!.by === writer);
  const choices = [[], ...volatile.map(oid => [oid]), by('engine'), by('person'), volatile];
  const distinct = [...new Map(choices.map(choice => [choice.join(), choice])).values()];
  for (const oid of pick(distinct)) world.objects.delete(oid);
  for (const oid of world.objects.keys()) world.objects.set(oid, true);
}

/** Its bytes end anywhere: after a record, in the middle of one, or in what stood on the disk before. */
function cutJournal(world: World, journal: Journal, pick: <T>(options: readonly T[]) => T): void {
  journal.isThere = kept(pick([...new Set([journal.isThere.now, ...journal.isThere.past])]));
  const { now, past } = journal.records;
  const options = [now, ...past.toReversed()];
  if (past.length > 0) {
    const shortest = options.reduce((one, other) => (other.length < one.length ? other : one));
    const next = now[shortest.length] ?? past.flat().find(record => !shortest.includes(record));
    if (next) options.push([...shortest, torn(next)]);
    const stale: JournalRecord | undefined = world.staleRecords.at(-1);
    if (stale) options.push([...shortest, stale]);
  }
  journal.records = kept(pick(options));
}

/** Its last bytes are not what was written: among them the texts it carries. */
function torn(record: JournalRecord): JournalRecord {
  const files = record.files.map(file => ({ ...file, after: file.after === null ? null : '?' }));
  return { ...record, files, isTorn: true };
}

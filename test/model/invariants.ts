/**
 * The invariants I1 to I10 of the protocol in the model's terms. `before` is the moment of the kill or power cut,
 * `found` what it left, `after` the world once recovery is done.
 */

import { counted } from './journal.ts';
import type { JournalRecord, World } from './world.ts';

export interface Case {
  before: World;
  found: World;
  after: World;
  isPowerCut: boolean;
}

/** Every violation, one line each. */
export function violations(one: Case): string[] {
  return [
    ...refsReadable(one),
    ...acknowledgedKept(one),
    ...refusedAbsent(one),
    ...refsOfPersons(one),
    ...commitsOfPersons(one),
    ...filesOfPersons(one),
    ...filesAsRecorded(one),
    ...stillAgree(one),
    ...indexes(one),
    ...nothingLeft(one),
  ];
}

/** True where git alone left the ref unsynced: a person set it, and no record that counts knows of it any more. */
export function isExcused({ before, found, isPowerCut }: Case, ref: string): boolean {
  if (!isPowerCut || counted(found).some(record => record.ref === ref)) return false;
  const last = before.ledger.acknowledged.findLast(one => one.ref === ref);
  return isTouched(before, ref, last?.record.readAt ?? 0);
}

function isTouched(world: World, ref: string, since: number): boolean {
  return world.wasTouchedSince(ref, since) || world.ledger.packed > since;
}

/** I1, I3: each ref that was there is there and stands on what can be read. */
function refsReadable(one: Case): string[] {
  const { before, after } = one;
  return refNames(before).flatMap(ref => {
    if (!before.readRef(ref) || isExcused(one, ref)) return [];
    const value = after.readRef(ref)?.value;
    if (value === undefined) return [`I3 ${ref} is gone`];
    return after.isReadable(value) ? [] : [`I1 ${ref} is on ${value || 'nothing'}, which cannot be read`];
  });
}

function refNames({ refs, packed }: World): string[] {
  return [...new Set([...refs.keys(), ...Object.keys(packed.now?.values ?? {})])];
}

/** I4: what was acknowledged and not moved away by a person is on its ref; where a person touched it, at least kept. */
function acknowledgedKept(one: Case): string[] {
  const { before, after } = one;
  const anywhere = reachedFromRefs(after);
  return before.ledger.acknowledged.flatMap(({ commit, ref, record }) => {
    const value = before.readRef(ref)?.value;
    if (!value || !before.reachable(value).has(commit) || isExcused(one, ref)) return [];
    const isMovable = isTouched(before, ref, record.readAt) || isPackedValue(one, ref);
    const reached = isMovable ? anywhere : after.reachable(after.readRef(ref)?.value ?? '');
    return reached.has(commit) ? [] : [`I4 ${commit} of ${ref} was acknowledged and is lost`];
  });
}

/**
 * A value of packed-refs that came to light where a cut took a loose ref away: no rename over a file does that on a
 * local disk. It is taken for somebody's where no record names it, and the commit is kept aside.
 */
function isPackedValue({ found }: Case, ref: string): boolean {
  return !found.refs.get(ref)?.now && found.readRef(ref) !== null;
}

function reachedFromRefs(world: World): Set<string> {
  return new Set(refNames(world).flatMap(ref => [...world.reachable(world.readRef(ref)?.value ?? '')]));
}

/** I10: what was refused appears in no ref and in no file. */
function refusedAbsent({ before, found, after }: Case): string[] {
  const reached = reachedFromRefs(after);
  return before.ledger.refused.flatMap(oid => {
    const record = before.ledger.records.find(one => one.new === oid)!;
    const faults = reached.has(oid) ? [`I10 ${oid} was refused and appears`] : [];
    for (const { path, after: version } of record.files) {
      const key = `${record.worktree}/${path}`;
      const isNew = after.file(key)?.version === version && found.file(key)?.version !== version;
      if (version !== null && isNew) faults.push(`I10 ${key} has the text of ${oid}, which was refused`);
    }
    return faults;
  });
}

/** I6: a value that a person gave a ref, and that can be read, stays or is below. */
function refsOfPersons({ found, after, isPowerCut }: Case): string[] {
  const records = counted(found);
  return refNames(found).flatMap(ref => {
    const present = found.readRef(ref);
    const value = after.readRef(ref)?.value;
    const isAllOfThisBoot = found.journals.every(({ isThere, boot }) => !isThere.now || boot === found.boot);
    if (!isPowerCut && isAllOfThisBoot)
      return present?.value === value ? [] : [`I6 ${ref} was set after a kill`];
    if (present?.by !== 'person' || !present.value || !found.isReadable(present.value)) return [];
    const wasRead = records.some(one => one.ref === ref && one.refBefore === present.ino);
    const isKept = wasRead ? after.reachable(value ?? '').has(present.value) : value === present.value;
    return isKept ? [] : [`I6 ${ref}: a person's ${present.value} became ${value}`];
  });
}

/** I6: without a power cut, what a person gave a ref last is there or below. */
function commitsOfPersons({ before, after, isPowerCut }: Case): string[] {
  if (isPowerCut) return [];
  return [...before.ledger.values].flatMap(([ref, value]) =>
    after.reachable(after.readRef(ref)?.value ?? '').has(value)
      ? []
      : [`I6 a person's ${value} on ${ref} is lost`],
  );
}

/** I5: after a kill, recovery makes no difference between a file and HEAD where there was none. */
function stillAgree({ found, after, isPowerCut }: Case): string[] {
  if (isPowerCut) return [];
  const records = counted(found);
  const inTree = (world: World, ref: string, path: string): string | null =>
    world.tree(world.readRef(ref)?.value)[path] ?? null;
  return [...found.files.keys()].flatMap(key => {
    const [worktree, path] = key.split('/') as [string, string];
    const head = found.heads.get(worktree);
    const last = records.findLast(
      one => one.worktree === worktree && one.files.some(file => file.path === path),
    );
    if (head === undefined || last?.ref !== head) return [];
    const wasSame = (found.file(key)?.version ?? null) === inTree(found, head, path);
    const isSame = (after.file(key)?.version ?? null) === inTree(after, head, path);
    return wasSame && !isSame && after.file(key)?.by !== 'person'
      ? [`I5 ${key} agreed with HEAD and does not any more`]
      : [];
  });
}

/** I5, I6: no text of a person is overwritten that is not in history; what a person deleted stays away. */
function filesOfPersons({ before, found, after, isPowerCut }: Case): string[] {
  const texts = textsOf(after, reachedFromRefs(after));
  // In history once, on a ref that a person moved or deleted.
  for (const { ref, readAt, commits } of before.ledger.records)
    if (isTouched(before, ref, readAt)) for (const text of textsOf(before, commits)) texts.add(text);
  return [...found.files.keys()].flatMap(key => {
    if (!after.files.has(key)) return [];
    const [present, now] = [found.file(key), after.file(key)];
    const faults: string[] = [];
    const isLost =
      present?.by === 'person' && now?.version !== present.version && !texts.has(present.version);
    if (isLost && present.version !== '?') faults.push(`I6 the text ${present.version} of ${key} is lost`);
    const text = before.ledger.texts.get(key);
    if (!isPowerCut && text && now?.version !== text && !texts.has(text))
      faults.push(`I6 the text ${text} that was saved to ${key} is lost`);
    const records = recordsOf(before, key);
    if (
      present?.by === 'person' &&
      now?.ino !== present.ino &&
      !records.some(one => wasOf(one, key) === present.ino)
    )
      faults.push(`I6 ${key} was a person's file ${present.version} and is now ${now?.version}`);
    const isTheirs =
      records.length > 0 && before.wasTouchedSince(key, Math.max(...records.map(one => one.readAt)));
    // Who brings back the very file that a killed edit had read cannot be told from nobody, and the edit is finished; what
    // somebody wrote into the file that it replaced comes back, also where they then deleted the new one.
    const isAsRead = records.length > 0 && wasOf(records.at(-1)!, key) === (present?.ino ?? null);
    const isReturned = present === null && now?.by === 'person';
    const mayChange = isAsRead || isReturned;
    if (!isPowerCut && isTheirs && !mayChange && present?.ino !== now?.ino && now?.version !== text)
      faults.push(`I6 ${key} was ${present?.version} by a person's act and is now ${now?.version}`);
    if (!present && now && now.by !== 'person' && !mayComeBack(before, key, records, isPowerCut))
      faults.push(`I6 ${key} was not there and is made again`);
    return faults;
  });
}

function textsOf({ commits }: World, oids: Iterable<string>): Set<string> {
  return new Set([...oids].flatMap(oid => Object.values(commits.get(oid)!.tree)));
}

/** A creation that was not reached; after a power cut every path that a record created. */
function mayComeBack(
  before: World,
  key: string,
  records: readonly JournalRecord[],
  isPowerCut: boolean,
): boolean {
  const created = records.filter(record => wasOf(record, key) === null);
  if (isPowerCut) return created.length > 0;
  // What a person deletes before it was made is a file of their own.
  return created.some(record => {
    const staged = before.tmp.get(record.token)?.files.get(key.slice(key.indexOf('/') + 1));
    return staged !== undefined || !before.wasTouchedSince(key, record.readAt);
  });
}

function recordsOf({ ledger }: World, key: string): JournalRecord[] {
  return ledger.records.filter(record =>
    record.files.some(({ path }) => `${record.worktree}/${path}` === key),
  );
}

function fileOf(record: JournalRecord, key: string): JournalRecord['files'][number] {
  return record.files.find(({ path }) => `${record.worktree}/${path}` === key)!;
}

function wasOf(record: JournalRecord, key: string): number | null {
  return fileOf(record, key).was;
}

/** I5: a file that nobody touched since its last edit holds what that edit gave it. */
function filesAsRecorded(one: Case): string[] {
  const { before, after } = one;
  return [...after.files.keys()].flatMap(key => {
    const last = recordsOf(before, key).findLast(
      record =>
        isOnRef(one, record) ||
        isAcknowledged(before, record) ||
        before.wasTouchedSince(record.ref, record.readAt),
    );
    if (!last || isDisturbed(one, last, key)) return [];
    const expected = fileOf(last, key).after;
    const now = after.file(key)?.version ?? null;
    return now === expected ? [] : [`I5 ${key} is ${now}, the last edit of it gave ${expected}`];
  });
}

function isAcknowledged({ ledger }: World, record: JournalRecord | undefined): boolean {
  return ledger.acknowledged.some(one => one.record.id === record?.id);
}

function isOnRef({ after }: Case, record: JournalRecord): boolean {
  return after.reachable(after.readRef(record.ref)?.value ?? '').has(record.new);
}

function isDisturbed(one: Case, record: JournalRecord, name: string): boolean {
  const { before } = one;
  const head = `${record.worktree}/HEAD`;
  return (
    before.wasTouchedSince(name, record.readAt) ||
    (record.index !== null && before.wasTouchedSince(head, record.readAt)) ||
    before.wasTouchedSince(record.ref, record.readAt) ||
    isPackedValue(one, record.ref) ||
    isExcused(one, record.ref)
  );
}

/** I6, I9: a person's index is not rewritten; the engine's has the last edit's entries and all others as they were. */
function indexes(one: Case): string[] {
  const { before, found, after } = one;
  return [...found.indexes.keys()].flatMap(worktree => {
    const name = `${worktree}/index`;
    const records = before.ledger.records.filter(record => record.worktree === worktree && record.index);
    const last = records.findLast(record => isOnRef(one, record));
    const [present, now] = [found.indexes.get(worktree)?.now, after.indexes.get(worktree)?.now];
    // Somebody who removed a dead owner's index.lock and rewrote the index before the edit's own was renamed.
    const isRefreshed = one.isPowerCut && present?.by === 'person' && !isAcknowledged(before, last);
    const isOurs = !before.wasTouchedSince(name, last?.readAt ?? 0) && !isRefreshed;
    const faults: string[] = [];
    if (now?.entries['?'] && isOurs && present?.by !== 'person') faults.push(`I6 ${name} is damaged`);
    const wasRead = records.some(record => record.index!.was === present?.ino);
    if (one.isPowerCut && present?.by === 'person' && !wasRead && present.ino !== now?.ino)
      faults.push(`I6 ${name} was a person's and is rewritten`);
    const named = new Set(records.flatMap(record => record.index!.entries.map(({ path }) => path)));
    const others = Object.keys({ ...present?.entries, ...now?.entries }).filter(path => !named.has(path));
    if (others.some(path => present?.entries[path] !== now?.entries[path]))
      faults.push(`I9 other entries of ${name} changed`);
    if (last && isOurs && !isDisturbed(one, last, name) && !now?.entries['?']) {
      for (const { path, after: expected } of last.index!.entries)
        if ((now?.entries[path] ?? null) !== expected)
          faults.push(`I5 ${name} has ${now?.entries[path]} for ${path}, the last edit gave ${expected}`);
    }
    return faults;
  });
}

/** I7: no lock, nothing in tmp/, no journal of another boot. */
function nothingLeft({ after }: Case): string[] {
  const faults: string[] = [];
  if (after.lock !== null) faults.push('I7 the lock is still there');
  if (after.gitLocks.size > 0) faults.push('I7 a lock of git is still there');
  if ([...after.tmp.keys()].some(token => !after.dead.has(token))) faults.push('I7 tmp/ is not empty');
  if (after.journals.some(({ isThere, boot }) => isThere.now && boot !== after.boot))
    faults.push('I7 a journal of another boot is still there');
  return faults;
}

/** What a person does beside the engine, with an editor and with git, none of which syncs anything but packs. */

import type { WorkFile, World } from './world.ts';

const W = 'w1';

/** Each act answers false where it changes nothing or git refuses it. */
export const ACTS: Readonly<Record<string, (world: World) => boolean>> = {
  'save f': world => save(world, 'f'),
  'save h': world => save(world, 'h'),
  'write into f': world => writeInto(world, 'f'),
  'delete f': world => setFile(world, `${W}/f`, null),
  'delete h': world => setFile(world, `${W}/h`, null),
  commit: world => commit(world, false),
  amend: world => commit(world, true),
  reword,
  reset: resetHard,
  'put back f': world => putBack(world, 'f'),
  'restore f': world => restore(world, 'f'),
  'add f': world => add(world, 'f', world.file(`${W}/f`)?.version),
  'unstage f': world => add(world, 'f', headTree(world, parentOf(world)).f),
  status: refreshIndex,
  stash,
  switch: switchBranch,
  'delete trail': deleteTrail,
  'pack refs': packRefs,
  gc,
  'gc marks': gcMarks,
  'gc removes': gcRemoves,
  'remove work tree': removeWorktree,
};

function save(world: World, path: string): boolean {
  return setFile(world, `${W}/${path}`, {
    version: `${path}-person${world.tick()}`,
    ino: world.newInode(),
    by: 'person',
  });
}

/** Through a descriptor that was open before: the file that an edit moved aside, where one did. */
function writeInto(world: World, path: string): boolean {
  const key = `${W}/${path}`;
  for (const { asides } of world.tmp.values()) {
    if (!asides.has(key)) continue;
    const version = `${path}-person${world.tick()}`;
    asides.set(key, { version, ino: world.newInode(), by: 'person' });
    world.touch(key);
    world.ledger.texts.set(key, version);
    return true;
  }
  return world.file(`${W}/${path}`) !== null && save(world, path);
}

function setFile(world: World, key: string, file: WorkFile | null): boolean {
  if (!file && !world.file(key)) return false;
  world.setFile(key, file);
  world.touch(key);
  if (file) world.ledger.texts.set(key, file.version);
  else world.ledger.texts.delete(key);
  return true;
}

/** From a copy of the work tree whose files are hard links: the very file that was there before an edit. */
function putBack(world: World, path: string): boolean {
  const key = `${W}/${path}`;
  const before = world.files.get(key)?.past.find(file => file !== null);
  return before != null && before.ino !== world.file(key)?.ino && setFile(world, key, before);
}

/** False where a lock of git's is held by somebody who lives; the others a person removes, as git advises. */
function hasLocks(world: World): boolean {
  for (const name of [world.heads.get(W)!, `${W}/index`]) {
    const holder = world.gitLocks.get(name);
    if (holder !== undefined && !world.dead.has(holder)) return false;
    world.gitLocks.delete(name);
  }
  return true;
}

function head(world: World): string | null {
  const value = world.readRef(world.heads.get(W)!)?.value;
  return value && world.isReadable(value) ? value : null;
}

function parentOf(world: World): string | null {
  const value = head(world);
  return (value && world.commits.get(value)!.parents[0]) ?? null;
}

function headTree(world: World, oid: string | null = head(world)): Readonly<Record<string, string>> {
  return world.tree(oid);
}

function setRef(world: World, ref: string, value: string): void {
  world.setRef(ref, { value, ino: world.newInode(), by: 'person' });
  world.touch(ref);
  world.ledger.values.set(ref, value);
}

function setIndex(world: World, entries: Readonly<Record<string, string>>, isChange = true): void {
  world.setIndex(W, { entries, ino: world.newInode(), by: 'person' });
  if (isChange) world.touch(`${W}/index`);
}

function worktreeVersions(world: World, paths: Iterable<string>): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const path of paths) {
    const file = world.file(`${W}/${path}`);
    if (file) versions[path] = file.version;
  }
  return versions;
}

/** `git commit -a`, with or without `--amend`. */
function commit(world: World, isAmend: boolean): boolean {
  const parent = head(world);
  const index = world.indexes.get(W)?.now;
  if (!parent || !index || isDamaged(world) || !hasLocks(world)) return false;
  const tree = worktreeVersions(world, Object.keys(index.entries));
  if (!isAmend && isSameTree(tree, headTree(world))) return false;
  const parents = isAmend ? world.commits.get(parent)!.parents : [parent];
  const oid = world.newCommit({ parents, tree, by: 'person' });
  world.objects.set(oid, false);
  setIndex(world, tree);
  setRef(world, world.heads.get(W)!, oid);
  return true;
}

/** `git commit --amend --only -m`: another commit of the same tree; the index is not written. */
function reword(world: World): boolean {
  const value = head(world);
  if (!value || !hasLocks(world)) return false;
  const { parents, tree } = world.commits.get(value)!;
  const oid = world.newCommit({ parents, tree, by: 'person' });
  world.objects.set(oid, false);
  setRef(world, world.heads.get(W)!, oid);
  return true;
}

function isDamaged(world: World): boolean {
  return '?' in (world.indexes.get(W)?.now?.entries ?? {});
}

function isSameTree(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const paths = Object.keys({ ...one, ...other });
  return paths.every(path => one[path] === other[path]);
}

/** Files and index as a tree has them, as `git reset --hard` and `git switch` do. */
function checkOut(world: World, tree: Readonly<Record<string, string>>): void {
  const before = world.indexes.get(W)?.now?.entries ?? {};
  for (const path of Object.keys({ ...before, ...tree })) putVersion(world, path, tree[path]);
  setIndex(world, tree);
}

function putVersion(world: World, path: string, version: string | undefined): boolean {
  const key = `${W}/${path}`;
  if (world.file(key)?.version === version) return false;
  setFile(world, key, version === undefined ? null : { version, ino: world.newInode(), by: 'person' });
  world.ledger.texts.delete(key);
  return true;
}

function resetHard(world: World): boolean {
  const parent = parentOf(world);
  if (!parent || isDamaged(world) || !hasLocks(world)) return false;
  setRef(world, world.heads.get(W)!, parent);
  checkOut(world, headTree(world));
  return true;
}

function restore(world: World, path: string): boolean {
  const index = world.indexes.get(W)?.now;
  if (!index || isDamaged(world) || !hasLocks(world)) return false;
  return putVersion(world, path, index.entries[path]);
}

function add(world: World, path: string, version: string | undefined): boolean {
  const index = world.indexes.get(W)?.now;
  if (!index || !version || index.entries[path] === version || isDamaged(world) || !hasLocks(world))
    return false;
  setIndex(world, { ...index.entries, [path]: version });
  return true;
}

/** `git status` rewrites the index with the same entries. */
function refreshIndex(world: World): boolean {
  const index = world.indexes.get(W)?.now;
  if (!index || isDamaged(world) || !hasLocks(world)) return false;
  setIndex(world, index.entries, false);
  return true;
}

function stash(world: World): boolean {
  const parent = head(world);
  const index = world.indexes.get(W)?.now;
  if (!parent || !index || isDamaged(world) || !hasLocks(world)) return false;
  const tree = worktreeVersions(world, Object.keys(index.entries));
  if (isSameTree(tree, headTree(world))) return false;
  const oid = world.newCommit({ parents: [parent], tree, by: 'person' });
  world.objects.set(oid, false);
  setRef(world, 'refs/stash', oid);
  checkOut(world, headTree(world));
  return true;
}

/** Refused where a file that would change holds something else than HEAD. */
function switchBranch(world: World): boolean {
  const to = world.heads.get(W) === 'main' ? 'side' : 'main';
  const [from, target] = [headTree(world), world.tree(world.readRef(to)?.value)];
  if (isDamaged(world) || !hasLocks(world)) return false;
  const changing = Object.keys({ ...from, ...target }).filter(path => from[path] !== target[path]);
  const index = world.indexes.get(W)?.now?.entries ?? {};
  const isDirty = (path: string): boolean =>
    index[path] !== from[path] || world.file(`${W}/${path}`)?.version !== from[path];
  if (changing.some(isDirty)) return false;
  world.heads.set(W, to);
  world.touch(`${W}/HEAD`);
  checkOut(world, { ...index, ...target });
  return true;
}

/** `git update-ref -d refs/vedit/main`. */
function deleteTrail(world: World): boolean {
  const holder = world.gitLocks.get('trail');
  if (!world.readRef('trail') || (holder !== undefined && !world.dead.has(holder))) return false;
  world.gitLocks.delete('trail');
  world.setRef('trail', null);
  world.ledger.values.delete('trail');
  world.touch('trail');
  return true;
}

/** The loose refs go into a new packed-refs, but for those that are locked. */
function packRefs(world: World): boolean {
  const values: Record<string, string> = { ...world.packed.now?.values };
  const loose = [...world.refs].filter(
    ([ref, { now }]) => now && now.value !== '' && !world.gitLocks.has(ref),
  );
  if (loose.length === 0) return false;
  for (const [ref, { now }] of loose) values[ref] = now!.value;
  world.packed = {
    now: { values, ino: world.newInode(), by: 'person' },
    past: [...world.packed.past, world.packed.now],
  };
  for (const [ref] of loose) world.setRef(ref, null);
  world.ledger.packed = world.tick();
  return true;
}

/** `git gc --prune=now`: what refs reach is packed and synced, the rest goes. */
function gc(world: World): boolean {
  for (const oid of unreached(world)) world.objects.delete(oid);
  for (const oid of world.objects.keys()) world.objects.set(oid, true);
  return true;
}

/** Such a gc has looked at the refs; what it removes, it removes when it ends. */
function gcMarks(world: World): boolean {
  world.doomed = unreached(world);
  return true;
}

/** Packs that it did not know when it began stay. */
function gcRemoves(world: World): boolean {
  if (!world.doomed) return false;
  for (const oid of world.doomed) if (!world.enginePacks.has(oid)) world.objects.delete(oid);
  world.doomed = null;
  return true;
}

/** The objects to which no ref leads now. */
function unreached(world: World): Set<string> {
  if (world.lock !== null && !world.dead.has(world.lock)) world.ledger.collectedBeside = world.lock;
  const roots = [...world.refs.keys(), ...Object.keys(world.packed.now?.values ?? {})];
  const reached = new Set(roots.flatMap(ref => [...world.reachable(world.readRef(ref)?.value ?? '')]));
  return new Set([...world.objects.keys()].filter(oid => !reached.has(oid)));
}

function removeWorktree(world: World): boolean {
  if (!world.heads.has('w2')) return false;
  world.heads.delete('w2');
  world.indexes.delete('w2');
  for (const key of [...world.files.keys()]) if (key.startsWith('w2/')) world.files.delete(key);
  if (world.flaws.has("journal in the work tree's folder")) {
    for (const { records } of world.journals) {
      records.now = records.now.filter(({ worktree }) => worktree !== 'w2');
      records.past = [];
    }
  }
  return true;
}

/** Step 3 of an edit: what it reads, what it plans, and the sync of what somebody else made. */

import type { Steps } from './edit.ts';
import { counted } from './journal.ts';
import type { JournalRecord, World } from './world.ts';

export interface EditSpec {
  /** 'HEAD' for the checked-out branch, whose index is kept in step; else a ref beside it. */
  ref: string;
  worktree: string;
  changes: ReadonlyArray<{ path: string; kind: 'write' | 'delete' }>;
  /** The append is cut short (a full disk), or its sync fails. */
  fails?: 'append' | 'sync';
}

/** What an edit read and what it is going to write. */
export interface Plan {
  record: JournalRecord;
  headRef: string | undefined;
}

export function readAndPlan(world: World, token: number, spec: EditSpec): Plan | null {
  const headRef = world.heads.get(spec.worktree);
  if (headRef === undefined) return null;
  const ref = spec.ref === 'HEAD' ? headRef : spec.ref;
  const present = world.readRef(ref);
  const parent = present?.value ?? world.readRef(headRef)?.value;
  if (!parent || present?.value === '' || !world.isReadable(parent)) return null;
  const readAt = world.tick();
  const files = readFiles(world, spec, parent);
  if (!files) return null;
  const commits = planCommits(world, spec, parent, files);
  const tree = world.commits.get(commits.at(-1)!)!.tree;
  const index = spec.ref === 'HEAD' ? planIndex(world, spec.worktree, files, tree) : null;
  const record: JournalRecord = {
    id: world.tick(),
    token,
    worktree: spec.worktree,
    ref,
    old: present?.value ?? null,
    new: commits.at(-1)!,
    refBefore: present?.ino ?? null,
    refStaged: world.newInode(),
    files: files.map(file => ({
      path: file.path,
      was: file.was,
      after: tree[file.path] ?? null,
      staged: file.staged,
    })),
    index,
    commits,
    isTorn: false,
    readAt,
    salt: 0,
  };
  world.ledger.records.push(record);
  return { record, headRef: spec.ref === 'HEAD' ? headRef : undefined };
}

interface ReadFile {
  path: string;
  kind: 'write' | 'delete';
  version: string | null;
  was: number | null;
  staged: number | null;
}

/** A deletion of what is not there is refused; so is a text that a power cut damaged (it is binary). */
function readFiles(world: World, spec: EditSpec, parent: string): ReadFile[] | null {
  const files = spec.changes.map(({ path, kind }) => {
    const present = world.file(`${spec.worktree}/${path}`);
    const staged = kind === 'write' ? world.newInode() : null;
    return { path, kind, version: present?.version ?? null, was: present?.ino ?? null, staged };
  });
  const isPossible = files.every(({ kind, version }) => kind === 'write' || version !== null);
  return isPossible && world.commits.has(parent) ? files : null;
}

/** The present content of files that differ from the trail is a commit of its own before the edit's. */
function planCommits(world: World, _spec: EditSpec, parent: string, files: readonly ReadFile[]): string[] {
  const base = world.commits.get(parent)!.tree;
  const outside = withVersions(
    base,
    files.map(({ path, version }) => [path, version]),
  );
  const commits: string[] = [];
  if (files.some(({ path, version }) => (base[path] ?? null) !== version))
    commits.push(world.newCommit({ parents: [parent], tree: outside, by: 'engine' }));
  const after = files.map(({ path, kind }): [string, string | null] => [
    path,
    kind === 'delete' ? null : `${path}${world.tick()}`,
  ]);
  const tree = withVersions(outside, after);
  commits.push(world.newCommit({ parents: [commits.at(-1) ?? parent], tree, by: 'engine' }));
  return commits;
}

export function withVersions(
  tree: Readonly<Record<string, string>>,
  versions: ReadonlyArray<[string, string | null]>,
): Record<string, string> {
  const copy = { ...tree };
  for (const [path, version] of versions) {
    if (version === null) delete copy[path];
    else copy[path] = version;
  }
  return copy;
}

function planIndex(
  world: World,
  worktree: string,
  files: readonly ReadFile[],
  tree: Readonly<Record<string, string>>,
): JournalRecord['index'] {
  const present = world.indexes.get(worktree)?.now ?? null;
  const entries = files.map(({ path }) => ({
    path,
    before: present?.entries[path] ?? null,
    after: tree[path] ?? null,
  }));
  return { was: present?.ino ?? null, staged: world.newInode(), entries };
}

/** What the last record does not name was made by somebody else, and is synced before a record builds on it. */
export function* syncOfOthers(world: World, record: JournalRecord): Steps<void> {
  if (world.flaws.has('no extra sync')) return;
  const known = counted(world);
  const last = known.findLast(one => one.ref === record.ref);
  if (!last || last.refStaged !== record.refBefore) {
    world.syncRef(record.ref);
    for (const parent of world.commits.get(record.commits[0]!)!.parents)
      world.syncObjects(world.reachable(parent));
    yield 'synced ref';
  }
  const index = known.findLast(one => one.worktree === record.worktree && one.index)?.index;
  if (record.index && record.index.was !== index?.staged && world.indexes.get(record.worktree)) {
    world.sync(world.indexes.get(record.worktree)!);
    yield 'synced index';
  }
  for (const { path, was } of record.files) {
    const before = known.findLast(one => one.worktree === record.worktree && namesPath(one, path));
    const named = before?.files.find(file => file.path === path)?.staged;
    const cell = world.files.get(`${record.worktree}/${path}`);
    if (cell && (!before || named !== was)) {
      world.sync(cell);
      yield 'synced file';
    }
  }
}

function namesPath(record: JournalRecord, path: string): boolean {
  return record.files.some(file => file.path === path);
}

/**
 * Changed files that no edit explains: the work tree against HEAD, as `git status` tells it, without those whose text the
 * trail holds. One walk goes down the folders of the work tree, of the index and of HEAD side by side; git's stat cache (the
 * index) says which files need not be read.
 */

import { fromLatin1, nameOf } from '../../bytes.ts';
import { EditError, type ErrorCode } from '../../errors.ts';
import { orNull, type Stat } from '../../fs/fs.ts';
import { entryAt, type IndexEntry } from '../../git/index/entry.ts';
import { type Index, parseIndex } from '../../git/index/format.ts';
import { isUnchanged } from '../../git/index/racy.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isGitlink, isTree, parseTree, type TreeRef } from '../../git/objects/tree-entries.ts';
import { pathIn } from '../../git/paths.ts';
import { treeOf } from '../../history/walk.ts';
import { fromTrail } from '../context.ts';
import type { OutsideChange } from './outside.ts';
import type { Snapshot } from './snapshot.ts';

export type UnexplainedChange = Pick<OutsideChange, 'path' | 'kind' | 'unreadable'>;

export interface UnexplainedChanges {
  /** By path; of a folder that git does not know, its name with a slash. */
  changes: UnexplainedChange[];
  /** True when there was no time to look at all files. */
  more: boolean;
}

/** Milliseconds that the look takes at most. */
export const LOOK = 1_000;

/**
 * Finds the changes that nothing on the trail explains, within `most` milliseconds; none where the trail's files are
 * elsewhere, or the repository has no files. Throws CORRUPT, STORE_FAILED.
 */
export async function unexplainedChanges(
  snapshot: Snapshot,
  most: number = LOOK,
): Promise<UnexplainedChanges> {
  const { context, trail } = snapshot;
  const { repo, objects, store, prefix } = context;
  const isHere = repo.workDir !== null && store.separate && !trail.mirror;
  if (!isHere) return { changes: [], more: false };
  const head = trail.head && (await treeOf(objects, trail.head));
  const root = prefix.slice(0, -1);
  const folder = head && root !== '' ? await lookup(objects, head, root) : null;
  const walk = new Walk(snapshot, await stagedFiles(snapshot), performance.now() + most);
  await walk.folder(root, root === '' ? head : folder && isTree(folder.mode) ? folder.oid : null, true);
  return { changes: walk.found, more: walk.cut };
}

/** The index as folders. */
interface Staged {
  index: Index | null;
  /** The time at which the index was written. */
  writtenNs: bigint;
  /** By folder what is directly in it: the number of its entry, or -1 for a folder. */
  folders: Map<string, Map<string, number>>;
}

async function stagedFiles({ context }: Snapshot): Promise<Staged> {
  const bytes = await context.index.read();
  const stat = bytes && (await context.fs.lstat(context.index.path));
  const index = bytes && readable(bytes);
  const folders: Staged['folders'] = new Map();
  const put = (path: string, entry: number): void => {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(slash, 0));
    const isKnown = folders.has(folder);
    if (!isKnown) folders.set(folder, new Map());
    folders.get(folder)!.set(path.slice(slash + 1), entry);
    if (!isKnown && folder !== '') put(folder, -1);
  };
  for (let i = 0; i < (index?.count ?? 0); i++) put(nameOf(index!.name(i)).replace(/\/$/, ''), i);
  return { index, writtenNs: stat?.mtimeNs ?? 0n, folders };
}

/** `null` for a split or damaged index: then all files are read. */
function readable(bytes: Uint8Array): Index | null {
  try {
    return parseIndex(bytes);
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

class Walk {
  readonly found: UnexplainedChange[] = [];
  /** True once there is no time left. */
  cut = false;
  readonly #snapshot: Snapshot;
  readonly #staged: Staged;
  readonly #until: number;
  readonly #ignored: (path: string, isDirectory: boolean) => Promise<boolean>;

  constructor(snapshot: Snapshot, staged: Staged, until: number) {
    this.#snapshot = snapshot;
    this.#staged = staged;
    this.#until = until;
    this.#ignored = snapshot.context.guards.ignored();
  }

  /** Paths are those of the work tree. `tree`: HEAD's of this folder; `isHere`: whether there is such a folder on disk. */
  async folder(path: string, tree: string | null, isHere: boolean): Promise<void> {
    const { objects } = this.#snapshot.context;
    const entries = tree === null ? [] : parseTree((await objects.read(tree, 'tree')).content);
    const inHead = new Map(entries.map(entry => [nameOf(fromLatin1(entry.name)), entry]));
    const staged = this.#staged.folders.get(path) ?? new Map<string, number>();
    const names = new Set([...(isHere ? await this.#names(path) : []), ...staged.keys(), ...inHead.keys()]);
    for (const name of [...names].sort()) {
      if (this.#isLate()) return;
      await this.#entry(pathIn(path, name), staged.get(name), inHead.get(name) ?? null);
    }
  }

  async #entry(path: string, at: number | undefined, head: TreeRef | null): Promise<void> {
    const { fs, repo } = this.#snapshot.context;
    const { index, writtenNs } = this.#staged;
    const stat = await fs.lstat(`${repo.workDir}/${path}`);
    const staged = at === undefined || at < 0 ? null : entryAt(index!, at);
    if (isNotCheckedOut(staged, head, stat)) return;
    const isHere = stat?.type === 'directory';
    const tree = head && isTree(head.mode) ? head.oid : null;
    if (at === -1 || tree !== null) await this.folder(path, tree, isHere);
    else if (isHere) {
      // Neither HEAD nor the index has it: it is named as a whole, as git does, where the trail has nothing in it.
      const own = fromTrail(this.#snapshot.context, path)!;
      const isKnown = (await this.#snapshot.recorded(own))?.mode === '40000';
      if (isKnown) await this.folder(path, null, true);
      else if (await this.#holdsFile(path)) this.#found(`${own}/`, 'created');
    }
    const was = tree === null ? head : null;
    const isFile = stat?.type === 'file' || stat?.type === 'symlink';
    if (!isFile && !was) return;
    const isSame = staged !== null && staged.oid === was?.oid && staged.mode === was.mode;
    if (isFile && isSame && isUnchanged(index!, at!, stat, writtenNs)) return;
    if (staged || was || !(await this.#ignored(path, false)))
      await this.#compare(path, isFile ? stat.type : null, was);
  }

  /** Compares what is at a path (`type`) with HEAD's entry (`was`). */
  async #compare(at: string, type: Stat['type'] | null, was: TreeRef | null): Promise<void> {
    const isFile = type !== null;
    const path = fromTrail(this.#snapshot.context, at)!;
    const recorded = await this.#snapshot.recorded(path);
    if (!isFile && !recorded) return;
    const kind = !isFile ? 'deleted' : was ? 'modified' : 'created';
    if (!isFile || (!was && !recorded)) return this.#found(path, kind);
    try {
      const { conversion } = this.#snapshot;
      await conversion.check(path);
      const file = await (type === 'file' ? this.#snapshot.file(path) : this.#snapshot.entry(path));
      for (const held of [was, recorded]) if (await conversion.isRecorded(path, file, held)) return;
      this.#found(path, kind);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      this.#found(path, kind, error.code);
    }
  }

  #found(path: string, kind: UnexplainedChange['kind'], unreadable?: ErrorCode): void {
    this.found.push({ path, kind, ...(unreadable ? { unreadable } : {}) });
  }

  /** True where it holds something that git would add; what is in a repository of its own, nobody looks at. */
  async #holdsFile(folder: string): Promise<boolean> {
    const { fs, repo } = this.#snapshot.context;
    if (this.#isLate() || (await this.#ignored(folder, true))) return false;
    if (await fs.lstat(`${repo.workDir}/${folder}/.git`)) return true;
    for (const name of await this.#names(folder)) {
      const path = pathIn(folder, name);
      const type = (await fs.lstat(`${repo.workDir}/${path}`))?.type;
      if (type === 'directory' && (await this.#holdsFile(path))) return true;
      if ((type === 'file' || type === 'symlink') && !(await this.#ignored(path, false))) return true;
    }
    return false;
  }

  async #names(folder: string): Promise<string[]> {
    const { fs, repo } = this.#snapshot.context;
    const names = await orNull(fs.readdir(`${repo.workDir}/${folder}`));
    return (names ?? []).filter(name => name !== '.git');
  }

  #isLate(): boolean {
    this.cut ||= performance.now() >= this.#until;
    return this.cut;
  }
}

/** True for submodules, for what a sparse checkout leaves out, and for what git was told not to look at. */
function isNotCheckedOut(staged: IndexEntry | null, head: TreeRef | null, stat: Stat | null): boolean {
  if ((head && isGitlink(head.mode)) || !staged) return head !== null && isGitlink(head.mode);
  return (
    isGitlink(staged.mode) || isTree(staged.mode) || staged.assumeValid || (staged.skipWorktree && !stat)
  );
}

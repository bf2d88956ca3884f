/**
 * The disk of the model: refs, packed-refs, files, an index for each work tree, git's objects, journals, tmp/ and
 * locks. Every name is a cell that knows the values it had since it was last synced; a power cut leaves any of them.
 */

/** Somebody who writes: the engine, a person with git and an editor, or the state that the world began with. */
export type Writer = 'engine' | 'person';

/** A value of a cell lies in a file of its own: `ino` stands for inode, mtime and size. */
export interface Inode {
  ino: number;
  by: Writer;
}
export interface RefFile extends Inode {
  /** '' for a file that a power cut left empty or NUL. */
  value: string;
}
export interface WorkFile extends Inode {
  /** '?' for content that a power cut damaged. */
  version: string;
}
export interface IndexFile extends Inode {
  entries: Readonly<Record<string, string>>;
}
export interface PackedRefs extends Inode {
  values: Readonly<Record<string, string>>;
}
export interface Commit {
  parents: readonly string[];
  tree: Readonly<Record<string, string>>;
  by: Writer;
}

/** A name in a folder: what it holds, and what it held since the folder was synced. */
export interface Cell<T> {
  now: T;
  past: readonly T[];
}

export interface JournalRecord {
  id: number;
  token: number;
  worktree: string;
  ref: string;
  old: string | null;
  new: string;
  refBefore: number | null;
  refStaged: number;
  files: ReadonlyArray<{ path: string; after: string | null; was: number | null; staged: number | null }>;
  index: {
    was: number | null;
    staged: number;
    entries: ReadonlyArray<{ path: string; before: string | null; after: string | null }>;
  } | null;
  /** The commits that it carries; each stands for its trees and blobs too. */
  commits: readonly string[];
  /** Only a part of its bytes is there. */
  isTorn: boolean;
  /** The clock when its edit read what it is based on. */
  readAt: number;
  /** What a reader knows of the file it lies in: bytes of another one fail the chain. */
  salt: number;
}

export interface Journal {
  number: number;
  boot: number;
  salt: number;
  seals: ReadonlyArray<{ journal: string; length: number }>;
  records: Cell<readonly JournalRecord[]>;
  isThere: Cell<boolean>;
}

/** What one process keeps in tmp/. */
export interface Staging {
  ref: RefFile | null;
  /** The staged ref was moved aside by whoever took the lock over. */
  isFenced: boolean;
  files: Map<string, WorkFile>;
  index: IndexFile | null;
  /** By 'worktree/path', the file that a replacement or deletion took away. */
  asides: Map<string, WorkFile>;
}

/** What really happened; no cut takes it away. */
export interface Ledger {
  acknowledged: Array<{ commit: string; ref: string; record: JournalRecord }>;
  /** Commits of edits that were refused, or that recovery took back before somebody was answered. */
  refused: string[];
  /** Taken back by recovery; refused as soon as the next answer is given. */
  takenBack: string[];
  records: JournalRecord[];
  /** The clock of a person's last change of a ref or file. */
  touched: Map<string, number>;
  /** By file, the text a person saved last and did not take away themselves. */
  texts: Map<string, string>;
  /** By ref, the value a person gave it last. */
  values: Map<string, string>;
  /** The clock when somebody packed the refs last. */
  packed: number;
  /** The living owner of the lock at the last `git gc --prune=now`. */
  collectedBeside: number | null;
}

export class World {
  clock = 0;
  boot = 1;
  inodes = 0;
  readonly flaws: ReadonlySet<string>;
  refs: Map<string, Cell<RefFile | null>> = new Map();
  packed: Cell<PackedRefs | null> = { now: null, past: [] };
  /** By 'worktree/path'. */
  files: Map<string, Cell<WorkFile | null>> = new Map();
  /** By work tree. */
  indexes: Map<string, Cell<IndexFile | null>> = new Map();
  heads: Map<string, string> = new Map();
  commits: Map<string, Commit> = new Map();
  /** True for an object that a power cut can not take. */
  objects: Map<string, boolean> = new Map();
  /** Objects in a pack that a checkpoint made. */
  enginePacks: Set<string> = new Set();
  /** What a `git gc --prune=now` that runs has found that no ref leads to, before that. */
  doomed: Set<string> | null = null;
  /** Inodes whose content was synced. */
  synced: Set<number> = new Set();
  journals: Journal[] = [];
  /** Records of journals that were removed: what stale blocks of the disk may hold. */
  staleRecords: JournalRecord[] = [];
  tmp: Map<number, Staging> = new Map();
  lock: number | null = null;
  /** Owners that are killed. A stopped one is not in it. */
  dead: Set<number> = new Set();
  gitLocks: Map<string, number> = new Map();
  ledger: Ledger = {
    acknowledged: [],
    refused: [],
    takenBack: [],
    records: [],
    touched: new Map(),
    texts: new Map(),
    values: new Map(),
    packed: 0,
    collectedBeside: null,
  };

  constructor(flaws: ReadonlySet<string>) {
    this.flaws = flaws;
  }

  clone(): World {
    const copy = Object.assign(new World(this.flaws), this);
    copy.refs = cloneCells(this.refs);
    copy.packed = { ...this.packed };
    copy.files = cloneCells(this.files);
    copy.indexes = cloneCells(this.indexes);
    copy.heads = new Map(this.heads);
    copy.commits = new Map(this.commits);
    copy.objects = new Map(this.objects);
    copy.enginePacks = new Set(this.enginePacks);
    copy.synced = new Set(this.synced);
    copy.journals = this.journals.map(one => ({
      ...one,
      records: { ...one.records },
      isThere: { ...one.isThere },
    }));
    copy.staleRecords = [...this.staleRecords];
    copy.tmp = new Map([...this.tmp].map(([token, one]) => [token, cloneStaging(one)]));
    copy.dead = new Set(this.dead);
    copy.gitLocks = new Map(this.gitLocks);
    const { acknowledged, refused, takenBack, records, touched, texts, values } = this.ledger;
    copy.ledger = {
      ...this.ledger,
      acknowledged: [...acknowledged],
      refused: [...refused],
      takenBack: [...takenBack],
      records: [...records],
      touched: new Map(touched),
      texts: new Map(texts),
      values: new Map(values),
    };
    return copy;
  }

  tick(): number {
    return ++this.clock;
  }

  newInode(): number {
    return ++this.inodes;
  }

  newCommit(commit: Commit): string {
    const oid = `${commit.by === 'engine' ? 'e' : 'p'}${this.commits.size}.${this.tick()}`;
    this.commits.set(oid, commit);
    return oid;
  }

  /** A person's act on a ref or file. */
  touch(name: string): void {
    this.ledger.touched.set(name, this.tick());
  }

  wasTouchedSince(name: string, clock: number): boolean {
    return (this.ledger.touched.get(name) ?? 0) > clock;
  }

  setRef(ref: string, file: RefFile | null): void {
    write(this.refs, ref, file);
  }

  setFile(key: string, file: WorkFile | null): void {
    write(this.files, key, file);
  }

  setIndex(worktree: string, file: IndexFile | null): void {
    write(this.indexes, worktree, file);
  }

  file(key: string): WorkFile | null {
    return this.files.get(key)?.now ?? null;
  }

  /** The value of a ref and the file that holds it: the loose one, or packed-refs. */
  readRef(ref: string): { value: string; ino: number; by: Writer } | null {
    const loose = this.refs.get(ref)?.now;
    if (loose) return loose;
    const packed = this.packed.now;
    const value = packed?.values[ref];
    return packed && value !== undefined ? { value, ino: packed.ino, by: packed.by } : null;
  }

  tree(oid: string | null | undefined): Readonly<Record<string, string>> {
    return (oid && this.objects.has(oid) && this.commits.get(oid)?.tree) || {};
  }

  /** The commit and everything below it; those whose object is not there end the walk and are not among them. */
  reachable(from: string): Set<string> {
    const seen = new Set<string>();
    const next = [from];
    for (let oid = next.pop(); oid !== undefined; oid = next.pop()) {
      if (seen.has(oid) || !this.objects.has(oid)) continue;
      seen.add(oid);
      next.push(...this.commits.get(oid)!.parents);
    }
    return seen;
  }

  isReadable(oid: string): boolean {
    if (!this.objects.has(oid)) return false;
    return [...this.reachable(oid)].every(one =>
      this.commits.get(one)!.parents.every(parent => this.objects.has(parent)),
    );
  }

  /** Syncs the ref's file and folder, or packed-refs. */
  syncRef(ref: string): void {
    const cell = this.refs.get(ref);
    if (cell) this.sync(cell);
    if (!cell?.now) this.sync(this.packed);
  }

  /** Syncs a file and the folder that names it. */
  sync(cell: Cell<Inode | null>): void {
    if (cell.now) this.synced.add(cell.now.ino);
    cell.past = [];
  }

  syncObjects(oids: Iterable<string>): void {
    for (const oid of oids) if (this.objects.has(oid)) this.objects.set(oid, true);
  }
}

function write<T>(cells: Map<string, Cell<T | null>>, name: string, value: T | null): void {
  const cell = cells.get(name);
  cells.set(name, { now: value, past: cell ? [...cell.past, cell.now] : [null] });
}

function cloneCells<T>(cells: Map<string, Cell<T>>): Map<string, Cell<T>> {
  return new Map([...cells].map(([name, cell]) => [name, { ...cell }]));
}

function cloneStaging(one: Staging): Staging {
  return { ...one, files: new Map(one.files), asides: new Map(one.asides) };
}

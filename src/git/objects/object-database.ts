/**
 * Reading objects by id: decoded commits and trees kept in memory, loose objects, packs, and the same of every
 * other objects folder named in `objects/info/alternates` (gitrepository-layout(5)).
 */

import { fromUtf8 } from '../../bytes.ts';
import { unquote } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/all-done.ts';
import { exists, parentOf } from '../../fs/durable.ts';
import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { resolvePath } from '../paths.ts';
import { type CommitInfo, parseCommitHead } from './commit.ts';
import { LruCache } from './lru.ts';
import { type Codec, EMPTY_TREE, type GitObject, isOid, type ObjectType } from './object.ts';
import { ObjectFolder } from './object-folder.ts';

export interface ObjectsOptions {
  fs: Fs;
  /** The absolute path of the folder named `objects` in the common git folder. */
  objectsDir: string;
  codec: Codec;
  /** For decoded commits and trees, in bytes. */
  cacheBytes?: number;
  /** The largest object that is read, in bytes of content; a larger one is TOO_LARGE. */
  maxBytes?: number;
  /** The most entries that a comparison of trees looks at; more are TOO_LARGE. */
  maxEntries?: number | undefined;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
/** A few small trees that hold each other ten times have as many entries as there are atoms: somebody may push such. */
const MAX_ENTRIES = 1_000_000;
/** Bytes that a cached object costs besides its content. */
const ENTRY_BYTES = 300;
/** The most times that a lookup looks while packs are being replaced. */
const LOOKS = 4;

/** Opens a database. Nothing is read before the first question. */
export function openObjects(options: ObjectsOptions): ObjectDatabase {
  return new ObjectDatabase(options);
}

export class ObjectDatabase {
  readonly codec: Codec;
  readonly maxEntries: number;
  /** Marks the content of a file with what is known of its path; set by whoever opened the database. */
  ofPath: ((path: string, content: Uint8Array) => Promise<Uint8Array>) | null = null;
  /** The ids of today of commits that had others before a purge; `null`: none is known. Set by whoever opened the database. */
  presentIds: ReadonlyMap<string, string> | null = null;
  /** Finds an object that git's gc took before anything named it, and a checkpoint will bring back; set by whoever opened the database. */
  unsettled: ((oid: string) => Promise<GitObject | null>) | null = null;
  readonly #options: Required<Omit<ObjectsOptions, 'maxEntries'>>;
  #cache: LruCache<string, GitObject>;
  /** In the order in which they are asked: one that had the last object comes before those that had it not. */
  #folders: ObjectFolder[] | null = null;

  constructor(options: ObjectsOptions) {
    this.codec = options.codec;
    this.maxEntries = options.maxEntries ?? MAX_ENTRIES;
    this.#options = { cacheBytes: CACHE_BYTES, maxBytes: MAX_BYTES, ...options };
    this.#cache = newCache(this.#options.cacheBytes);
  }

  /** Forgets what was read: objects were taken out of the store. */
  forget(): void {
    this.#cache = newCache(this.#options.cacheBytes);
  }

  /** True in a shallow clone, whose history ends where git was told to end it (gitrepository-layout(5)). */
  isShallow(): Promise<boolean> {
    const { fs, objectsDir } = this.#options;
    return exists(fs, `${parentOf(objectsDir)}/shallow`);
  }

  /**
   * Throws CORRUPT when the object is missing, damaged, or of another type than `type`; STORE_FAILED when it may
   * be there and cannot be read; TOO_LARGE. The content is shared with the cache: do not change it.
   */
  async read(oid: string, type?: ObjectType): Promise<GitObject> {
    const look = async () => (await this.readOrNull(oid)) ?? (await this.unsettled?.(oid)) ?? null;
    let object = await look();
    // While git gc puts objects into a pack, one is for a moment where nobody looks any more, and not yet where they look.
    for (let wait = FIRST_WAIT; object === null && wait <= LAST_WAIT; wait *= 4) {
      await sleep(wait);
      object = await look();
    }
    if (object === null) throw missing(oid);
    if (type !== undefined && object.type !== type) throw wrongType(oid, object.type, type);
    return object;
  }

  /** Reads the content of the file that is recorded at a path: that of its blob, as `ofPath` marks it. Throws as `read`. */
  async file(path: string, oid: string): Promise<Uint8Array> {
    const { content } = await this.read(oid, 'blob');
    return this.ofPath ? this.ofPath(path, content) : content;
  }

  /** Returns the object where it is in memory, so that nobody waits; `null` elsewhere, and for one of another type. */
  cached(oid: string, type: ObjectType): GitObject | null {
    const known = this.#cache.get(oid);
    return known?.type === type ? known : null;
  }

  /** Reads an object as `read` does; `null` when it is missing. */
  async readOrNull(oid: string): Promise<GitObject | null> {
    const cached = this.#cache.get(oid);
    if (cached !== undefined) return cached;
    if (!isOid(oid)) throw new EditError('CORRUPT', `${JSON.stringify(oid)} is no object id`, { oid });
    const found = (await this.#search(folder => folder.read(oid))) ?? emptyTree(oid);
    if (found !== null) this.#cache.set(oid, found);
    return found;
  }

  /** Reads the headers of a commit that walks of history need; `null` when it is missing, or not a commit. Throws as `read`. */
  async commitInfo(oid: string): Promise<CommitInfo | null> {
    const object = await this.readOrNull(oid);
    if (object?.type !== 'commit') return null;
    const { parents, seconds } = parseCommitHead(object.content);
    return { parents, seconds };
  }

  /** True when the object is stored or cached. Its content is not looked at. */
  async has(oid: string): Promise<boolean> {
    if (this.#cache.get(oid) !== undefined) return true;
    return (await this.#search(async folder => (await folder.has(oid)) || null)) !== null;
  }

  /** True when a pack holds the object now: looked up afresh, past the cache and loose objects. */
  async isPacked(oid: string): Promise<boolean> {
    await this.#refresh();
    const answers = await Promise.all((await this.#open()).map(folder => folder.packs.has(oid)));
    return answers.includes(true);
  }

  /** Finds every id that begins with `prefix` (4 to 40 hex digits), sorted. */
  async expand(prefix: string): Promise<string[]> {
    const digits = prefix.toLowerCase();
    if (!/^[0-9a-f]{4,40}$/.test(digits)) return [];
    await this.#refresh();
    const found = await Promise.all((await this.#open()).map(folder => folder.expand(digits)));
    return [...new Set(found.flat())].sort();
  }

  /** Keeps an object in the cache that is not written yet. */
  remember(object: GitObject & { oid: string }): void {
    const { oid, type, content } = object;
    this.#cache.set(oid, { type, content });
  }

  /** Closes open packs. The database can be used again and opens them again. */
  async close(): Promise<void> {
    const folders = this.#folders ?? [];
    this.#folders = null;
    for (const folder of folders) await folder.close();
  }

  /** Asks every folder, and again when the packs changed meanwhile: a gc moves objects between two looks. */
  async #search<T>(ask: (folder: ObjectFolder) => Promise<T | null>): Promise<T | null> {
    for (let look = 0; look < LOOKS; look++) {
      const folders = this.#folders ?? (await this.#open());
      const before = generationOf(folders);
      for (const folder of folders) {
        const answer = await ask(folder);
        if (answer === null) continue;
        // A list that changes is replaced, not written to.
        if (folder !== folders[0] && this.#folders === folders)
          this.#folders = [folder, ...folders.filter(one => one !== folder)];
        return answer;
      }
      await this.#refresh();
      if (generationOf(folders) === before) break;
    }
    return null;
  }

  async #open(): Promise<ObjectFolder[]> {
    if (this.#folders !== null) return this.#folders;
    const { fs, objectsDir, codec, maxBytes } = this.#options;
    const dirs = [objectsDir, ...(await alternatesOf(fs, objectsDir))];
    this.#folders = dirs.map(dir => new ObjectFolder(fs, dir, codec, maxBytes));
    return this.#folders;
  }

  async #refresh(): Promise<void> {
    for (const folder of await this.#open()) await folder.packs.refresh();
  }
}

function newCache(bytes: number): LruCache<string, GitObject> {
  return new LruCache(bytes, object => object.content.length + ENTRY_BYTES);
}

/** Another number when the packs of any folder changed: each only counts upwards. */
function generationOf(folders: readonly ObjectFolder[]): number {
  let sum = 0;
  for (const { packs } of folders) sum += packs.generation;
  return sum;
}

function emptyTree(oid: string): GitObject | null {
  return oid === EMPTY_TREE ? { type: 'tree', content: new Uint8Array(0) } : null;
}

/** Milliseconds. */
const FIRST_WAIT = 10;
const LAST_WAIT = 160;

function missing(oid: string): EditError {
  const next =
    'run git fsck; a shallow clone gets it with git fetch --unshallow, a partial one with git fetch --refetch --no-filter';
  return new EditError('CORRUPT', `object ${oid} is missing; ${next}`, { oid });
}

function wrongType(oid: string, found: ObjectType, wanted: ObjectType): EditError {
  const message = `object ${oid} is a ${found} where a ${wanted} is needed`;
  return new EditError('CORRUPT', message, { oid, found, wanted });
}

/** The number of times that an alternate may itself have alternates: git's own limit. */
const DEPTH = 5;

/**
 * The folders named in `objects/info/alternates`, and in theirs, in git's order and each once: a line is a path,
 * relative to the objects folder, C-quoted when it begins with `"`; `#` begins a comment.
 */
export async function alternatesOf(fs: Fs, objectsDir: string): Promise<string[]> {
  const seen = new Set([objectsDir]);
  await collect(fs, objectsDir, seen, DEPTH);
  seen.delete(objectsDir);
  return [...seen];
}

async function collect(fs: Fs, objectsDir: string, seen: Set<string>, depth: number): Promise<void> {
  const bytes = await reading(
    'objects/info/alternates',
    orNull(fs.readFile(`${objectsDir}/info/alternates`)),
  );
  for (const line of (fromUtf8(bytes ?? new Uint8Array(0)) ?? '').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const dir = resolvePath(objectsDir, unquote(line) ?? line);
    if (seen.has(dir) || depth === 0) continue;
    seen.add(dir);
    await collect(fs, dir, seen, depth - 1);
  }
}

/**
 * The rejections that were made in this clone: each a file of the engine's own folder, named by the commit on the trail. One
 * that came with a fetch has no file, so that no reason from outside ever reaches an agent. What is known of them is read
 * anew when somebody else moved the trail; otherwise to ask costs a look into memory.
 */

import { utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import {
  createFile,
  ensureFolder,
  parentOf,
  removeIfThere,
  replaceFile,
  syncFolder,
} from '../../fs/durable.ts';
import { type Fs, isMissing } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { textFile } from '../../text/document.ts';
import { fileAt } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry, treeOf } from '../../trail/walk.ts';

/** Lines that were taken out together, and those that stand there since. */
export interface RejectedLines {
  /** As the trail records it. */
  path: string;
  added: readonly string[];
  now: readonly string[];
}

export interface Rejection {
  /** On the trail. */
  commit: string;
  reviewer: string;
  reason: string;
  /** The sessions whose edits were rejected. */
  sessions: ReadonlySet<string>;
  lines: readonly RejectedLines[];
  /** The places in files for which the rejection has ended, as `placeName` names them. */
  ended: ReadonlySet<string>;
}

/** Names a place of a rejection by the first name that the file had, and the number of the place in it. */
export function placeName(path: string, at: number): string {
  return `${at} ${path}`;
}

interface Home {
  fs: Fs;
  folder: string;
  objects: ObjectDatabase;
}

/** The most that are known at once, the newest ones. */
const MOST = 1_000;

export class RejectionBook {
  readonly #home: Home;
  /** The rejections that were read, by commit. */
  readonly #read = new Map<string, { rejection: Rejection; trail: string; time: number }>();
  /** Those that are to come onto a trail: who reads them before finds no commit. */
  readonly #coming = new Set<string>();
  #known: readonly Rejection[] = [];
  /** The trail's newest commit as it was seen last, and when the folder was read; `undefined`: never. */
  #seen: string | null | undefined;
  #at: string | null | undefined;
  /** The number of times that a rejection was added or removed: a reading that began before does not count. */
  #changes = 0;

  constructor(home: Home) {
    this.#home = home;
  }

  /** Notes the trail's newest commit; another one than before makes the next question read anew. */
  saw(tip: string | null): void {
    this.#seen = tip;
  }

  /** Notes that an edit of this process moved the trail, which is no reason to read the rejections anew. */
  moved(from: string | null, to: string): void {
    if (this.#coming.delete(to)) this.#at = undefined;
    else if (this.#at === from) this.#at = to;
    this.#seen = to;
  }

  /** True where it is known that nobody rejected anything. */
  get isEmpty(): boolean {
    return this.#at !== undefined && this.#at === this.#seen && this.#known.length === 0;
  }

  /** Returns the rejections that are known, the newest first. */
  async all(): Promise<readonly Rejection[]> {
    if (this.#at === undefined || this.#at !== this.#seen) await this.#reread();
    return this.#known;
  }

  /** Reads the folder. Only a reading that ended counts: who asks meanwhile, or after one that failed, reads too. */
  async #reread(): Promise<void> {
    const { fs } = this.#home;
    const [seen, changes] = [this.#seen ?? null, this.#changes];
    const names = await fs.readdir(this.#folder).catch(error => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names) if (!this.#read.has(name)) await this.#readOne(name);
    const found = names.flatMap(name => this.#read.get(name) ?? []).sort((a, b) => b.time - a.time);
    this.#known = found.slice(0, MOST).map(({ rejection }) => rejection);
    this.#at = changes === this.#changes ? seen : undefined;
  }

  /** Passes over what is on no trail: it was not made after all. */
  async #readOne(commit: string): Promise<void> {
    const { fs, objects } = this.#home;
    const entry = await readEntryOrNull(objects, commit);
    if (!entry?.meta?.rejects) return;
    const stored = new TextDecoder().decode(await fs.readFile(`${this.#folder}/${commit}`));
    const [trail, ...ended] = stored.trimEnd().split('\n');
    const made = await rejectionOf(objects, entry).catch(ifCorrupt);
    const rejection = made && { ...made, ended: new Set(ended) };
    if (rejection) this.#read.set(commit, { rejection, trail: trail!, time: entry.time });
  }

  /** Writes a rejection down. Call it before the commit is on the trail, so that no crash keeps it from the agent. */
  async add(commit: string, trail: string): Promise<void> {
    const { fs } = this.#home;
    this.#coming.add(commit);
    const made = await ensureFolder(fs, this.#folder);
    const path = `${this.#folder}/${commit}`;
    await removeIfThere(fs, path);
    await createFile(fs, path, utf8(`${trail}\n`));
    // Nor any power cut: an edit is durable when it is answered, and so is this.
    for (const folder of new Set([...made.map(parentOf), this.#folder])) await syncFolder(fs, folder);
    this.#changes++;
    this.#at = undefined;
  }

  /** Notes that what it took out of some places was accepted after all. `names`: by `placeName`. */
  async end(one: Rejection, names: readonly string[]): Promise<void> {
    const { fs } = this.#home;
    const ended = new Set([...one.ended, ...names]);
    const text = [this.#read.get(one.commit)!.trail, ...ended].map(line => `${line}\n`).join('');
    const temp = `${this.#home.folder}/tmp/rejection-${randomToken()}`;
    await ensureFolder(fs, `${this.#home.folder}/tmp`);
    await replaceFile(fs, `${this.#folder}/${one.commit}`, utf8(text), temp, { sync: true });
    this.#read.delete(one.commit);
    this.#changes++;
    this.#at = undefined;
  }

  async remove(commit: string): Promise<void> {
    await removeIfThere(this.#home.fs, `${this.#folder}/${commit}`);
    this.#changes++;
    this.#known = this.#known.filter(one => one.commit !== commit);
  }

  get #folder(): string {
    return rejectionsFolder(this.#home.folder);
  }
}

/** A disk that failed amid its objects leaves a commit whose tree is missing; what is missing of a trail, verify tells. */
function ifCorrupt(error: unknown): null {
  if (error instanceof EditError && error.code === 'CORRUPT') return null;
  throw error;
}

export function rejectionsFolder(engineFolder: string): string {
  return `${engineFolder}/rejections`;
}

async function rejectionOf(objects: ObjectDatabase, entry: TrailEntry): Promise<Omit<Rejection, 'ended'>> {
  const { commit, author, reason, meta, parents, tree } = entry;
  const edits = await Promise.all((meta!.rejects ?? []).map(edit => readEntryOrNull(objects, edit)));
  const sessions = new Set(edits.flatMap(edit => edit?.meta?.session ?? []));
  const before = parents[0] === undefined ? null : await treeOf(objects, parents[0]);
  const lines: RejectedLines[] = [];
  for (const path of meta!.paths) {
    const [old, now] = [await textAt(objects, before, path), await textAt(objects, tree, path)];
    if (old !== null && now !== null) lines.push(...(await changedLines(path, old, now)));
  }
  return { commit, reviewer: author.name, reason, sessions, lines };
}

async function changedLines(path: string, before: string, after: string): Promise<RejectedLines[]> {
  const { compare } = await import('./compare.ts');
  const { old, now, changes } = compare(before, after);
  return changes.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    path,
    added: old.slice(oldStart, oldEnd),
    now: now.slice(newStart, newEnd),
  }));
}

/** Reads a text; '' where there is no file, `null` for one that is no text. */
async function textAt(objects: ObjectDatabase, tree: string | null, path: string): Promise<string | null> {
  const held = tree === null ? null : await fileAt(objects, tree, path);
  if (!held) return '';
  if (!held.mode.startsWith('100')) return null;
  try {
    return textFile(path, await objects.file(path, held.oid), held.oid).text;
  } catch {
    return null;
  }
}

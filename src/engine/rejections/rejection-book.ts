/**
 * The rejections and comments that were made in this clone: each a file of the engine's own folder, named by its commit. One
 * that came with a fetch has no file, so that no word from outside ever reaches an agent.
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
import { type Fs, isMissing, orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isLine, recordedRows } from '../../history/file-rows.ts';
import { fileAt } from '../../history/steps.ts';
import { readEntryOrNull, type TrailEntry, treeOf } from '../../history/walk.ts';
import { isComment } from '../../operations.ts';
import { align, type Token } from '../../text/diff/alignment.ts';
import { changesOf } from '../../text/diff/line-diff.ts';
import { type Comment, commentOf } from './comments.ts';

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

/** A comment, with the sessions whose edits it is about. */
export interface BookedComment extends Comment {
  sessions: ReadonlySet<string>;
}

/** All that agents are told. */
export interface Booked {
  rejections: readonly Rejection[];
  comments: readonly BookedComment[];
}

/** As its commit tells it, which never changes; nothing of it has ended. */
interface Made {
  time: number;
  note: Rejection | BookedComment;
}

/** True for a rejection, false for a comment. */
export function isRejection(note: Rejection | BookedComment): note is Rejection {
  return 'ended' in note;
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
  /** Keeps what the commits say that were read: that never changes. */
  readonly #made = new Map<string, Made>();

  constructor(home: Home) {
    this.#home = home;
  }

  /** Returns the rejections and the comments that there are, the newest first. */
  async read(): Promise<Booked> {
    const names = await this.#home.fs.readdir(this.#folder).catch(ifMissing);
    const found = await Promise.all(names.map(name => this.#readOne(name)));
    const made = found.filter(one => one !== null).sort((a, b) => b.time - a.time);
    const notes = made.map(({ note }) => note);
    const comments = notes.filter(note => !isRejection(note)) as BookedComment[];
    return { rejections: notes.filter(isRejection).slice(0, MOST), comments: comments.slice(0, MOST) };
  }

  /** Passes over what is in no history, for it was not made after all, and what was taken back meanwhile. */
  async #readOne(commit: string): Promise<Made | null> {
    const made = this.#made.get(commit) ?? (await this.#readMade(commit));
    const stored = made && (await orNull(this.#home.fs.readFile(`${this.#folder}/${commit}`)));
    if (!stored) return null;
    this.#made.set(commit, made);
    const [, ...ended] = new TextDecoder().decode(stored).trimEnd().split('\n');
    const { time, note } = made;
    return { time, note: isRejection(note) ? { ...note, ended: new Set(ended) } : note };
  }

  async #readMade(commit: string): Promise<Made | null> {
    const { objects } = this.#home;
    const entry = await readEntryOrNull(objects, commit);
    if (!entry) return null;
    const { time, meta } = entry;
    if (isComment(meta?.op))
      return { time, note: { ...commentOf(entry), sessions: await sessionsOf(objects, meta!.comments) } };
    const note = meta?.rejects ? await rejectionOf(objects, entry).catch(ifCorrupt) : null;
    return note && { time, note };
  }

  /** Writes a rejection or a comment down. Call it before the commit is in the history, so that no crash keeps it from the agent. */
  async add(commit: string, trail: string): Promise<void> {
    const { fs } = this.#home;
    const made = await ensureFolder(fs, this.#folder);
    const path = `${this.#folder}/${commit}`;
    await removeIfThere(fs, path);
    await createFile(fs, path, utf8(`${trail}\n`));
    // Nor any power cut: an edit is durable when it is answered, and so is this.
    for (const folder of new Set([...made.map(parentOf), this.#folder])) await syncFolder(fs, folder);
  }

  /** Notes that what it took out of a place was accepted after all. `name`: by `placeName`. */
  async end({ commit }: Rejection, name: string): Promise<void> {
    const { fs, folder } = this.#home;
    const path = `${this.#folder}/${commit}`;
    const stored = new TextDecoder().decode(await fs.readFile(path));
    if (stored.split('\n').includes(name)) return;
    const temp = `${folder}/tmp/rejection-${randomToken()}`;
    await ensureFolder(fs, `${folder}/tmp`);
    await replaceFile(fs, path, utf8(`${stored}${name}\n`), temp, { sync: true });
  }

  async remove(commit: string): Promise<void> {
    await removeIfThere(this.#home.fs, `${this.#folder}/${commit}`);
  }

  get #folder(): string {
    return rejectionsFolder(this.#home.folder);
  }
}

function ifMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

/** A disk that failed amid its objects leaves a commit whose tree is missing; what is missing of a trail, verify tells. */
function ifCorrupt(error: unknown): null {
  if (error instanceof EditError && error.code === 'CORRUPT') return null;
  throw error;
}

export function rejectionsFolder(engineFolder: string): string {
  return `${engineFolder}/rejections`;
}

async function rejectionOf(objects: ObjectDatabase, entry: TrailEntry): Promise<Rejection> {
  const { commit, author, reason, meta, parents, tree } = entry;
  const sessions = await sessionsOf(objects, meta!.rejects);
  const before = parents[0] === undefined ? null : await treeOf(objects, parents[0]);
  const rowsIn = async (root: string | null, path: string): Promise<readonly Token[]> =>
    recordedRows(objects, path, root === null ? null : await fileAt(objects, root, path));
  const lines: RejectedLines[] = [];
  for (const path of meta!.paths) {
    const [old, fresh] = [await rowsIn(before, path), await rowsIn(tree, path)];
    for (const { oldStart, oldEnd, newStart, newEnd } of changesOf(align(old, fresh).to, fresh.length)) {
      const added = old.slice(oldStart, oldEnd).filter(isLine);
      const now = fresh.slice(newStart, newEnd).filter(isLine);
      if (added.length + now.length > 0) lines.push({ path, added, now });
    }
  }
  return { commit, reviewer: author.name, reason, sessions, lines, ended: new Set() };
}

async function sessionsOf(objects: ObjectDatabase, edits: readonly string[] = []): Promise<Set<string>> {
  const entries = await Promise.all(edits.map(edit => readEntryOrNull(objects, edit)));
  return new Set(entries.flatMap(one => one?.meta?.session ?? []));
}

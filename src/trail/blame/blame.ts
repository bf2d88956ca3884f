/**
 * Finds the commit that wrote each line of a file. Lines are followed from the newest commit to the oldest: what a
 * parent has unchanged is the parent's, the first parent asked first; what a way back brought back is where it came
 * from; what is left was written here. A file that was moved is followed under its old name, and a landed commit leads
 * on to the edits of the trail that it holds.
 */

import { LruCache } from '../../git/objects/lru.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { isMove } from '../../operations.ts';
import { type LineChange, lineDiff } from '../../text/diff/line-diff.ts';
import { isNoText, textFile } from '../../text/document.ts';
import { lineBreakOf, linesOf } from '../../text/lines.ts';
import { nextAbout, readBelow, readEntry, readEntryOrNull, type TrailEntry } from '../walk.ts';
import { Ancestry } from './ancestry.ts';
import { BroughtBack, type Source } from './brought-back.ts';
import { type Suspect, Suspects, splitLines } from './suspects.ts';

export interface BlamedLine {
  /** 1-based, in the file that was asked for. */
  line: number;
  entry: TrailEntry;
  path: string;
  /** 1-based, in that commit's file. */
  original: number;
}

/**
 * Blames lines `from` to `to` (1-based, inclusive) of the file at `path` in `commit`, in order. `null` when there is no
 * such file there. Throws BINARY_FILE, NOT_UTF8, ENCODING, CORRUPT.
 */
export async function blame(
  objects: ObjectDatabase,
  commit: string,
  path: string,
  range: (lines: number) => { from: number; to: number },
): Promise<BlamedLine[] | null> {
  const entry = await readEntry(objects, commit);
  const held = await lookup(objects, entry.tree, path);
  if (!held?.mode.startsWith('100')) return null;
  const { from, to } = range(linesOf(await textOf(objects, path, held.oid)).count);
  const lines: number[] = [];
  for (let line = Math.max(from, 1); line <= to; line++) lines.push(line);
  const [found] = await blameLines(objects, [{ entry, path, lines }]);
  return found!;
}

/** Lines (1-based, in order) of the file at `path` in a commit. */
export interface BlameRequest {
  entry: TrailEntry;
  path: string;
  lines: readonly number[];
}

/**
 * Blames lines of several commits of one history, the newest first, and looks at each commit once for all of them.
 * Answers them in the order of the requests; of a path that is no file there, none. Throws BINARY_FILE, NOT_UTF8, ENCODING, CORRUPT.
 */
export async function blameLines(
  objects: ObjectDatabase,
  requests: readonly BlameRequest[],
): Promise<BlamedLine[][]> {
  const blamer = new Blamer(objects);
  for (const request of requests) await blamer.ask(request);
  const found = await blamer.run();
  let next = 0;
  return requests.map(({ lines }) =>
    lines.flatMap(line => {
      const origin = found[next++];
      return origin ? [{ line, ...origin }] : [];
    }),
  );
}

type Origin = Omit<BlamedLine, 'line'>;

type FileAt = Pick<Suspect, 'path' | 'blob'>;

async function textOf(objects: ObjectDatabase, path: string, blob: string): Promise<string> {
  return textFile(path, await objects.file(path, blob), blob).text;
}

function noText(error: unknown): null {
  if (isNoText(error)) return null;
  throw error;
}

/** UTF-16 units of texts that are kept. */
const TEXT_UNITS = 8 * 1024 * 1024;

class Blamer {
  readonly #objects: ObjectDatabase;
  readonly #ancestry: Ancestry;
  readonly #broughtBack: BroughtBack;
  readonly #suspects: Suspects;
  readonly #found: Array<Origin | undefined> = [];
  /** By blob: each is compared with the one before it and the one after it. */
  readonly #texts = new LruCache<string, string>(TEXT_UNITS, text => text.length);
  #newest: TrailEntry | null = null;

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
    this.#ancestry = new Ancestry(objects);
    this.#broughtBack = new BroughtBack(objects, this.#ancestry);
    this.#suspects = new Suspects(this.#ancestry);
  }

  /** Asks who wrote the lines of a file. Each has a number of its own, by which it is found at the end. */
  async ask({ entry, path, lines }: BlameRequest): Promise<void> {
    const first = this.#found.length;
    this.#found.length += lines.length;
    const held = await lookup(this.#objects, entry.tree, path);
    if (!isFile(held) || lines.length === 0) return;
    if (this.#newest) await this.#ancestry.isBelow(this.#newest, entry);
    this.#newest ??= entry;
    const asked = { here: Int32Array.from(lines), keys: Int32Array.from(lines, (_, at) => first + at) };
    this.#suspects.add({ entry, path, blob: held!.oid, lines: asked });
  }

  async run(): Promise<ReadonlyArray<Origin | undefined>> {
    for (let next = this.#suspects.take(); next; next = this.#suspects.take()) await this.#place(next);
    for (const [key, same] of this.#suspects.merged()) this.#found[key] = this.#found[same];
    return this.#found;
  }

  async #place(suspect: Suspect): Promise<void> {
    const { entry, path, blob, lines } = suspect;
    const older = await nextAbout(this.#objects, entry, path);
    if (older) return this.#suspects.add({ entry: older, path, blob, lines });
    if (await this.#askAll(suspect)) return;
    const { here, keys } = suspect.lines;
    for (const [at, original] of here.entries()) this.#found[keys[at]!] = { entry, path, original };
  }

  /** Hands over the lines that others have, and leaves those written here. True when another commit has the whole file. */
  async #askAll(suspect: Suspect): Promise<boolean> {
    const { entry, path } = suspect;
    if (!entry.meta && !entry.lands) {
      for (const oid of entry.parents) await this.#askParent(suspect, oid);
      return false;
    }
    const sources = this.#broughtBack.sourcesOf(entry, path);
    const after: Source[] = [];
    let { value: source } = await sources.next();
    for (; source?.whole; { value: source } = await sources.next()) {
      if (await this.#giveWhole(suspect, source.entry)) return true;
      after.push(source);
    }
    for (const oid of entry.parents) await this.#askParent(suspect, oid);
    for (const one of after) await this.#giveBack(suspect, one);
    for (; source && isOpen(suspect); { value: source } = await sources.next())
      await this.#giveBack(suspect, source);
    for (const { last } of [...(entry.lands ?? [])].reverse()) {
      // The trail of a landed edit may be pruned since.
      const landed = isOpen(suspect) ? await readEntryOrNull(this.#objects, last) : null;
      if (landed) await this.#give(suspect, landed, await this.#fileAt(landed, path));
    }
    return false;
  }

  async #giveWhole(suspect: Suspect, entry: TrailEntry): Promise<boolean> {
    const file = await this.#fileAt(entry, suspect.path);
    if (file?.blob !== suspect.blob) return false;
    await this.#give(suspect, entry, file);
    return true;
  }

  /** Hands the lines that a way back brought back over to the commit where they come from. */
  async #giveBack(suspect: Suspect, { entry, onlySame }: Source): Promise<void> {
    const file = isOpen(suspect) ? await this.#fileAt(entry, suspect.path) : null;
    if (!onlySame || file?.blob === suspect.blob) await this.#give(suspect, entry, file);
  }

  async #askParent(suspect: Suspect, oid: string): Promise<void> {
    const parent = isOpen(suspect) ? await readBelow(this.#objects, oid) : null;
    if (!parent) return;
    const { path, blob } = suspect;
    const held = await this.#fileAt(parent, path);
    const moved = held?.blob === blob ? null : await this.#movedFrom(suspect, parent, held);
    await this.#give(suspect, parent, moved ?? held);
  }

  /** Hands the lines that are in this file of another commit over to that. */
  async #give(suspect: Suspect, entry: TrailEntry, file: FileAt | null): Promise<void> {
    const changes = file && (file.blob === suspect.blob ? [] : await this.#changes(file, suspect));
    if (!file || !changes) return;
    const { kept, rest } = splitLines(suspect.lines, changes);
    suspect.lines = rest;
    if (kept.here.length > 0) this.#suspects.add({ entry, ...file, lines: kept });
  }

  async #fileAt(entry: TrailEntry, path: string): Promise<FileAt | null> {
    const held = await lookup(this.#objects, entry.tree, path);
    return isFile(held) ? { path, blob: held!.oid } : null;
  }

  /** A file of the parent that is gone: with the same content, or the one that a move names. */
  async #movedFrom(
    { entry, path, blob }: Suspect,
    parent: TrailEntry,
    held: FileAt | null,
  ): Promise<FileAt | null> {
    const isOwn = entry.meta !== null && entry.parents.length === 1;
    if (isOwn ? entry.meta!.paths.length === 1 : held) return null;
    const changes = await diffTrees(this.#objects, parent.tree, entry.tree);
    const gone = changes.filter(change => !change.after && change.path !== path && isFile(change.before));
    const named = isMove(entry.meta?.op) ? gone[0] : undefined;
    const source = gone.find(change => change.before!.oid === blob) ?? named;
    return source ? { path: source.path, blob: source.before!.oid } : null;
  }

  /** Returns what changed from one file to the other; `null` where the older one is no text, so that it has no lines. */
  async #changes(from: FileAt, to: FileAt): Promise<LineChange[] | null> {
    const [old, now] = [await this.#text(from).catch(noText), await this.#text(to)];
    return old === null ? null : lineDiff(old, now, lineBreakOf(now)).changes;
  }

  async #text({ path, blob }: FileAt): Promise<string> {
    const known = this.#texts.get(blob);
    if (known !== undefined) return known;
    const text = await textOf(this.#objects, path, blob);
    this.#texts.set(blob, text);
    return text;
  }
}

function isFile(ref: TreeRef | null): boolean {
  return ref?.mode.startsWith('100') ?? false;
}

function isOpen({ lines }: Suspect): boolean {
  return lines.here.length > 0;
}

/**
 * Finds the commit that wrote each line of a file. In a history of the engine's that is the event which put the line's row in
 * (weave.ts), whoever took it out and brought it back since. A row of HEAD's is followed on in HEAD's own history: what a parent
 * has unchanged is the parent's, the first parent asked first; a file that was moved is followed under its old name; and a
 * landed commit leads to the edits that it holds.
 */

import type { Identity } from '../git/objects/commit.ts';
import { LruCache } from '../git/objects/lru.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import type { TreeRef } from '../git/objects/tree-entries.ts';
import { renamesAmong } from '../history/read-steps.ts';
import { nextAbout, readBelow, readEntry, readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { isLineMove, isMove } from '../operations.ts';
import { type LineChange, lineDiff } from '../text/diff/line-diff.ts';
import { isNoText, textFile } from '../text/document.ts';
import { lineBreakOf, linesOf } from '../text/lines.ts';
import { LineWriters, type Writer } from './line-writers.ts';
import type { LinePlace } from './row.ts';
import { type Suspect, type SuspectLines, Suspects, splitLines } from './suspects.ts';

export interface BlamedLine {
  /** 1-based, in the file that was asked for. */
  line: number;
  entry: TrailEntry;
  path: string;
}

/** Where a history stands, and what else is known of its files. */
export interface BlameOptions {
  /** Its newest commit; `null`: nothing was edited. */
  tip: string | null;
  /** Beside the branch: HEAD's commits are no events of it. */
  ownOnly: boolean;
  /** The person whose folder it is: what others committed is theirs, also where a command brought it. */
  user?: Pick<Identity, 'name' | 'email'>;
  /** True: a line that differs from the one before it only in white space is as old as that. */
  ignoreSpace?: boolean;
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
  options: BlameOptions,
): Promise<BlamedLine[] | null> {
  const entry = await readEntry(objects, commit);
  const held = await lookup(objects, entry.tree, path);
  if (!held?.mode.startsWith('100')) return null;
  const { from, to } = range(linesOf(await textOf(objects, path, held.oid)).count);
  const lines: number[] = [];
  for (let line = Math.max(from, 1); line <= to; line++) lines.push(line);
  const [found] = await blameLines(objects, [{ entry, path, lines }], options);
  return found!;
}

/** Lines (1-based, in order) of the file at `path` in a commit. */
export interface BlameRequest {
  entry: TrailEntry;
  path: string;
  lines: readonly number[];
}

/**
 * Blames lines of several commits of one history, the newest first, and reads it once for all of them. Answers them in the
 * order of the requests; of a path that is no file there, none. Throws BINARY_FILE, NOT_UTF8, ENCODING, CORRUPT.
 */
export async function blameLines(
  objects: ObjectDatabase,
  requests: readonly BlameRequest[],
  options: BlameOptions,
): Promise<BlamedLine[][]> {
  const paths = requests.map(({ path }) => path);
  const blamer = new Blamer(objects, options, new LineWriters(objects, options.tip, options.ownOnly, paths));
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
  readonly #options: BlameOptions;
  readonly #writers: LineWriters;
  readonly #suspects = new Suspects();
  readonly #found: Array<Origin | undefined> = [];
  /** By blob: each is compared with the one before it and the one after it. */
  readonly #texts = new LruCache<string, string>(TEXT_UNITS, text => text.length);

  constructor(objects: ObjectDatabase, options: BlameOptions, writers: LineWriters) {
    this.#objects = objects;
    this.#options = options;
    this.#writers = writers;
  }

  /** Asks who wrote the lines of a file. Each has a number of its own, by which it is found at the end. */
  async ask({ entry, path, lines }: BlameRequest): Promise<void> {
    const first = this.#found.length;
    this.#found.length += lines.length;
    const held = await lookup(this.#objects, entry.tree, path);
    if (!isFile(held) || lines.length === 0) return;
    const asked = { here: Int32Array.from(lines), keys: Int32Array.from(lines, (_, at) => first + at) };
    this.#suspects.add({ entry, path, blob: held!.oid, lines: asked });
  }

  async run(): Promise<ReadonlyArray<Origin | undefined>> {
    for (let next = this.#suspects.take(); next; next = this.#suspects.take()) await this.#place(next);
    for (const [key, same] of this.#suspects.merged()) this.#found[key] = this.#found[same];
    return this.#found;
  }

  async #place(suspect: Suspect): Promise<void> {
    const { entry, path, blob, lines, isTold } = suspect;
    const older = isTold ? null : await nextAbout(this.#objects, entry, path);
    if (older) return this.#suspects.add({ entry: older, path, blob, lines });
    if (!isTold && (entry.meta || !this.#options.ownOnly)) await this.#askWeave(suspect);
    await this.#askBelow(suspect);
    if (!entry.meta && isOpen(suspect)) await this.#askJoined(suspect);
    // What is left was written here.
    for (const key of suspect.lines.keys) this.#found[key] = { entry, path };
  }

  /** Hands lines over to those who put their rows in. Those that the commit itself put in are left. */
  async #askWeave(suspect: Suspect): Promise<void> {
    const { entry, lines } = suspect;
    const all = await this.#writers.of(entry.commit, suspect);
    if (!all) return;
    suspect.isTold = true;
    const writers = await this.#withHead([...lines.here].map(line => all[line - 1]!));
    const given = writers.map((to, at): GivenLine => ({ to, line: lines.here[at]!, key: lines.keys[at]! }));
    const groups = groupsOf(given, ({ to }) => `${to.commit}\0${to.path}\0${to.isEvent}`);
    let left: GivenLine[] = [];
    for (const group of groups.values()) {
      const [{ to }] = group as [GivenLine];
      const isOwn = to.isEvent && to.commit === entry.commit;
      if (isOwn || !(await this.#giveWriter(to, group))) left = left.concat(group);
    }
    suspect.lines = inOrder(left.map(({ line, key }) => [line, key]));
  }

  /** Hands lines that a commit of HEAD's has first over to the edits that put them in. */
  async #askJoined(suspect: Suspect): Promise<void> {
    const { entry, lines } = suspect;
    const writers = await this.#writers.ofHead(entry.commit, suspect);
    const left: Array<[number, number]> = [];
    for (const [at, line] of lines.here.entries()) {
      const [to, key] = [writers.get(line), lines.keys[at]!];
      if (!to || !(await this.#giveWriter(to, [{ to, line, key }]))) left.push([line, key]);
    }
    suspect.lines = inOrder(left);
  }

  /** Hands lines over to a commit; answers false where it is not there, as where a shallow clone ends. */
  async #giveWriter({ commit, path, isEvent }: Writer, group: readonly GivenLine[]): Promise<boolean> {
    const entry = await readEntryOrNull(this.#objects, commit);
    if (!entry) return false;
    const isWritten = isEvent && entry.meta !== null && !leadsOn(entry) && !this.#options.ignoreSpace;
    const file = isWritten ? null : await this.#fileAt(entry, path);
    if (!file) for (const { key } of group) this.#found[key] = { entry, path };
    else {
      const lines = inOrder(group.map(({ to, key }) => [to.line, key]));
      this.#suspects.add({ entry, path, blob: file.blob, lines, isTold: isEvent });
    }
    return true;
  }

  /** Lines that came into the file by hand, or by a command, are HEAD's where that has them from somebody else. */
  async #withHead(writers: readonly Writer[]): Promise<readonly Writer[]> {
    const { user, tip, ownOnly } = this.#options;
    const places = writers.flatMap(({ head }) => head ?? []);
    if (!user || places.length === 0) return writers;
    const requests: BlameRequest[] = [];
    for (const [name, group] of groupsOf(places, ({ commit, path }) => `${commit}\0${path}`)) {
      const entry = await readEntryOrNull(this.#objects, name.split('\0')[0]!);
      const lines = [...new Set(group.map(({ line }) => line))].sort((a, b) => a - b);
      if (entry) requests.push({ entry, path: group[0]!.path, lines });
    }
    const others = new Set<string>();
    const found = await blameLines(this.#objects, requests, { tip, ownOnly });
    for (const [at, { entry, path }] of requests.entries()) {
      for (const {
        line,
        entry: { meta, lands, author },
      } of found[at]!)
        if (!meta && !lands && (author.name !== user.name || author.email !== user.email))
          others.add(`${entry.commit}\0${path}\0${line}`);
    }
    const isOthers = ({ commit, path, line }: LinePlace): boolean =>
      others.has(`${commit}\0${path}\0${line}`);
    return writers.map(one => (one.head && isOthers(one.head) ? { ...one.head, isEvent: false } : one));
  }

  /** Hands the lines that are in older commits over to those. */
  async #askBelow(suspect: Suspect): Promise<void> {
    const { entry, path, isTold } = suspect;
    // A weave knows what is below a commit of its own, but not what a move came over, nor other histories.
    const { ignoreSpace } = this.#options;
    const isMoved = isMove(entry.meta?.op) || isLineMove(entry.meta?.op);
    const isBelowTold = isTold && entry.meta !== null && !isMoved && !ignoreSpace;
    for (const oid of entry.parents.slice(isBelowTold ? 1 : 0)) await this.#askParent(suspect, oid);
    if (isLineMove(entry.meta?.op)) await this.#askPlaceBefore(suspect);
    const { restores } = entry.meta ?? {};
    for (const oid of [
      ...(entry.lands ?? []).map(({ last }) => last).reverse(),
      ...(restores ? [restores] : []),
    ]) {
      // The trail of a landed edit may be pruned since.
      const source = isOpen(suspect) ? await readEntryOrNull(this.#objects, oid) : null;
      if (!source) continue;
      const file = await this.#fileAt(source, path);
      await this.#give(suspect, source, file ?? (await this.#renamedFrom(source, entry, path)));
    }
  }

  /** Hands lines that an edit moved over to the file of the commit before it that they were taken out of. */
  async #askPlaceBefore(suspect: Suspect): Promise<void> {
    const { entry } = suspect;
    const parent = await readEntryOrNull(this.#objects, entry.parents[0]!);
    for (const path of parent ? entry.meta!.paths : []) {
      const [old, now] = [await this.#fileAt(parent!, path), await this.#fileAt(entry, path)];
      const changes = old && now && isOpen(suspect) ? await this.#changes(old, now) : null;
      if (!old || !changes) continue;
      const gone = linesGone(await this.#text(old), changes);
      const there = linesOf(await this.#text(suspect));
      const [kept, rest]: [Array<[number, number]>, Array<[number, number]>] = [[], []];
      for (const [n, line] of suspect.lines.here.entries()) {
        const from = gone.get(there.content(line))?.shift();
        (from === undefined ? rest : kept).push([from ?? line, suspect.lines.keys[n]!]);
      }
      suspect.lines = inOrder(rest);
      if (kept.length > 0) this.#suspects.add({ entry: parent!, ...old, lines: inOrder(kept) });
    }
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

  /** The file of the parent that this one was renamed from; of an edit of ours, one of the same content or that a move names. */
  async #movedFrom(
    { entry, path, blob }: Suspect,
    parent: TrailEntry,
    held: FileAt | null,
  ): Promise<FileAt | null> {
    const isOwn = entry.meta !== null && entry.parents.length === 1;
    if (!isOwn) return held ? null : this.#renamedFrom(parent, entry, path);
    if (entry.meta!.paths.length === 1) return null;
    const changes = await diffTrees(this.#objects, parent.tree, entry.tree);
    const gone = changes.filter(change => !change.after && change.path !== path && isFile(change.before));
    const named = isMove(entry.meta!.op) ? gone[0] : undefined;
    const source = gone.find(change => change.before!.oid === blob) ?? named;
    return source ? { path: source.path, blob: source.before!.oid } : null;
  }

  /** The file of one commit that another one has under a new name, as git tells it. */
  async #renamedFrom(from: TrailEntry, to: TrailEntry, path: string): Promise<FileAt | null> {
    const changes = await diffTrees(this.#objects, from.tree, to.tree);
    const files = changes.filter(({ before, after }) => isFile(before ?? after));
    const source = (await renamesAmong(this.#objects, files)).get(path);
    return source === undefined ? null : this.#fileAt(from, source);
  }

  /** Returns what changed from one file to the other; `null` where the older one is no text, so that it has no lines. */
  async #changes(from: FileAt, to: FileAt): Promise<LineChange[] | null> {
    const [old, now] = [await this.#text(from).catch(noText), await this.#text(to)];
    if (old === null) return null;
    const seen = this.#options.ignoreSpace ? withoutSpace : (text: string) => text;
    return lineDiff(seen(old), seen(now), lineBreakOf(now));
  }

  async #text({ path, blob }: FileAt): Promise<string> {
    const known = this.#texts.get(blob);
    if (known !== undefined) return known;
    const text = await textOf(this.#objects, path, blob);
    this.#texts.set(blob, text);
    return text;
  }
}

function withoutSpace(text: string): string {
  return text.replace(/[^\S\r\n]+/g, '');
}

function isFile(ref: TreeRef | null): boolean {
  return ref?.mode.startsWith('100') ?? false;
}

function isOpen({ lines }: Suspect): boolean {
  return lines.here.length > 0;
}

/** True for a commit whose own lines may come from another file, or another commit. */
function leadsOn({ meta, parents }: TrailEntry): boolean {
  return isMove(meta?.op) || isLineMove(meta?.op) || meta?.restores !== undefined || parents.length > 1;
}

function groupsOf<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(one);
  }
  return groups;
}

/** A line (1-based) that somebody put in, and the number under which it is asked for. */
interface GivenLine {
  to: Writer;
  line: number;
  key: number;
}

function inOrder(lines: Array<[here: number, key: number]>): SuspectLines {
  const sorted = lines.sort(([a], [b]) => a - b);
  return {
    here: Int32Array.from(sorted, ([here]) => here),
    keys: Int32Array.from(sorted, ([, key]) => key),
  };
}

/** By text, the numbers of the lines that went, in order. */
function linesGone(text: string, changes: readonly LineChange[]): Map<string, number[]> {
  const lines = linesOf(text);
  const gone = new Map<string, number[]>();
  for (const { oldStart, oldEnd } of changes)
    for (let n = oldStart + 1; n <= oldEnd; n++) {
      const same = gone.get(lines.content(n));
      if (same) same.push(n);
      else gone.set(lines.content(n), [n]);
    }
  return gone;
}

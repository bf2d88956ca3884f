/**
 * The recorded versions of files, woven: every commit of a trail that changed a file, under whatever names the file had,
 * is one step of its weave. Only commits about the files that are asked for are read in full.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isMerge, isOutside, isRedo, isSync, isWayBack } from '../../operations.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { renamesOf } from '../renames.ts';
import { walkRows } from '../rows.ts';
import { fileAt, heldBy, type Recorded, sameRecorded } from '../steps.ts';
import { readEntryOrNull, type TrailEntry, type TrailRow, treeOf } from '../walk.ts';
import { recordedRows, rowsInTree } from './file-rows.ts';
import type { SeenHead } from './status.ts';
import { rowsTaken } from './take-out.ts';
import { type StepKind, Weave, type WovenRow } from './weave.ts';

/** One file as a trail knows it. */
export interface FileHistory {
  /** Names that it had, as the trail records them; the present one last. */
  names: string[];
  weave: Weave;
  /** HEAD whenever the trail was brought up to it, by its commit; `null` stands for what was there before all edits. */
  seen: Array<SeenHead & { commit: string | null }>;
  /** What the newest version holds, and the blobs of all versions. */
  tip: Recorded;
  blobs: Set<string>;
}

export interface HistoryQuery {
  /** The newest commit; `null` where nothing was edited. */
  tip: string | null;
  /** On a trail beside the branch: HEAD's history is left out. */
  ownOnly: boolean;
  /** Reads back to where all of these were read, and no further; what was before is the base then. */
  since?: ReadonlySet<string>;
}

/** On the checked-out branch, older commits are not read. */
const MOST_ON_BRANCH = 10_000;

/** Reads the histories of the files that have one of these names, or had it. */
export async function fileHistories(
  objects: ObjectDatabase,
  query: HistoryQuery,
  paths: Iterable<string>,
): Promise<FileHistory[]> {
  const wanted = new Set(paths);
  let found: Found = { steps: [], passed: null, cut: null };
  // A file that was renamed has other names above and below the commit that renamed it.
  for (let known = -1; known < wanted.size; ) {
    known = wanted.size;
    found = await stepsOf(objects, query, wanted);
    for (const { renames } of found.steps)
      for (const [to, from] of renames) if (wanted.has(to) || wanted.has(from)) wanted.add(to).add(from);
  }
  const weaving = new Weaving(objects, found);
  for (const step of found.steps.reverse()) await weaving.add(step);
  return weaving.finished(query.tip);
}

interface Found {
  /** Newest first. */
  steps: Step[];
  /** Of each commit that changes none of the files, the one below it; `null` where the history is one line. */
  passed: ReadonlyMap<string, string | null> | null;
  /** The oldest commit that was read, where there are older ones that were not. */
  cut: TrailEntry | null;
}

/** A commit that changes files that are asked for. */
interface Step {
  entry: TrailEntry;
  /** What those hold after it. */
  changes: Array<{ path: string; before: Recorded; after: Recorded }>;
  /** By the new name, the old one. */
  renames: ReadonlyMap<string, string>;
}

async function stepsOf(
  objects: ObjectDatabase,
  { tip, ownOnly, since }: HistoryQuery,
  wanted: ReadonlySet<string>,
): Promise<Found> {
  const steps: Step[] = [];
  const passed = new Map<string, string | null>();
  const limit = ownOnly ? {} : { limit: MOST_ON_BRANCH };
  const left = new Set(since);
  for await (const rows of walkRows(objects, tip, { ownOnly, joined: 'shared', ...limit })) {
    for (const row of rows) {
      const isAbout = row.op === null || joins(row) || row.paths.some(path => wanted.has(path));
      if (isAbout) steps.push(await stepOf(objects, await row.entry(), wanted));
      else passed.set(row.commit, row.parent);
      left.delete(row.commit);
      const isEnd = since !== undefined && left.size === 0;
      // Lines of several hosts that share the trail are read as a whole.
      if (isEnd && !steps.some(isForked)) return { steps, passed: null, cut: await row.entry() };
    }
  }
  return { steps, passed: steps.some(isForked) ? passed : null, cut: null };
}

function joins({ op }: Pick<TrailRow, 'op'>): boolean {
  return isSync(op) || isMerge(op);
}

/** True for a commit at which hosts that share the trail joined their lines. */
function isForked({ entry: { meta } }: Step): boolean {
  return isMerge(meta?.op) && meta?.shared !== undefined;
}

async function stepOf(
  objects: ObjectDatabase,
  entry: TrailEntry,
  wanted: ReadonlySet<string>,
): Promise<Step> {
  const below = entry.parents[0] ? await readEntryOrNull(objects, entry.parents[0]) : null;
  // Where a shallow clone ends, nobody can say what the commit changed.
  if (entry.parents.length > 0 && !below) return { entry, changes: [], renames: new Map() };
  const before = below?.tree ?? null;
  const all: Step['changes'] = [];
  const { meta } = entry;
  if (meta && !isSync(meta.op) && !isMerge(meta.op)) {
    for (const path of meta.paths)
      if (wanted.has(path) || meta.paths.length < 3)
        all.push({
          path,
          before: before === null ? null : await fileAt(objects, before, path),
          after: await fileAt(objects, entry.tree, path),
        });
  } else all.push(...(await diffTrees(objects, before, entry.tree)));
  const changes = all.filter(one => wanted.has(one.path) && !sameRecorded(one.before, one.after));
  const isMoved = changes.some(one => (one.before === null) !== (one.after === null));
  return { entry, changes, renames: isMoved ? await renamesAmong(objects, all) : new Map() };
}

function renamesAmong(objects: ObjectDatabase, changes: Step['changes']): Promise<Map<string, string>> {
  return renamesOf(changes, (path, held: NonNullable<Recorded>) => ({
    path,
    oid: held.oid,
    read: async () => {
      const { content } = await objects.read(held.oid);
      return { bytes: content, version: held.oid };
    },
  }));
}

/** HEAD with rows that the trail knew nothing of: it may be told of them later. */
interface UnclearHead {
  weave: Weave;
  live: readonly WovenRow[];
  rows: readonly Token[];
  seen: SeenHead;
}

class Weaving {
  readonly files: FileHistory[] = [];
  readonly #unclear: UnclearHead[] = [];
  readonly #objects: ObjectDatabase;
  readonly #passed: Found['passed'];
  readonly #cut: Found['cut'];
  /** By present name. */
  readonly #named = new Map<string, FileHistory>();
  /** By commit, what it left of each file; empty where the history is one line. */
  readonly #left = new Map<string, Map<FileHistory, readonly WovenRow[]>>();

  constructor(objects: ObjectDatabase, { passed, cut }: Found) {
    this.#objects = objects;
    this.#passed = passed;
    this.#cut = cut;
  }

  /** Takes in the next newer commit. */
  async add(step: Step): Promise<void> {
    const { entry, changes, renames } = step;
    const isFork = this.#passed !== null;
    const below = isFork ? this.#versionsOf(entry.parents[0]) : null;
    for (const [file, live] of below ?? []) file.weave.live = live;
    const other = isForked(step) ? this.#versionsOf(entry.parents[1]) : null;
    const moved = new Set(renames.values());
    for (const { path, before, after } of changes) {
      if (after === null && moved.has(path)) continue;
      const from = renames.get(path);
      const file = await this.#fileAt(from ?? path, from === undefined ? before : undefined, entry);
      if (from !== undefined) this.#rename(file, from, path);
      const rows = await recordedRows(this.#objects, path, after);
      const theirs = other?.get(file);
      const known = entry.meta && rowsTaken(file.weave, entry.meta);
      const head = isFork ? entry.meta?.head : undefined;
      const about = { id: entry.commit, kind: kindOf(entry), ...(head === undefined ? {} : { head }) };
      file.weave.step(about, rows, theirs && new Set(theirs), known);
      file.tip = after;
      if (after) file.blobs.add(after.oid);
    }
    if (isFork) this.#left.set(entry.commit, new Map(this.files.map(file => [file, file.weave.live])));
    const head = isSync(entry.meta?.op) ? entry.parents[1] : undefined;
    if (head !== undefined) for (const file of this.files) await this.#see(file, head);
  }

  /** The files with their weaves at the newest commit, whichever line was read last. */
  finished(tip: string | null): FileHistory[] {
    for (const { weave, live, rows, seen } of this.#unclear) {
      const newest = weave.live;
      weave.live = live;
      seen.held = weave.place(rows).held;
      weave.live = newest;
    }
    if (this.#passed) for (const [file, live] of this.#versionsOf(tip ?? undefined)) file.weave.live = live;
    return this.files;
  }

  /** By file, its rows as the commit has them; files that it knows nothing of are as they were at first. */
  #versionsOf(commit: string | undefined): Map<FileHistory, readonly WovenRow[]> {
    let at: string | null = commit ?? null;
    while (at !== null && !this.#left.has(at)) at = this.#passed?.get(at) ?? null;
    const left = at === null ? undefined : this.#left.get(at);
    return new Map(this.files.map(file => [file, left?.get(file) ?? [...file.seen[0]!.held]]));
  }

  async #fileAt(path: string, before: Recorded | undefined, { parents }: TrailEntry): Promise<FileHistory> {
    const known = this.#named.get(path);
    if (known) return known;
    const held = before === undefined ? await heldBy(this.#objects, parents[0], path) : before;
    const weave = await this.#weaveFrom(path, held);
    const file: FileHistory = {
      names: [path],
      weave,
      seen: [{ step: 0, held: new Set(weave.live), commit: null }],
      tip: held,
      blobs: new Set(held ? [held.oid] : []),
    };
    this.#named.set(path, file);
    this.files.push(file);
    return file;
  }

  /** Where older commits were not read, what HEAD had then is the base, and all that they did is one step. */
  async #weaveFrom(path: string, held: Recorded): Promise<Weave> {
    const rows = await recordedRows(this.#objects, path, held);
    const { meta, parents } = this.#cut ?? {};
    const head = isSync(meta?.op) ? parents?.[1] : meta?.head;
    if (!this.#cut || head === undefined) return new Weave(rows);
    const weave = new Weave(await rowsInTree(this.#objects, await treeOf(this.#objects, head), [path]));
    weave.step({ id: this.#cut.parents[0] ?? '', kind: 'sync' }, rows);
    return weave;
  }

  #rename(file: FileHistory, from: string, to: string): void {
    this.#named.delete(from);
    this.#named.set(to, file);
    file.names = [...file.names.filter(name => name !== to), to];
  }

  /** Notes what HEAD had when the trail was brought up to it. */
  async #see({ weave, names, seen }: FileHistory, head: string): Promise<void> {
    const rows = await rowsInTree(this.#objects, await treeOf(this.#objects, head), names);
    const { held, own } = weave.place(rows);
    const noted = { step: weave.steps.length, held, commit: head };
    seen.push(noted);
    if (own.length > 0) this.#unclear.push({ weave, live: weave.live, rows, seen: noted });
  }
}

function kindOf({ meta }: TrailEntry): StepKind {
  if (meta === null || isSync(meta.op)) return 'sync';
  if (meta.rejects) return 'reject';
  // Taking a rejection back is no change from outside, though a person makes it.
  if (isOutside(meta.op)) return meta.unrejects === undefined ? 'outside' : 'edit';
  const isBack = isWayBack(meta.op) && !isRedo(meta.op) && meta.unrejects === undefined;
  return isBack ? 'back' : 'edit';
}

/**
 * The recorded versions of files, woven: every commit of a trail that changed a file, under whatever names the file had,
 * is one step of its weave. Only commits about the files that are asked for are read in full.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isSync } from '../../operations.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { type FileChange, patched } from '../changes.ts';
import { fileAtCommit, type Recorded, sameRecorded } from '../steps.ts';
import { treeOf } from '../walk.ts';
import { isUtf8, MARKS, recordedRows, rowsInTree } from './file-rows.ts';
import { type Found, type HistoryQuery, type Step, stepsOf } from './read-steps.ts';
import type { SeenHead } from './status.ts';
import { rowsTaken } from './take-out.ts';
import { Weave, type WovenRow } from './weave.ts';

export type { HistoryQuery } from './read-steps.ts';

export interface FileHistory {
  /** Names that it had, as the trail records them; the present one last. */
  names: string[];
  weave: Weave;
  /** HEAD whenever the trail was brought up to it, by its commit; `null` stands for what was there before all edits. */
  seen: Array<SeenHead & { commit: string | null }>;
  /** The content of the newest version, and the blobs of all versions. */
  tip: Recorded;
  blobs: Set<string>;
}

/** Reads the histories of the files that have one of these names, or had it. */
export async function fileHistories(
  objects: ObjectDatabase,
  query: HistoryQuery,
  paths: Iterable<string>,
): Promise<FileHistory[]> {
  const wanted = new Set(paths);
  let found: Found = { steps: [], cut: null };
  // A file that was renamed has other names above and below the commit that renamed it.
  for (let known = -1; known < wanted.size; ) {
    known = wanted.size;
    found = await stepsOf(objects, query, wanted);
    for (const { renames } of found.steps)
      for (const [to, from] of renames) if (wanted.has(to) || wanted.has(from)) wanted.add(to).add(from);
  }
  const weaving = new Weaving(objects, found);
  for (const step of found.steps.reverse()) await weaving.add(step);
  return weaving.finished();
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
  readonly #cut: Found['cut'];
  readonly #named = new Map<string, FileHistory>();

  constructor(objects: ObjectDatabase, { cut }: Found) {
    this.#objects = objects;
    this.#cut = cut;
  }

  async add(step: Step): Promise<void> {
    const { commit, parents, kind, meta, brings, changes, renames } = step;
    const about = { id: commit, kind, brings };
    const moved = renames.size > 0 ? new Set(renames.values()) : null;
    for (const change of changes) {
      const { path, before, after } = change;
      if (after === null && moved?.has(path)) continue;
      const from = renames.get(path);
      const file =
        this.#named.get(from ?? path) ??
        (from === undefined && before === null ? this.#cameBack(path) : null) ??
        (await this.#fileAt(from ?? path, from === undefined ? before : undefined, step));
      if (file.names.at(-1) !== path) this.#rename(file, file.names.at(-1)!, path);
      const hunks = this.#hunksOf(file, change);
      if (!hunks || meta || !file.weave.stepBy(about, hunks)) {
        const rows = hunks ? patched(file.weave.text, hunks) : await recordedRows(this.#objects, path, after);
        file.weave.step(about, rows, meta && rowsTaken(file.weave, meta));
      }
      file.tip = after;
      if (after) file.blobs.add(after.oid);
    }
    const head = isSync(meta?.op) ? parents[1] : undefined;
    if (head !== undefined) for (const file of this.files) await this.#see(file, head);
  }

  /** The hunks that are kept; `undefined` where the file is not as it was before them. */
  #hunksOf({ weave, tip, names }: FileHistory, { path, before, hunks }: FileChange): FileChange['hunks'] {
    const isBefore = names.at(-1) === path && sameRecorded(tip, before);
    // What is kept of a file was worked out where no encoding was declared for it.
    const isKept = isBefore && !weave.isCut && isUtf8(weave.live.slice(0, MARKS).map(({ token }) => token));
    return isKept ? hunks : undefined;
  }

  /** The files with their weaves at the newest commit. */
  finished(): FileHistory[] {
    for (const { weave, live, rows, seen } of this.#unclear) {
      const newest = weave.live;
      weave.live = live;
      seen.held = weave.place(rows).held;
      weave.live = newest;
    }
    return this.files;
  }

  /** The file that was last at this name, was moved away, and is gone: it is back, as one that is gone under its own name is. */
  #cameBack(path: string): FileHistory | null {
    return this.files.findLast(({ names, tip }) => tip === null && names.includes(path)) ?? null;
  }

  async #fileAt(path: string, before: Recorded | undefined, { parents }: Step): Promise<FileHistory> {
    const held = before === undefined ? await fileAtCommit(this.#objects, parents[0], path) : before;
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

  /** Begins a weave. Where older commits were not read, what HEAD had then is the base, and all that they did is one step. */
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
    if (this.#named.get(from) === file) this.#named.delete(from);
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

/** Edits of the trail applied to another tree, one after the other, as `git cherry-pick` would. Nothing is written. */

import type { ConflictRegion } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { fileAt, type Recorded, redoSteps, type Step, sameRecorded } from '../steps.ts';
import type { TrailEntry } from '../walk.ts';
import { type Blobs, blobsOf, mergeStep } from './merge-steps.ts';

/** What a path holds before an edit and after it. */
export type PickStep = Omit<Step, 'path' | 'commit'>;

/** An edit, or some of its paths. */
export interface Pick {
  entry: TrailEntry;
  paths: readonly string[];
  /** Steps in place of the recorded ones, by path; their contents are kept by the picker. */
  instead?: ReadonlyMap<string, PickStep>;
}

/** Edits that follow each other at a path, oldest first, each made on what the one before left there. */
export interface PickRow {
  path: string;
  entries: readonly TrailEntry[];
  /** What the path holds before the first of them and after the last. */
  from: Recorded;
  to: Recorded;
}

/** The text that the edit was made on is not there. */
export interface PickConflict {
  path: string;
  commit: string;
  regions: ConflictRegion[];
}

export type PathContents = ReadonlyMap<string, Recorded>;

export class CherryPicker {
  /** The contents of the repository, and those that merges made. */
  readonly blobs: Blobs;
  readonly conflicts: PickConflict[] = [];
  readonly #objects: ObjectDatabase;
  readonly #base: string | null;
  readonly #now = new Map<string, Recorded>();
  readonly #before = new Map<string, Recorded>();
  readonly #states = new Map<string, Set<string>>();
  readonly #rows: PickRow[] = [];
  readonly #made = new Map<string, Uint8Array>();

  /** `tree`: what the edits are applied to; `null` is the empty tree. */
  constructor(objects: ObjectDatabase, tree: string | null) {
    this.#objects = objects;
    this.#base = tree;
    this.blobs = blobsOf(objects, this.#made);
  }

  /** Applies the edit; answers the paths that it changed here, with what they hold now. */
  async pick({ entry, paths, instead }: Pick): Promise<PathContents> {
    const changed = new Map<string, Recorded>();
    for (const made of await redoSteps(this.#objects, entry)) {
      if (!paths.includes(made.path)) continue;
      const step = { ...made, ...instead?.get(made.path) };
      if (await this.apply(step)) changed.set(step.path, await this.#at(step.path));
    }
    return changed;
  }

  /** Looks paths up, in the order in which `changes` tells of them. */
  async lookUp(paths: Iterable<string>): Promise<void> {
    for (const path of paths) await this.#at(path);
  }

  /**
   * Applies a row of edits at once, where the path holds here what the first was made on: then each of them fits. False
   * where it does not, and nothing is done.
   */
  async pickRow(row: PickRow): Promise<boolean> {
    if (!sameRecorded(await this.#at(row.path), row.from)) return false;
    this.#now.set(row.path, row.to);
    this.#rows.push(row);
    return true;
  }

  /** True when the step changed its path here. What does not fit is a conflict. */
  async apply(step: Step): Promise<boolean> {
    const { path, commit } = step;
    const now = await this.#at(path);
    if (sameRecorded(step.from, step.to)) return false;
    const merged = await mergeStep(this.blobs, now, step);
    if ('conflict' in merged) {
      this.conflicts.push({ path, commit, regions: merged.conflict });
      return false;
    }
    if (sameRecorded(now, merged.recorded)) return false;
    if (merged.content) this.#made.set(merged.recorded!.oid, merged.content);
    this.#set(path, merged.recorded);
    return true;
  }

  /** Remembers a content that may be in no object yet; answers its blob id. */
  async keep(content: Uint8Array): Promise<string> {
    const oid = await this.#objects.codec.hash('blob', content);
    this.#made.set(oid, content);
    return oid;
  }

  /** What differs from the tree now. */
  changes(): PathContents {
    return new Map(
      [...this.#now].filter(([path, now]) => !sameRecorded(now, this.#before.get(path) ?? null)),
    );
  }

  /** What a path that was picked holds now. */
  now(path: string): Recorded {
    return this.#now.get(path) ?? null;
  }

  /** What the tree holds at a path that was picked. */
  before(path: string): Recorded {
    return this.#before.get(path) ?? null;
  }

  /** The contents that the path had on the way, the one at the end included. */
  async states(path: string): Promise<ReadonlySet<string>> {
    const states = new Set(this.#states.get(path));
    for (const { entries } of this.#rows.filter(row => row.path === path)) {
      for (const { tree } of entries) {
        const held = await fileAt(this.#objects, tree, path);
        if (held) states.add(held.oid);
      }
    }
    return states;
  }

  /** The contents that merges made, of those asked for. */
  async madeBlobs(wanted: Iterable<Recorded>): Promise<EncodedObject[]> {
    const oids = new Set([...wanted].flatMap(recorded => recorded?.oid ?? []));
    const made = [...this.#made].filter(([oid]) => oids.has(oid));
    return Promise.all(made.map(([, content]) => this.#objects.codec.encode('blob', content)));
  }

  async #at(path: string): Promise<Recorded> {
    if (!this.#now.has(path)) {
      const before = this.#base ? await fileAt(this.#objects, this.#base, path) : null;
      this.#before.set(path, before);
      this.#now.set(path, before);
    }
    return this.#now.get(path) ?? null;
  }

  #set(path: string, recorded: Recorded): void {
    this.#now.set(path, recorded);
    const states = this.#states.get(path) ?? new Set();
    if (recorded) states.add(recorded.oid);
    this.#states.set(path, states);
  }
}

/** Edits of the trail applied to another tree, one after the other, as `git cherry-pick` would. Nothing is written. */

import type { Codec, EncodedObject } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { type Blobs, type JoinConflict, joinStep } from './join.ts';
import { type Recorded, redoSteps, sameRecorded } from './steps.ts';
import type { TrailEntry } from './walk.ts';

/** An edit, or some of its paths. */
export interface Pick {
  entry: TrailEntry;
  paths: readonly string[];
}

/** The text that the edit was made on is not there. */
export interface PickConflict {
  path: string;
  commit: string;
  regions: JoinConflict[];
}

export type PathContents = ReadonlyMap<string, Recorded>;

export class Picker implements Blobs {
  readonly conflicts: PickConflict[] = [];
  readonly #objects: ObjectDatabase;
  readonly #base: string | null;
  readonly #now = new Map<string, Recorded>();
  readonly #before = new Map<string, Recorded>();
  readonly #states = new Map<string, Set<string>>();
  readonly #made = new Map<string, Uint8Array>();

  /** `tree`: what the edits are applied to; `null` is the empty tree. */
  constructor(objects: ObjectDatabase, tree: string | null) {
    this.#objects = objects;
    this.#base = tree;
  }

  get codec(): Codec {
    return this.#objects.codec;
  }

  /** A content, also one that a merge made. */
  async read(oid: string): Promise<Uint8Array> {
    return this.#made.get(oid) ?? (await this.#objects.read(oid, 'blob')).content;
  }

  /** Applies the edit; answers the paths that it changed here, with what they hold now. */
  async pick({ entry, paths }: Pick): Promise<PathContents> {
    const changed = new Map<string, Recorded>();
    for (const step of await redoSteps(this.#objects, entry)) {
      if (!paths.includes(step.path)) continue;
      const now = await this.#at(step.path);
      const joined = await joinStep(this, now, step);
      if ('conflict' in joined)
        this.conflicts.push({ path: step.path, commit: entry.commit, regions: joined.conflict });
      else if (!sameRecorded(now, joined.recorded)) {
        if (joined.content) this.#made.set(joined.recorded!.oid, joined.content);
        this.#set(step.path, joined.recorded);
        changed.set(step.path, joined.recorded);
      }
    }
    return changed;
  }

  /** What differs from the tree now. */
  changes(): PathContents {
    return new Map(
      [...this.#now].filter(([path, now]) => !sameRecorded(now, this.#before.get(path) ?? null)),
    );
  }

  /** What the tree holds at a path that was picked. */
  before(path: string): Recorded {
    return this.#before.get(path) ?? null;
  }

  /** The contents that the path had on the way, the one at the end included. */
  states(path: string): ReadonlySet<string> {
    return this.#states.get(path) ?? new Set();
  }

  /** The contents that merges made, of those asked for. */
  async blobs(wanted: Iterable<Recorded>): Promise<EncodedObject[]> {
    const oids = new Set([...wanted].flatMap(recorded => recorded?.oid ?? []));
    const made = [...this.#made].filter(([oid]) => oids.has(oid));
    return Promise.all(made.map(([, content]) => this.#objects.codec.encode('blob', content)));
  }

  async #at(path: string): Promise<Recorded> {
    if (!this.#now.has(path)) {
      const before = this.#base ? await lookup(this.#objects, this.#base, path) : null;
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

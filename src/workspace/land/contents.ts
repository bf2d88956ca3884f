/** The contents of a landing's files: what a branch held before, and what it shall hold, with the contents that are new. */

import type { Codec, EncodedObject } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { type Blobs, blobsOf } from '../../trail/history/merge-steps.ts';
import type { Recorded } from '../../trail/steps.ts';

export type PathContents = ReadonlyMap<string, Recorded>;

export class LandContents {
  /** The contents of the repository, and the new ones. */
  readonly blobs: Blobs;
  readonly #objects: ObjectDatabase;
  readonly #made = new Map<string, Uint8Array>();
  readonly #before = new Map<string, Recorded>();
  readonly #states = new Map<string, ReadonlySet<string>>();

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
    this.blobs = blobsOf(objects, this.#made);
  }

  get codec(): Codec {
    return this.#objects.codec;
  }

  /** Remembers what the branch holds at a path, and the blobs that the path had on the way. */
  note(path: string, before: Recorded, states: ReadonlySet<string>): void {
    this.#before.set(path, before);
    this.#states.set(path, states);
  }

  /** Remembers a content that may be in no object yet; answers its blob id. */
  async keep(content: Uint8Array): Promise<string> {
    const oid = await this.#objects.codec.hash('blob', content);
    this.#made.set(oid, content);
    return oid;
  }

  before(path: string): Recorded {
    return this.#before.get(path) ?? null;
  }

  /** The blobs of recorded versions of the path. */
  states(path: string): ReadonlySet<string> {
    return this.#states.get(path) ?? new Set();
  }

  /** The contents that are new, of those asked for. */
  async madeBlobs(wanted: Iterable<Recorded>): Promise<EncodedObject[]> {
    const oids = new Set([...wanted].flatMap(recorded => recorded?.oid ?? []));
    const made = [...this.#made].filter(([oid]) => oids.has(oid));
    return Promise.all(made.map(([, content]) => this.#objects.codec.encode('blob', content)));
  }
}

/** The contents of a landing's files: what a branch held before, and what it shall hold, with the contents that are new. */

import { type Context, fromTrail } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { Recorded } from '../history/steps.ts';

export type PathContents = ReadonlyMap<string, Recorded>;

export class LandContents {
  readonly codec: Codec;
  /** By blob id, contents that may be in no object yet. */
  readonly made: Map<string, Uint8Array> = new Map();
  /** By path, what the branch holds, and the blobs of all versions that were recorded. */
  readonly before: Map<string, Recorded> = new Map();
  readonly states: Map<string, ReadonlySet<string>> = new Map();
  readonly #objects: ObjectDatabase;

  constructor(objects: ObjectDatabase) {
    this.codec = objects.codec;
    this.#objects = objects;
  }

  /** Reads a content; `path`: where it is, which may tell its encoding. */
  async read(oid: string, path = ''): Promise<Uint8Array> {
    return this.made.get(oid) ?? this.#objects.file(path, oid);
  }

  /** Remembers a content; answers its blob id. */
  async keep(content: Uint8Array): Promise<string> {
    const oid = await this.codec.hash('blob', content);
    this.made.set(oid, content);
    return oid;
  }
}

/** The name that a path of the trail has for the reader. */
export function nameOf(context: Context, path: string): string {
  return fromTrail(context, path) ?? path;
}

/** The contents of a landing's files: what a branch held before, and what it shall hold, with the contents that are new. */

import { type Context, fromTrail } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { Recorded } from '../history/steps.ts';

export type PathContents = ReadonlyMap<string, Recorded>;

export interface LandContents {
  /** The contents of the repository, and the new ones. */
  blobs: {
    codec: Codec;
    /** By blob id, contents that may be in no object yet. */
    made: Map<string, Uint8Array>;
    /** `path`: where the content is, which may tell its encoding. */
    read(oid: string, path?: string): Promise<Uint8Array>;
  };
  /** By path, what the branch holds, and the blobs of all versions that were recorded. */
  before: Map<string, Recorded>;
  states: Map<string, ReadonlySet<string>>;
}

export function landContents(objects: ObjectDatabase): LandContents {
  const made = new Map<string, Uint8Array>();
  const read = async (oid: string, path = ''): Promise<Uint8Array> =>
    made.get(oid) ?? objects.file(path, oid);
  return { blobs: { codec: objects.codec, made, read }, before: new Map(), states: new Map() };
}

/** Remembers a content; answers its blob id. */
export async function keep({ blobs: { codec, made } }: LandContents, content: Uint8Array): Promise<string> {
  const oid = await codec.hash('blob', content);
  made.set(oid, content);
  return oid;
}

/** The name that a path of the trail has for the reader. */
export function nameOf(context: Context, path: string): string {
  return fromTrail(context, path) ?? path;
}

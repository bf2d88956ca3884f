/**
 * One step on recorded contents: straight where the path holds what the step expects, by three-way merge where other
 * lines were changed, and a conflict where the same lines were. Nothing is written.
 */

import type { ConflictRegion } from '../errors.ts';
import type { Codec } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { type FileStep, type Recorded, sameRecorded } from '../history/steps.ts';
import { type FileContent, mergeFileOrNone } from '../text/diff/merge.ts';

export interface Blobs {
  codec: Codec;
  /** Contents that may be in no object yet, by blob id: those that are given, and those that merging makes. */
  made: Map<string, Uint8Array>;
  /** `path`: where the content is, which may tell its encoding. */
  read(oid: string, path?: string): Promise<Uint8Array>;
}

/** Reads contents from the repository and from `made`. */
export function blobsOf(
  objects: Pick<ObjectDatabase, 'codec' | 'file'>,
  made: Map<string, Uint8Array> = new Map(),
): Blobs {
  const read = async (oid: string, path = ''): Promise<Uint8Array> =>
    made.get(oid) ?? objects.file(path, oid);
  return { codec: objects.codec, made, read };
}

/** The content of the path after the step. No regions: the files cannot be merged. */
type Merged = Made | { conflict: ConflictRegion[] };

/** A recorded content, with its bytes where it may be in no object yet. */
interface Made {
  recorded: Recorded;
  content?: Uint8Array;
}

export async function mergeStep(blobs: Blobs, now: Recorded, { path, from, to }: FileStep): Promise<Merged> {
  if (sameRecorded(now, from)) return madeAs(blobs, to);
  if (sameRecorded(now, to)) return madeAs(blobs, now);
  if (!now || !from || !to || ![now, from, to].every(isFile)) return { conflict: [] };
  const mode = now.mode === from.mode ? to.mode : now.mode;
  if (from.oid === to.oid || now.oid === to.oid) return madeAs(blobs, { mode, oid: now.oid });
  if (now.oid === from.oid) return madeAs(blobs, { mode, oid: to.oid });
  const content = async ({ oid }: NonNullable<Recorded>): Promise<FileContent> => {
    return { bytes: await blobs.read(oid, path), version: oid };
  };
  const merged = mergeFileOrNone(path, await content(from), await content(now), await content(to));
  if ('conflict' in merged) return merged;
  const oid = await blobs.codec.hash('blob', merged.content);
  blobs.made.set(oid, merged.content);
  return madeAs(blobs, { mode, oid });
}

function madeAs({ made }: Blobs, recorded: Recorded): Made {
  const content = recorded && made.get(recorded.oid);
  return content ? { recorded, content } : { recorded };
}

function isFile(recorded: NonNullable<Recorded>): boolean {
  return recorded.mode.startsWith('100');
}

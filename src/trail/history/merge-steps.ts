/**
 * One step on recorded contents: straight where the path holds what the step expects, by three-way merge where other
 * lines were changed, and a conflict where the same lines were. Nothing is written.
 */

import type { ConflictRegion } from '../../errors.ts';
import type { Codec } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { type FileContent, mergeFile } from '../../text/diff/merge.ts';
import { isNoText } from '../../text/document.ts';
import { type Recorded, type Step, sameRecorded } from '../steps.ts';

export interface Blobs {
  codec: Codec;
  /** `path`: where the content is, which may tell its encoding. */
  read(oid: string, path?: string): Promise<Uint8Array>;
}

/** Those of the repository, and `others`, by blob id, that may be in no object yet. */
export function blobsOf(
  objects: Pick<ObjectDatabase, 'codec' | 'file'>,
  others: ReadonlyMap<string, Uint8Array> = new Map(),
): Blobs {
  const read = async (oid: string, path = ''): Promise<Uint8Array> =>
    others.get(oid) ?? objects.file(path, oid);
  return { codec: objects.codec, read };
}

/**
 * The content of the path after the step, with its bytes where it is a new one. No regions: the files cannot be merged.
 */
export type Merged = { recorded: Recorded; content?: Uint8Array } | { conflict: ConflictRegion[] };

export async function mergeStep(
  blobs: Blobs,
  now: Recorded,
  { path, from, to }: Pick<Step, 'path' | 'from' | 'to'>,
): Promise<Merged> {
  if (sameRecorded(now, from)) return { recorded: to };
  if (sameRecorded(now, to)) return { recorded: now };
  if (!now || !from || !to || ![now, from, to].every(isFile)) return { conflict: [] };
  const mode = now.mode === from.mode ? to.mode : now.mode;
  if (from.oid === to.oid || now.oid === to.oid) return { recorded: { mode, oid: now.oid } };
  if (now.oid === from.oid) return { recorded: { mode, oid: to.oid } };
  const content = async ({ oid }: NonNullable<Recorded>): Promise<FileContent> => {
    return { bytes: await blobs.read(oid, path), version: oid };
  };
  const merged = mergedOrNone(path, await content(from), await content(now), await content(to));
  if ('conflict' in merged) return merged;
  return { recorded: { mode, oid: await blobs.codec.hash('blob', merged.content) }, content: merged.content };
}

function isFile(recorded: NonNullable<Recorded>): boolean {
  return recorded.mode.startsWith('100');
}

function mergedOrNone(...sides: Parameters<typeof mergeFile>): ReturnType<typeof mergeFile> {
  try {
    return mergeFile(...sides);
  } catch (error) {
    if (isNoText(error, 'or too large')) return { conflict: [] };
    throw error;
  }
}

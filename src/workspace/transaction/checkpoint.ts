/**
 * What journal files hold is made durable in its own place, so that they can go. It needs no memory of the process that
 * wrote them, and no lock: doing it twice, or beside living writers, does no harm.
 */

import { orNull } from '../../git/fs.ts';
import type { JournalFile } from '../../git/journal.ts';
import { syncFile, syncFolder } from '../../git/durable.ts';
import { objectPlaces, syncObjects, writeObjects } from '../../git/objects/loose.ts';
import { type Context, looseOf } from '../context.ts';
import { syncRef } from './known-durable.ts';
import { placeOf } from './place.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from './record.ts';

/** After this returns, nothing in the files is needed any more. Throws the error of what could not be synced. */
export async function checkpoint(context: Context, files: readonly JournalFile<ChangeRecord>[]): Promise<void> {
  const frames = files.flatMap(file => file.records).filter(({ data }) => checkedRecord(data));
  if (frames.length === 0) return;
  const options = looseOf(context);
  const objects = [];
  for (const frame of frames) objects.push(...(await carriedObjects(context.codec, frame)));
  await writeObjects(options, objects, false);
  await syncObjects(options.fs, objectPlaces(options, objects));
  const refs = new Map(frames.map(({ data }) => [`${data.worktree} ${data.ref}`, data]));
  for (const data of refs.values()) {
    const place = await placeOf(context, data);
    await syncRef(place ?? context, data.ref);
  }
  for (const { data } of frames) {
    const place = await placeOf(context, data);
    if (data.store !== null) await place?.store.sync?.(data.store);
    if (!place || (!data.index && !data.landing)) continue;
    await orNull(syncFile(context.fs, place.index.path));
    await orNull(syncFolder(context.fs, place.repo.gitDir));
  }
}

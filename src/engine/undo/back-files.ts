/** Files of ways back: as they are now, and what of them stays. */

import { EditError } from '../../errors.ts';
import { bytesOfRows, type RowsFile } from '../../history/file-rows.ts';
import type { StoredFile } from '../../stores/store.ts';
import { orNone } from '../change/folders.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { broughtBack } from '../files/exact-bytes.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';

/** Returns the file that is at a path of the workspace now; `null` where there is none, or the path leads elsewhere. */
export async function presentFile(snapshot: Snapshot, path: string): Promise<StoredFile | null> {
  return (await snapshot.resolve(path)) === path ? orNone(() => snapshot.file(path)) : null;
}

/**
 * The file as it has to be on disk for one that rows tell. `edits`: those that this is about. Throws SPECIAL_FILE for what is no
 * regular file.
 */
export async function placedRows(
  snapshot: Snapshot,
  path: string,
  file: RowsFile,
  edits?: ReadonlySet<string>,
): Promise<StoredFile> {
  const { context, conversion } = snapshot;
  const now = await presentFile(snapshot, path);
  const over = overRecorded(context, await snapshot.recorded(path));
  const from = now && (await conversion.recorded(path, now, over));
  return placed(snapshot, path, { now, from, to: await fileOf(context, path, file), edits });
}

async function fileOf(context: Context, path: string, file: RowsFile): Promise<StoredFile> {
  if ('oid' in file) return recordedFile(context, path, file);
  const bytes = await bytesOfRows(file);
  return { bytes, mode: plainMode(file.mode), version: await context.codec.hash('blob', bytes) };
}

interface Placing {
  now: StoredFile | null;
  /** As recorded: the file now, and what is to be there. */
  from: StoredFile | null;
  to: StoredFile;
  edits?: ReadonlySet<string> | undefined;
}

/** The file as it has to be on disk for a recorded one. Its mode stays where the recorded one does not change. */
export async function placed(
  snapshot: Snapshot,
  path: string,
  { now, from, to, edits = new Set() }: Placing,
): Promise<StoredFile> {
  const over = overRecorded(snapshot.context, await snapshot.recorded(path));
  const file = await broughtBack(snapshot, path, { now, over, to, edits });
  return now && from?.mode === file.mode ? { ...file, mode: now.mode } : file;
}

/** The name that a path of the history has in the workspace. Throws OUTSIDE_WORKSPACE. */
export function inWorkspace(context: Context, recorded: string): string {
  const path = fromTrail(context, recorded);
  if (path !== null) return path;
  throw new EditError(
    'OUTSIDE_WORKSPACE',
    `${recorded} is outside this workspace, so it cannot be changed from here. Open the whole repository.`,
    { path: recorded },
  );
}

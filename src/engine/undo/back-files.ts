/** Files of ways back: as they are now, and what of them stays. */

import { EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { orNone } from '../change/folders.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded } from '../files/conversion.ts';
import { broughtBack } from '../files/exact-bytes.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Returns the file that is at a path of the workspace now; `null` where there is none, or the path leads elsewhere. */
export async function presentFile(snapshot: Snapshot, path: string): Promise<StoredFile | null> {
  return (await snapshot.resolve(path)) === path ? orNone(() => snapshot.file(path)) : null;
}

interface Placing {
  now: StoredFile | null;
  /** As recorded: the file now, and what is to be there. */
  from: StoredFile | null;
  to: StoredFile | null;
  /** The edits that this is about. */
  edits?: ReadonlySet<string>;
}

/** The file as it has to be on disk for a recorded one. Its mode stays where the recorded one does not change. */
export async function placed(
  snapshot: Snapshot,
  path: string,
  { now, from, to, ...about }: Placing,
): Promise<StoredFile | null> {
  if (!to) return null;
  const over = overRecorded(snapshot.context, await snapshot.recorded(path));
  const file = await broughtBack(snapshot, path, { now, over, to, ...about });
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

/** Files of ways back: as they are now, and what of them stays. */

import { EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { orNone } from '../change/folders.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Returns the file that is at a path of the workspace now; `null` where there is none, or the path leads elsewhere. */
export async function presentFile(snapshot: Snapshot, path: string): Promise<StoredFile | null> {
  return (await snapshot.resolve(path)) === path ? orNone(() => snapshot.file(path)) : null;
}

export function differs(a: StoredFile | null, b: StoredFile | null): boolean {
  return a?.version !== b?.version || a?.mode !== b?.mode;
}

/** The mode on disk stays where the step does not change the recorded one. */
export function keepingMode(file: StoredFile, from: StoredFile | null, now: StoredFile | null): StoredFile {
  return now && from?.mode === file.mode ? { ...file, mode: now.mode } : file;
}

export function outsideWorkspace(path: string): EditError {
  return new EditError(
    'OUTSIDE_WORKSPACE',
    `${path} is outside this workspace, so it cannot be changed from here. Open the whole repository.`,
    { path },
  );
}

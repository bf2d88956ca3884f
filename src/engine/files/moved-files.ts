/** Files that somebody moved without the engine: under a new name they hold what an edited file held that is gone. */

import type { StoredFile } from '../../stores/store.ts';
import { renamesOf } from '../../trail/renames.ts';
import { toTrail } from '../context.ts';
import { outsideChanges } from './outside.ts';
import type { Snapshot } from './snapshot.ts';

/** Returns the old names of edited files by the new ones, as the trail names them; `come`: files that it does not know. */
export async function movedFiles(
  snapshot: Snapshot,
  come: ReadonlyArray<{ path: string; file: StoredFile }>,
): Promise<Map<string, string>> {
  const { changes } = await outsideChanges(snapshot);
  const gone = changes.filter(({ kind }) => kind === 'deleted');
  const sides = [
    ...gone.map(({ path, before }) => ({ path, before, after: null })),
    ...come.map(({ path, file }) => ({ path, before: null, after: file })),
  ];
  return renamesOf(sides, (path, file: StoredFile) => ({
    path: toTrail(snapshot.context, path),
    oid: file.version,
    read: async () => file,
  }));
}

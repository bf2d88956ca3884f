/** Reads what commits changed in their files, in the form in which it is kept (changes.ts). */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { Token } from '../text/diff/alignment.ts';
import { type CommitChanges, hunksOf } from './changes.ts';
import { isUtf8, recordedRows } from './file-rows.ts';
import { kindOf, namedFiles } from './read-steps.ts';
import { type Recorded, sameRecorded } from './steps.ts';
import type { TrailEntry } from './walk.ts';

/** The most text that is read for one list of commits, old and new; what comes after it is kept without hunks. */
const MOST_TEXT = 128 * 1024 * 1024;

/** Reads the changes of commits, newest first, in their order; `null` for what joins histories, or is not the engine's. */
export async function changesOf(
  objects: ObjectDatabase,
  entries: readonly TrailEntry[],
): Promise<Array<CommitChanges | null>> {
  const found: Array<CommitChanges | null> = [];
  let left = MOST_TEXT;
  const rowsOf = async (path: string, held: Recorded): Promise<readonly Token[]> => {
    const rows = await recordedRows(objects, path, held);
    for (const row of rows) left -= row.length + 1;
    return rows;
  };
  for (const entry of [...entries].reverse()) {
    const files = await namedFiles(objects, entry);
    for (const file of files ?? [])
      if (left > 0 && !sameRecorded(file.before, file.after)) {
        const [old, fresh] = [await rowsOf(file.path, file.before), await rowsOf(file.path, file.after)];
        // What a content is as text may be declared otherwise one day.
        const hunks = isUtf8(old) && isUtf8(fresh) ? hunksOf(old, fresh) : undefined;
        if (hunks) file.hunks = hunks;
      }
    found.push(files && { ...kindIn(entry), files });
  }
  return found.reverse();
}

/** Tells the kind of a commit's step; nothing where the commit says of others what it does with them. */
function kindIn({ meta, parents }: TrailEntry): Pick<CommitChanges, 'kind'> {
  const kind = kindOf(meta);
  const isAbout = meta?.undoes !== undefined || meta?.redoes !== undefined || meta?.unrejects !== undefined;
  return isAbout || parents.length > 1 || kind === 'head' ? {} : { kind };
}

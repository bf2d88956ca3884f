/** Files that a look names, as they are: what can be recorded of each, and its state, both of one moment. */

import { type Context, fromTrail, givenPath } from '../../engine/context.ts';
import { EditError } from '../../errors.ts';
import type { Stat } from '../../fs/fs.ts';
import type { StoredFile } from '../../stores/store.ts';

/** One file as the private index keeps it; `stat` is `null` where there is none. */
export interface SeenFile {
  /** As the trail records it. */
  path: string;
  mode: string;
  oid: string;
  stat: Stat | null;
}

export interface Present {
  seen: SeenFile;
  /** As the workspace names it; `null`: it cannot be recorded. */
  path: string | null;
  file: StoredFile | null;
}

/** Stands for a content that nobody looks at: git's id of an empty file. */
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** The most files, and the most bytes of text, that are recorded at once. */
export const MOST_FILES: number = 5_000;
export const MOST_BYTES: number = 64 * 1024 * 1024;

/** Reads the files as they are. One that changes while it is read, or that is one too many, is left to the next look. `left`: how many of those. */
export async function presentFiles(
  context: Context,
  paths: readonly string[],
): Promise<{ found: Present[]; left: number }> {
  const found: Present[] = [];
  let [bytes, left] = [0, 0];
  for (const path of [...paths].sort()) {
    const isOver = found.length >= MOST_FILES || bytes >= MOST_BYTES;
    const present = isOver ? null : await presentFile(context, path);
    if (!present) left++;
    else {
      found.push(present);
      bytes += present.file?.bytes.length ?? 0;
    }
  }
  return { found, left };
}

async function presentFile(context: Context, path: string): Promise<Present | null> {
  const { fs, repo } = context;
  const place = `${repo.workDir}/${path}`;
  const stat = await fs.lstat(place);
  const type = stat?.type ?? null;
  if (type === 'other') return notRecorded(path, null);
  try {
    const name = fromTrail(context, path);
    if (name === null) return notRecorded(path, stat);
    const plain = givenPath(context, name);
    const file = type === 'directory' || !stat ? null : await context.store.entry!(plain);
    const after = await fs.lstat(place);
    if (after?.ctimeNs !== stat?.ctimeNs || after?.size !== stat?.size) return null;
    const seen = { path, mode: file?.mode ?? '100644', oid: file?.version ?? EMPTY_BLOB, stat: file && stat };
    return { seen, path: plain, file };
  } catch (error) {
    if (error instanceof EditError && error.code !== 'STORE_FAILED') return notRecorded(path, stat);
    throw error;
  }
}

/** Makes a file that is not recorded: its state alone tells whether it changed. */
function notRecorded(path: string, stat: Stat | null): Present {
  const mode = stat?.type === 'symlink' ? '120000' : '100644';
  return { seen: { path, mode, oid: EMPTY_BLOB, stat }, path: null, file: null };
}

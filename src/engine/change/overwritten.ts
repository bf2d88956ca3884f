/** Edits that overwrite a file, and how they are told. Stands on nothing, for the command line. */

import type { FileDiff } from '../file-diffs.ts';

/** A move that overwrites a file has two files of one name. Leaves out the deletion: a line about the change names the others. */
export function withoutOverwritten<File extends Pick<FileDiff, 'kind' | 'path'>>(
  files: readonly File[],
): File[] {
  const moved = new Set(files.filter(one => one.kind === 'move').map(one => one.path));
  return files.filter(one => one.kind !== 'delete' || !moved.has(one.path));
}

/** A move may overwrite a file: a change that does has two files of one name. Stands on nothing, for the command line. */

import type { Delta } from '../deltas.ts';

/** Without the deletions of what a move overwrote: the files that a line about the change has to name. */
export function withoutOverwritten<File extends Pick<Delta, 'kind' | 'path'>>(
  files: readonly File[],
): File[] {
  const moved = new Set(files.filter(one => one.kind === 'move').map(one => one.path));
  return files.filter(one => one.kind !== 'delete' || !moved.has(one.path));
}

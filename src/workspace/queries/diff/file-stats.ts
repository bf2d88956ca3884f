/** How much of each file changed: the numbers behind `git diff --stat`. */

import type { FileDiff } from '../../file-diffs.ts';

/** One file; lines counted as `git diff --numstat` counts them. */
export interface FileStat {
  path: string;
  kind: FileDiff['kind'];
  /** The path before a move. */
  from?: string;
  added: number;
  removed: number;
  /** Given for a file that is no text; then there are no lines, and sizes in bytes instead. */
  binary?: { bytes_before: number; bytes_after: number };
}

export function fileStats(fileDiffs: readonly FileDiff[]): FileStat[] {
  return fileDiffs.map(({ path, kind, from, added, removed, binary, before, after }) => ({
    path,
    kind,
    ...(from === null ? {} : { from }),
    added,
    removed,
    ...(binary
      ? { binary: { bytes_before: before?.bytes.length ?? 0, bytes_after: after?.bytes.length ?? 0 } }
      : {}),
  }));
}

/** A diff as a model reads it: whole, or of a long one the list of its files and its beginning; and the files in words. */

import { shownName } from '../c-quote.ts';
import { isWhole } from '../operations.ts';
import { counted } from '../text/words.ts';
import { pathName } from '../wording.ts';
import type { FileDiff } from './file-diffs.ts';

/** In UTF-16 characters: what agents' own shells show of a long output. */
export const MAX_DIFF = 30_000;

/** `rest` says where the rest of it is to be found. */
export function diffWords(diff: string, stats: readonly FileStat[], rest: string): string {
  if (diff.length <= MAX_DIFF) return diff;
  const shown = beginning(diff);
  const [lines, all] = [shown, diff].map(text => text.split('\n').length - 1);
  return [
    ...statWords(stats),
    '',
    `${shown}[cut: ${lines} of ${all} lines of this diff are shown; ${rest}]`,
  ].join('\n');
}

/** Whole lines; of a first line that is too long, nothing. */
function beginning(diff: string): string {
  return diff.slice(0, diff.lastIndexOf('\n', MAX_DIFF - 1) + 1);
}

const VERBS = { create: 'created', modify: 'edited', delete: 'deleted', move: 'moved' } as const;

const LISTED = 50;

/** One line a file; `version` is the file's present one, which the next call may cite. `op` is the operation. */
export function statWords(
  stats: ReadonlyArray<FileStat & { version?: string | null | undefined }>,
  op?: string,
): string[] {
  const verbs = isWhole(op) ? { ...VERBS, modify: 'overwrote' } : VERBS;
  const lines = stats.slice(0, LISTED).map(({ kind, path, from, added, removed, version }) => {
    const name =
      from === undefined
        ? pathName(shownName(path))
        : `${pathName(shownName(from))} to ${pathName(shownName(path))}`;
    const cite = version ? `, version ${version.slice(0, 12)}` : '';
    return `${verbs[kind]} ${name} (+${added} -${removed})${cite}`;
  });
  const rest = stats.slice(LISTED);
  if (rest.length === 0) return lines;
  const sum = (of: 'added' | 'removed'): number => rest.reduce((total, one) => total + one[of], 0);
  return [...lines, `and ${counted(rest.length, 'more file')} (+${sum('added')} -${sum('removed')})`];
}

/** One file; lines counted as `git diff --numstat` counts them. */
export interface FileStat {
  path: string;
  kind: FileDiff['kind'];
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

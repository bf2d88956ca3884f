/** The files of a change in words: what became of each, and how many lines. */

import { shownName } from '../../../c-quote.ts';
import { isWhole } from '../../../operations.ts';
import { counted } from '../../../text/words.ts';
import { pathName } from '../../../wording.ts';
import type { FileStat } from './file-stats.ts';

const VERBS = { create: 'created', modify: 'edited', delete: 'deleted', move: 'moved' } as const;

/** So many files are named. */
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

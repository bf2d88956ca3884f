/** What git's own tests of `git apply` are about (t4100 to t4141). A test asks the git of this machine for the same. */

import type { UpstreamCase } from '../case.ts';
import { ENDS } from './ends.ts';
import { FILES } from './files.ts';
import { PLACES } from './places.ts';
import { RENAMES } from './renames.ts';
import type { GitRow } from './row.ts';

export const GIT_ROWS: readonly GitRow[] = [...ENDS, ...RENAMES, ...PLACES, ...FILES];

/** The patch as a text. */
export const patchOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

export const GIT_APPLY: readonly UpstreamCase[] = GIT_ROWS.map(
  ([script, name, lines, before, after, other]) => ({
    from: 'git apply',
    name: `${script}, ${name}`,
    edit: 'unified_diff',
    input: { patch: patchOf(lines) },
    before,
    after,
    ...(other ? { instead: other } : {}),
  }),
);

/** The whole of a trail: checked, and written out for other programs. */

import { git, vedit } from '../row.mjs';

const at = edits => place => place.edits === edits;

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'verify',
    what: 'verify',
    on: 'trail',
    sides: () => ({ vedit: vedit('verify'), git: git('fsck') }),
    targets: [{ under: 15_000, on: at(50_000) }],
  },
  {
    name: 'export',
    what: 'export',
    on: 'trail',
    sides: () => ({ vedit: vedit('export', '--jsonl'), git: git('log', '-p', 'vedit/main') }),
    targets: [{ under: 10_000, on: at(50_000) }],
  },
];

/** A dry landing of all edits, and of the first thousand. */

import { git, vedit } from '../row.mjs';

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'land',
    what: 'land -n, all',
    on: 'trail',
    sides: () => ({ vedit: vedit('land', '-n'), git: git('diff', '--stat', 'main', 'vedit/main') }),
    targets: [],
  },
  {
    name: 'land-first',
    what: 'land -n of the first 1,000',
    on: 'trail',
    sides: ({ commits }) => ({
      vedit: vedit('land', '-n', `..${commits[Math.min(1_000, commits.length) - 1]}`),
    }),
    targets: [{ under: 2_000 }],
  },
];

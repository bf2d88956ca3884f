/** What comes after a person's commit, and what takes an old edit back. These change the trail. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf, git as runGit } from '../../repository.mjs';
import { vedit } from '../row.mjs';

const EDITED = pathOf(500);
let count = 0;

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'first-edit',
    what: "first edit after a person's commit",
    on: 'trail',
    last: true,
    sides: ({ folder }) => ({
      vedit: replaceLine(folder, () => commitByHand(folder)),
      next: replaceLine(folder),
    }),
    targets: [{ against: 'next', more: 100 }],
  },
  {
    name: 'revert',
    what: 'revert -n <old>',
    on: 'trail',
    last: true,
    sides: ({ commits }) => ({
      // Later edits changed the same line: a conflict is an answer too.
      vedit: { ...vedit('revert', '-n', commits[Math.floor(commits.length / 10)]), exits: [0, 3] },
      newest: vedit('revert', '-n', '~0'),
    }),
    targets: [{ against: 'newest', times: 2 }],
  },
];

/** Another first line each time. */
function replaceLine(folder, first = () => {}) {
  const side = vedit('replace');
  const fixed = side.command.length;
  return {
    ...side,
    before() {
      first();
      const [line] = readFileSync(join(folder, EDITED), 'utf8').split('\n');
      side.command.splice(fixed, side.command.length, EDITED, line, `line ${++count} by the bench`);
    },
  };
}

function commitByHand(folder) {
  writeFileSync(join(folder, 'by-hand.txt'), `text ${++count}\n`);
  runGit(folder, ['add', 'by-hand.txt']);
  runGit(folder, ['commit', '-q', '-m', 'by hand']);
}

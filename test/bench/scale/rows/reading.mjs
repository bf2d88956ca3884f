/** Readers of a long trail beside git: where it stands, one edit, the edits of a file and of a session, all of them, who wrote a line. */

import { git, vedit } from '../row.mjs';

const old = ({ commits }) => commits[Math.floor(commits.length / 10)];

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'show',
    what: 'show <old>',
    on: 'trail',
    sides: place => ({
      vedit: vedit('show', old(place)),
      newest: vedit('show', '~0'),
      git: git('show', old(place)),
    }),
    targets: [{ against: 'newest', times: 2 }],
  },
  {
    name: 'status',
    what: 'status',
    on: 'trail',
    sides: () => ({ vedit: vedit('status'), git: git('status') }),
    targets: [],
  },
  {
    name: 'log-path',
    what: 'log <path>',
    on: 'trail',
    sides: ({ path }) => ({ vedit: vedit('log', path), git: git('log', 'vedit/main', '--', path) }),
    targets: [{ against: 'git', times: 2 }],
  },
  {
    name: 'log-session',
    what: 'log --session',
    on: 'trail',
    sides: ({ session }) => ({
      vedit: vedit('log', '--session', session),
      git: git('log', '--grep', `^Vedit-Session: ${session}$`, 'vedit/main'),
    }),
    targets: [{ against: 'git', times: 2 }],
  },
  {
    name: 'log',
    what: 'log',
    on: 'trail',
    sides: () => ({ vedit: vedit('log', '--oneline'), git: git('log', '--oneline', 'vedit/main') }),
    targets: [{ against: 'git', times: 2 }],
  },
  {
    name: 'blame',
    what: 'blame',
    on: 'trail',
    sides: ({ path }) => ({ vedit: vedit('blame', path), git: git('blame', 'vedit/main', '--', path) }),
    targets: [{ against: 'git', times: 2 }],
  },
];

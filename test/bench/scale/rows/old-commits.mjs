/** A person's old and large repository (`--repository`): what lies thousands of commits back, and whole walks of history. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { command, git, shell, vedit } from '../row.mjs';

const WALK = fileURLToPath(new URL('../walk.mjs', import.meta.url));

/** What of the clone is asked for; found once. */
const known = new Map();

/** @returns {{ path: string, views: string, shows: string, range: string }} */
function partsOf({ folder }) {
  if (!known.has(folder)) known.set(folder, findParts(folder));
  return known.get(folder);
}

function findParts(folder) {
  const ask = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
  const depth = Number(ask('rev-list', '--count', '--first-parent', 'HEAD')) - 1;
  const tags = ask('tag').split('\n');
  const releases = ['v2.30.0', 'v2.31.0'].every(tag => tags.includes(tag));
  const views = `HEAD~${Math.min(depth, 2000)}`;
  return {
    path: oftenChanged(ask, `HEAD~${depth >> 1}`),
    views,
    shows: `HEAD~${Math.min(depth, 5000)}`,
    range: releases ? 'v2.30.0..v2.31.0' : `HEAD~${Math.min(depth, 200)}..HEAD`,
  };
}

/** The file that most of the newest commits changed, of those that are as old as half of the history. */
function oftenChanged(ask, old) {
  const there = new Set(ask('ls-tree', '-r', '--name-only', old).split('\n'));
  const counts = new Map();
  for (const path of ask('log', '-n', '3000', '--name-only', '--format=', 'HEAD').split('\n'))
    if (there.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? [...there][0];
}

/** Five times git and the start of a process, as one line of a shell: what a reader may take. */
function fiveAndStart(words) {
  const start = vedit('--version').command.join(' ');
  return shell(`for n in 1 2 3 4 5; do git ${words} >/dev/null; done; ${start} >/dev/null`);
}

/** @type {import('../row.mjs').ScaleRow[]} */
export const rows = [
  {
    name: 'old-view',
    what: place => `view ${partsOf(place).path} --at ${partsOf(place).views}`,
    on: 'repository',
    sides: place => {
      const { path, views } = partsOf(place);
      return {
        vedit: vedit('view', path, '--at', views),
        git: git('show', `${views}:${path}`),
        '5 x git + start': fiveAndStart(`show ${views}:${path}`),
      };
    },
    targets: [{ against: '5 x git + start', times: 1 }],
  },
  {
    name: 'old-show',
    what: place => `show ${partsOf(place).shows}`,
    on: 'repository',
    sides: place => {
      const { shows } = partsOf(place);
      return {
        vedit: vedit('show', shows),
        git: git('show', shows),
        '5 x git + start': fiveAndStart(`show ${shows}`),
      };
    },
    targets: [{ against: '5 x git + start', times: 1 }],
  },
  {
    name: 'releases',
    what: place => `diff ${partsOf(place).range}`,
    on: 'repository',
    sides: place => ({
      vedit: vedit('diff', partsOf(place).range),
      git: git('diff', partsOf(place).range),
    }),
    targets: [{ against: 'git', times: 3 }],
  },
  {
    name: 'old-blame',
    what: place => `blame ${partsOf(place).path}`,
    on: 'repository',
    sides: place => ({ vedit: vedit('blame', partsOf(place).path), git: git('blame', partsOf(place).path) }),
    targets: [{ against: 'git', times: 2 }],
  },
  {
    name: 'rev-list',
    what: 'every commit in the history of HEAD',
    on: 'repository',
    sides: ({ folder }) => ({
      vedit: command(process.execPath, WALK, folder),
      git: git('rev-list', 'HEAD'),
    }),
    targets: [{ against: 'git', times: 2 }],
  },
];

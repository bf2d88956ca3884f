/**
 * One edit beside `git add` + `git commit` as an agent makes them: seconds apart. Before each edit and each git command the
 * machine idles for 10 ms, all of them in turns in one block; a block for each file system and size.
 */

import { join } from 'node:path';
import { allBuilds, OWN } from './builds.mjs';
import { engine, nativeGit } from './contenders.mjs';
import { sideBySide } from './measure.mjs';
import { withPlaces } from './places.mjs';
import { faster } from './report.mjs';
import { copyRepository, makeRepository } from './repository.mjs';

const GIT = 'git add + commit';
const IDLE = 10;
/** More take long to make, and are rows of `edits`. */
const MOST_FILES = 10_000;

/** How many times as fast as git, by number of files and file system. */
const TARGETS = {
  100: { tmpfs: 5, 'ext4 without a journal': 4.5, 'ext4 with a journal': 4 },
  10000: { tmpfs: 11, 'ext4 without a journal': 11, 'ext4 with a journal': 11 },
};

/** @param {import('./options.mjs').Options} options @returns {Promise<import('./report.mjs').Row[]>} */
export function measureFair(folder, options) {
  return withPlaces({ disk: folder, loop: options.loop }, async places => {
    const rows = [];
    for (const place of places)
      for (const files of options.files.filter(size => size <= MOST_FILES))
        rows.push(...(await block(place, files, options)));
    return rows;
  });
}

async function block({ kind, folder }, files, options) {
  console.error(`fair: ${kind}, ${files} files ...`);
  const builds = allBuilds(options);
  const native = makeRepository(join(folder, `fair-git-${files}`), files);
  const contenders = [];
  for (const [at, build] of builds.entries()) {
    const own = copyRepository(native, join(folder, `fair-${at}-${files}`));
    contenders.push(await engine(build.name, own, files, { build }));
  }
  contenders.push(nativeGit(GIT, native, files));
  const times = await sideBySide(contenders, { ...options, idle: IDLE });
  const row = ({ name }, against, target) =>
    faster(`${name}: edit, ${files} files, ${kind}`, times.get(name), against, times.get(against), target);
  const [, other] = builds;
  return [row(OWN, GIT, TARGETS[files]?.[kind]), ...(other ? [row(other, GIT), row(OWN, other.name)] : [])];
}

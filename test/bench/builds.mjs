/** The builds that are measured: this one, and another one in turns with it (--against). */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * @typedef {object} Build
 * @property {string} name  in rows: `vedit`, or `the other build`
 * @property {string} lib     where its library is imported from, as a program has it: a URL
 * @property {string} modules the same library, each module in its own file, where its functions are counted: a URL
 * @property {string} bin   its command line: a path
 */

/** @type {Build} */
export const OWN = buildIn(fileURLToPath(new URL('../..', import.meta.url)), 'vedit');

/** @param {string | undefined} given the folder of a checkout that was built, or its dist @returns {Build | null} */
export function otherBuild(given) {
  if (!given) return null;
  const folder = existsSync(join(given, 'dist')) ? given : join(given, '..');
  const build = buildIn(resolve(folder), 'the other build');
  if (!existsSync(fileURLToPath(build.lib)))
    throw new Error(`no build in ${given}: npm run build there makes one`);
  return build;
}

/** This build, and the other one where there is one. @returns {Build[]} */
export function allBuilds({ against }) {
  return against ? [OWN, against] : [OWN];
}

function buildIn(folder, name) {
  const of = entry => pathToFileURL(join(folder, 'dist', entry)).href;
  const [lib, modules] = [of('lib/index.js'), of('index.js')];
  return { name, lib, modules, bin: join(folder, 'bin/vedit.js') };
}

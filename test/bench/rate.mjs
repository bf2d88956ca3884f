/**
 * Edits a second of 1, 8 and 16 processes in one repository, as absolute numbers: the median of several rounds, in turns with
 * another build; how evenly they came, and how long one waited at most.
 */

import { join } from 'node:path';
import { allBuilds } from './builds.mjs';
import { median } from './measure.mjs';
import { withPlaces } from './places.mjs';
import { plainRow } from './report.mjs';
import { makeRepository } from './repository.mjs';
import { raceOf } from './writers.mjs';

const PROCESSES = [1, 8, 16];
const ROUNDS = 3;

/** @param {import('./options.mjs').Options} options @returns {Promise<import('./report.mjs').Row[]>} */
export function measureRate(folder, options) {
  return withPlaces({ disk: folder, loop: options.loop }, async places => {
    const rows = [];
    for (const place of places)
      for (const processes of PROCESSES) rows.push(...(await ratesOf(place, processes, options)));
    return rows;
  });
}

async function ratesOf({ kind, folder }, processes, options) {
  console.error(`rate: ${kind}, ${processes} processes ...`);
  const builds = allBuilds(options);
  const told = new Map(builds.map(({ name }) => [name, []]));
  for (let round = 0; round < (options.quick ? 1 : ROUNDS); round++)
    for (const at of round % 2 === 0 ? builds.keys() : [...builds.keys()].reverse()) {
      const build = builds[at];
      const repository = makeRepository(join(folder, `rate-${processes}-${round}-${at}`), 100);
      const folders = Array(processes).fill(repository);
      told.get(build.name).push(await raceOf(folders, options.quick ? 1_000 : 5_000, build));
    }
  return builds.flatMap(({ name }) => {
    const of = key => median(told.get(name).map(one => one[key]));
    const what = `${name}: ${processes} ${processes === 1 ? 'process' : 'processes'}, ${kind}`;
    const [, other] = builds;
    const beside = other && name !== other.name ? other.name : '';
    const rate = beside ? median(told.get(beside).map(one => one.rate)) : null;
    const compared = { against: beside, other: rate, ratio: rate && of('rate') / rate };
    return [
      plainRow({ what, value: of('rate'), unit: 'edits/s', ...compared }),
      ...(processes === 1 ? [] : spread(what, of)),
    ];
  });
}

function spread(what, of) {
  return [
    plainRow({
      what: `${what}: edits of the poorest`,
      against: 'of the richest',
      value: of('fewest'),
      other: of('most'),
      unit: 'edits',
      ratio: of('fewest') / of('most'),
      target: { at: 'least', value: 0.33 },
    }),
    plainRow({
      what: `${what}: longest edit`,
      against: 'at most',
      value: of('longest'),
      other: 1_000,
      unit: 'ms',
      ratio: of('longest') / 1_000,
      target: { at: 'most', value: 1 },
    }),
  ];
}

/** History at scale: each row beside git, in trails of 1,000 to 100,000 edits and in a real clone (npm run bench -- --scale). */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWN } from '../builds.mjs';
import { median } from '../measure.mjs';
import { copyRepository } from '../repository.mjs';
import { costOf } from './cost.mjs';
import { allRows } from './row.mjs';
import { makeTrail } from './trails.mjs';

/** A side that takes longer than this is run less often. */
const LONG = 5_000;

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<Result[]>} for each row and place; told on stderr as they come
 *
 * @typedef {{ what: string, place: string, side: string, cost: import('./row.mjs').Cost, against: Against[] }} Result
 * @typedef {{ side: string, cost: import('./row.mjs').Cost }} Against
 */
export async function measureScale(folder, options) {
  const rows = chosen(await allRows(), options);
  const results = [];
  for await (const { place, own } of places(folder, rows, options)) {
    for (const row of own) {
      console.error(`${row.name}: ${place.name} ...`);
      results.push(await measureRow(row, place, options).catch(error => failed(row, place, error)));
    }
  }
  return results;
}

function chosen(rows, { only }) {
  const names = rows.map(row => row.name);
  const strange = (only ?? []).filter(name => !names.includes(name));
  if (strange.length > 0) throw new Error(`no row ${strange.join(', ')}; the rows are ${names.join(', ')}`);
  return rows.filter(({ name }) => only?.includes(name) ?? true);
}

/** One after another, each with the rows that are measured there. */
async function* places(folder, rows, options) {
  const onTrail = rows.filter(row => row.on === 'trail');
  for (const edits of onTrail.length > 0 ? options.edits : []) {
    for (const state of options.states) {
      console.error(`a trail of ${edits} edits, ${state} ...`);
      yield { place: makeTrail(folder, edits, state, options), own: onTrail };
    }
  }
  const onRepository = rows.filter(row => row.on === 'repository');
  if (options.repository && onRepository.length > 0)
    yield { place: clone(folder, options), own: onRepository };
  for (const row of rows.filter(one => typeof one.on === 'function')) {
    const own = join(folder, row.name);
    mkdirSync(own);
    for (const place of await row.on(own, options)) yield { place, own: [row] };
  }
}

/** Rows may change it; objects are shared with the original by hard links. */
function clone(folder, { repository }) {
  const to = join(folder, 'clone');
  execFileSync('git', ['clone', '-q', repository, to]);
  return { name: 'clone', folder: to };
}

async function measureRow(row, place, options) {
  const sides = sidesOf(row, place, options);
  const costs = new Map(sides.map(([name]) => [name, []]));
  // The first time makes what is kept for the next: derived files, the cache of the disk.
  const slowest = Math.max(...(await all(sides)).map(({ cost }) => cost.wall));
  const runs = slowest > LONG ? Math.min(options.runs, 2) : options.runs;
  for (let run = 0; run < runs; run++)
    for (const { name, cost } of await all(sides)) costs.get(name).push(cost);
  const told = sides.map(([name]) => ({ side: name, cost: medians(costs.get(name)) }));
  const [{ side, cost }, ...against] = told;
  const what = typeof row.what === 'function' ? row.what(place) : row.what;
  const targets = row.targets.filter(target => target.on?.(place) ?? true);
  return {
    row: row.name,
    what,
    place: place.name,
    side,
    cost,
    against,
    targets: targets.map(one => verdict(one, told, place)),
  };
}

/**
 * The sides of a row, each with the folder that it runs in. What this build runs as a command, the other build runs too, in a
 * copy: what one of them keeps to be faster the next time, the other might not understand.
 */
function sidesOf(row, place, { against }) {
  const sides = Object.entries(row.sides(place)).map(([name, side]) => [name, side, place.folder]);
  if (!against || !place.commits) return sides;
  const folder = `${place.folder}-other`;
  if (!existsSync(folder)) copyRepository(place.folder, folder);
  const others = Object.entries(row.sides({ ...place, folder })).filter(
    ([, { command }]) => command?.[1] === OWN.bin,
  );
  const asOther = ([program, , ...args]) => [program, against.bin, ...args];
  return [
    ...sides,
    ...others.map(([name, side]) => {
      return [`${against.name}: ${name}`, { ...side, command: asOther(side.command) }, folder];
    }),
  ];
}

async function all(sides) {
  const costs = [];
  for (const [name, side, folder] of sides) costs.push({ name, cost: await costOf(side, folder) });
  return costs;
}

function medians(costs) {
  const of = key => (costs.some(cost => cost[key] === null) ? null : median(costs.map(cost => cost[key])));
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

/** Whether a target is met by the wall clock, and by processor time, which neighbours do not change. */
function verdict({ against, times, more, under, memory }, told, place) {
  const [{ cost }] = told;
  if (memory) {
    const most = memory(place);
    return { words: `at most ${most} MiB`, met: cost.peak <= most, metByCpu: cost.peak <= most };
  }
  const other = told.find(({ side }) => side === against)?.cost;
  if (against !== undefined && !other) throw new Error(`no side ${against} to hold a target against`);
  const most = clock =>
    under !== undefined ? under : times !== undefined ? other[clock] * times : other[clock] + more;
  const met = clock =>
    cost[clock] === null || (other && other[clock] === null) ? null : cost[clock] <= most(clock);
  const words =
    under !== undefined
      ? `at most ${under} ms`
      : times !== undefined
        ? `${times} x ${against}`
        : `${against} + ${more} ms`;
  return { words, met: met('wall'), metByCpu: met('cpu') };
}

function failed(row, place, error) {
  const cost = { wall: Number.NaN, cpu: null, peak: null };
  const what = typeof row.what === 'function' ? row.what(place) : row.what;
  console.error(`${row.name}: ${error.message}`);
  return {
    row: row.name,
    what,
    place: place.name,
    side: 'failed',
    cost,
    against: [],
    targets: [],
    failed: error.message,
  };
}

/** @param {Result[]} results */
export function scaleTable(results) {
  const lines = [
    [
      'what',
      'where',
      'wall',
      'cpu',
      'MiB',
      'against',
      'wall',
      'cpu',
      'MiB',
      'ratio',
      'by cpu',
      'target',
      'met',
      'by cpu',
    ],
    [
      '---',
      '---',
      '---:',
      '---:',
      '---:',
      '---',
      '---:',
      '---:',
      '---:',
      '---:',
      '---:',
      '---',
      '---',
      '---',
    ],
  ];
  for (const { what, place, cost, against, targets, failed } of results) {
    if (failed) lines.push([what, place, 'FAILED', ...Array(11).fill('')]);
    const count = failed ? 0 : Math.max(against.length, targets.length, 1);
    for (let at = 0; at < count; at++)
      lines.push([
        ...(at === 0 ? [what, place, ...figures(cost)] : ['', '', '', '', '']),
        ...otherCells(cost, against[at]),
        ...targetCells(targets[at]),
      ]);
  }
  return lines;
}

function otherCells(cost, other) {
  if (!other) return ['', '', '', '', '', ''];
  const ratio = clock =>
    cost[clock] === null || other.cost[clock] === null ? '' : (cost[clock] / other.cost[clock]).toFixed(2);
  return [other.side, ...figures(other.cost), ratio('wall'), ratio('cpu')];
}

function figures({ wall, cpu, peak }) {
  return [ms(wall), ms(cpu), peak === null ? '' : peak.toFixed(0)];
}

function ms(value) {
  return value === null ? '' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function targetCells(target) {
  if (!target) return ['', '', ''];
  return [target.words, word(target.met), word(target.metByCpu)];
}

function word(met) {
  return met === null ? '' : met ? 'met' : 'MISSED';
}

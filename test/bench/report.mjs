/** The figures as rows, held against what design wants, printed as a table and written as JSON. */

import { writeFileSync } from 'node:fs';
import { machineWords } from './machine.mjs';
import { median, quantile } from './measure.mjs';
import { scaleTable } from './scale/scale.mjs';

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} against
 * @property {number} value of the first, in `unit`
 * @property {number | null} other of the second
 * @property {string} unit
 * @property {number | null} ratio how many times the second is the first, or the first the second: as `target` counts
 * @property {{ at: 'least' | 'most', value: number } | null} target
 * @property {boolean | null} met
 * @property {number[] | null} [quartiles] of the first
 */

/** The second time over the first: how much faster the first is. */
export function faster(what, times, against, others, atLeast) {
  const ratio = median(others) / median(times);
  return row({
    what,
    against,
    times,
    others,
    ratio,
    target: atLeast ? { at: 'least', value: atLeast } : null,
  });
}

/** The first time over the second: how much slower the first is. */
export function slower(what, times, against, others, atMost) {
  const ratio = median(times) / median(others);
  return row({ what, against, times, others, ratio, target: atMost ? { at: 'most', value: atMost } : null });
}

function row({ what, against, times, others, ratio, target }) {
  return {
    what,
    against,
    value: median(times),
    other: median(others),
    unit: 'ms',
    ratio,
    target,
    met: metBy(ratio, target),
    runs: [times.length, others.length],
    quartiles: [quantile(times, 0.25), quantile(times, 0.75)],
    other_quartiles: [quantile(others, 0.25), quantile(others, 0.75)],
  };
}

/** A figure that is no time; `other` and `ratio` are null where it stands alone. */
export function plainRow({ what, against, value, other, unit, ratio, target = null }) {
  return { what, against, value, other, unit, ratio, target, met: metBy(ratio, target) };
}

function metBy(ratio, target) {
  if (!target) return null;
  return target.at === 'least' ? ratio >= target.value : ratio <= target.value;
}

/** @param {Row[]} rows */
export function print(facts, rows) {
  console.log(`\n${machineWords(facts)}\n`);
  printTable([
    ['what', 'median', 'against', 'median', 'ratio', 'target', ''],
    ['---', '---:', '---', '---:', '---:', '---', '---'],
    ...rows.map(cells),
  ]);
  const missed = rows.filter(one => one.met === false);
  const held = rows.filter(one => one.met !== null);
  console.log(`\n${held.length - missed.length} of ${held.length} targets met.`);
}

/** @param {import('./scale/scale.mjs').Result[]} results */
export function printScale(facts, results) {
  console.log(`\n${machineWords(facts)}\n`);
  printTable(scaleTable(results));
  const targets = results.flatMap(one => one.targets);
  const [met, byCpu] = ['met', 'metByCpu'].map(key => targets.filter(one => one[key]).length);
  console.log(`\n${met} of ${targets.length} targets met; ${byCpu} by processor time.`);
}

/** @param {string[][]} table the head and the line below it first */
function printTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map(line => line[column].length)));
  for (const line of table)
    console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
}

function cells({ what, value, against, other, ratio, unit, target, met }) {
  const wanted = target ? `at ${target.at} ${target.value}` : '';
  const times = ratio === null ? '' : ratio.toFixed(2);
  return [what, words(value, unit), against, words(other, unit), times, wanted, verdict(met)];
}

function words(value, unit) {
  if (value === null) return '';
  return `${value.toFixed(value < 100 ? 2 : 0)} ${unit}`;
}

function verdict(met) {
  if (met === null) return '';
  return met ? 'met' : 'MISSED';
}

/** @param {Row[]} rows */
export function write(path, facts, options, rows) {
  const { files, runs, quick } = options;
  writeFileSync(path, `${JSON.stringify({ machine: facts, files, runs, quick, rows }, null, 2)}\n`);
  console.log(`Written: ${path}`);
}

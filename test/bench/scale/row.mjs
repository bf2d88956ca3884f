/**
 * What a row of `npm run bench -- --scale` is. Each file of `rows/` exports `rows`, a list of them, and is found by being
 * there: a new idea is a new file, and nothing else is touched.
 *
 *     export const rows = [
 *       {
 *         name: 'log-path',                       // for --only
 *         what: 'log <path>',                     // as printed
 *         on: 'trail',                            // 'trail', 'repository', or a function that makes places of its own
 *         sides: place => ({                      // who is measured, by name; the first one is whom the targets are about
 *           vedit: vedit('log', place.path),
 *           git: git('log', 'vedit/main', '--', place.path),
 *         }),
 *         targets: [{ against: 'git', times: 2 }],
 *       },
 *     ];
 *
 * - `on: 'trail'`: the row is printed for each size of `--edits` and each of `--state` (loose, packed), in a repository of
 *   1,000 files whose trail has so many edits (trails.mjs).
 * - `on: 'repository'`: for the clone of `--repository`; left out without it.
 * - `on: async (folder, options) => [place, ...]`: the row makes what it needs in an empty folder of its own, once.
 *   A place is at least `{ name, folder }`, and whatever else its `sides` ask for; `options.quick` wants small ones.
 * - `last: true`: it changes its repository (edits, commits), so rows that only read come before it.
 *
 * A side is what `vedit`, `git` or `command` answer: a process that is run from its start to its end. `before` is done first
 * each time, untimed; `exits` are the codes that it may end with where 0 is not the only one. In place of `command` a side may have `measure`, which does the work however it likes and answers
 * `{ wall, cpu, peak }`: milliseconds, milliseconds of processor time, MiB (`cpu` and `peak` may be null).
 *
 * @typedef {object} Place
 * @property {string} name      as printed: '10000 edits, packed'
 * @property {string} folder    the work tree, in which commands run
 *
 * @typedef {Place & Trail} TrailPlace
 * @typedef {object} Trail
 * @property {number} edits
 * @property {'loose' | 'packed'} state
 * @property {string} path      a file with edits from the oldest to the newest part of the trail
 * @property {string} session   one of 50 sessions, which made every 50th edit
 * @property {string[]} commits ids of the trail's commits when it was made, the oldest first
 *
 * @typedef {object} Side
 * @property {string[]} [command]
 * @property {() => unknown} [before]
 * @property {number[]} [exits]
 * @property {() => Promise<Cost>} [measure]
 *
 * @typedef {{ wall: number, cpu: number | null, peak: number | null }} Cost
 *
 * A target holds for the medians of wall clock, and is printed for processor time too where the machine is shared:
 * - `{ against: 'git', times: 2 }`    at most twice the other side
 * - `{ against: 'plain', more: 100 }` at most 100 ms more than the other side
 * - `{ memory: place => 100 }`         at most 100 MiB at its peak
 * - `{ under: 2000, on?: place => boolean }`  at most 2,000 ms; `on` picks the places that it holds for
 *
 * @typedef {object} ScaleRow
 * @property {string} name
 * @property {string | ((place: Place) => string)} what
 * @property {'trail' | 'repository' | ((folder: string, options: object) => Promise<Place[]>)} on
 * @property {(place: any) => Record<string, Side>} sides
 * @property {ReadonlyArray<{ against?: string, times?: number, more?: number, under?: number, memory?: (place: any) => number, on?: (place: any) => boolean }>} targets
 * @property {boolean} [last]
 */

import { readdirSync } from 'node:fs';
import { OWN } from '../builds.mjs';

/** The command line of this build. @returns {Side} */
export function vedit(...args) {
  return { command: [process.execPath, OWN.bin, ...args] };
}

/** @returns {Side} */
export function git(...args) {
  return { command: ['git', ...args] };
}

/** Any program. @returns {Side} */
export function command(...words) {
  return { command: words };
}

/** Several commands, one after another, as one process. @returns {Side} */
export function shell(line) {
  return { command: ['bash', '-c', line] };
}

/** The rows of all files of `rows/`, those that change their repository last. @returns {Promise<ScaleRow[]>} */
export async function allRows() {
  const folder = new URL('./rows/', import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith('.mjs'));
  const lists = await Promise.all(files.sort().map(name => import(new URL(name, folder))));
  const rows = lists.flatMap(list => list.rows);
  return [...rows.filter(row => !row.last), ...rows.filter(row => row.last)];
}

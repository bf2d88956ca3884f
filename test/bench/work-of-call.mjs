/**
 * A child process that makes one call again and again and prints, as JSON, what one of them takes: functions by V8's precise
 * coverage (of the engine, of its files, and with node's own and the packages), promises, and bytes of garbage.
 *
 *     node --expose-gc --min-semi-space-size=64 work-of-call.mjs <library> <call> <folder> [--marked]
 *
 * With `--marked` it only makes the calls, between marks, for a trace of its system calls.
 */

import { createHook } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { Session } from 'node:inspector';
import { callOf } from './calls.mjs';
import { median } from './measure.mjs';
import { MARKS } from './system-calls.mjs';

const [, , lib, name, folder, marked] = process.argv;
const RUNS = 9;
const WARM_UP = 20;

const { before, call, close } = await callOf(lib, name, folder);
const own = lib.slice(0, lib.lastIndexOf('/'));

/** Medians of what `measure` finds about one call. */
async function measured(measure) {
  const found = [];
  for (let run = 0; run < RUNS; run++) {
    await before();
    found.push(await measure());
  }
  const keys = Object.keys(found[0]);
  return Object.fromEntries(keys.map(key => [key, median(found.map(one => one[key]))]));
}

for (let run = 0; run < WARM_UP; run++) {
  await before();
  await call();
}

if (marked) {
  await measured(async () => {
    existsSync(MARKS.begin);
    await call();
    existsSync(MARKS.end);
    return {};
  });
  await close();
  process.exit();
}

const garbage = await measured(async () => {
  // A full collection would let V8's code go too, which is compiled anew then.
  globalThis.gc({ type: 'minor' });
  const start = process.memoryUsage();
  await call();
  const end = process.memoryUsage();
  return { garbage: end.heapUsed - start.heapUsed };
});

let promises = 0;
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') promises++;
  },
});
const counted = await measured(async () => {
  promises = 0;
  hook.enable();
  await call();
  hook.disable();
  return { promises };
});

const inspector = new Session();
inspector.connect();
const post = (method, options) =>
  new Promise((resolve, reject) =>
    inspector.post(method, options, (error, result) => (error ? reject(error) : resolve(result))),
  );
await post('Profiler.enable');
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const covered = await measured(async () => {
  await post('Profiler.takePreciseCoverage');
  await call();
  const { result } = await post('Profiler.takePreciseCoverage');
  return functionsIn(result);
});

function functionsIn(scripts) {
  const of = list => list.flatMap(one => one.functions.filter(({ ranges }) => ranges[0].count > 0));
  const here = new URL('.', import.meta.url).href;
  const engine = scripts.filter(({ url }) => url.startsWith(own) && !url.includes('/node_modules/'));
  return {
    functions: of(engine).length,
    files: engine.filter(one => of([one]).length > 0).length,
    calls: of(engine).reduce((sum, { ranges }) => sum + ranges[0].count, 0),
    all: of(scripts.filter(({ url }) => !url.startsWith(here))).length,
  };
}

await close();
console.log(JSON.stringify({ ...garbage, ...counted, ...covered }));

/**
 * Do the tests catch what is wrong? A seeded sample of mutants of what writes, recovers and locks, each tried with the
 * tests that prove it. Prints what became of each, then the share that was killed; ends with 1 when that is less than 92 %.
 * Mutants that the type check refuses count as none.
 *
 * SEED takes another sample, ONE_IN a larger or smaller one, AREA only one of the areas.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { AREAS } from './areas.mjs';

const WANTED = 92;

process.chdir(join(import.meta.dirname, '../..'));
process.env.SEED ??= '1';
process.env.ONE_IN ??= '45';
const areas = process.env.AREA ? [process.env.AREA] : Object.keys(AREAS);

const tally = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, RuntimeError: 0 };
for (const area of areas) {
  const gone = AREAS[area].tests.filter(path => !existsSync(path));
  if (gone.length > 0) throw new Error(`areas.mjs names tests that are not there: ${gone.join(', ')}`);
  // Read by what Stryker starts.
  process.env.TESTS = AREAS[area].tests.join(',');
  for (const { status } of await tried(area)) if (status in tally) tally[status]++;
}

const all = Object.values(tally).reduce((sum, count) => sum + count, 0);
const share = ((tally.Killed + tally.Timeout) / all) * 100;
console.log(`\nseed ${process.env.SEED}, one in ${process.env.ONE_IN}: ${all} mutants`, tally);
console.log(`killed: ${share.toFixed(1)} %`);
process.exitCode = share >= WANTED ? 0 : 1;

function tried(area) {
  return new Stryker({
    mutate: AREAS[area].mutate,
    plugins: ['@stryker-mutator/vitest-runner', './test/mutants/plugins.mjs'],
    checkers: ['sample'],
    reporters: ['lines'],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    concurrency: 1,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    disableTypeChecks: false,
    // A second one would be in the way of Biome.
    ignorePatterns: ['biome.json'],
    // Stryker reads it through an interface that this TypeScript has no more. Nothing in it leads out of the sandbox.
    tsconfigFile: 'none',
  }).runMutationTest();
}

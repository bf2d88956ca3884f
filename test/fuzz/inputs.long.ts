/** Paths, texts, JSON and lines of apply that chance makes, many of each. */

import { it } from 'vitest';
import { fuzzApply, fuzzTools } from './json.ts';
import { fuzzPaths } from './paths.ts';
import { report } from './report.ts';
import { SEED } from './tally.ts';
import { fuzzTexts } from './texts.ts';

it('paths', async () => report(await fuzzPaths(500, SEED)));
it('texts', async () => report(await fuzzTexts(2_000, SEED)));
it('tool inputs', async () => report(await fuzzTools(50_000, SEED)));
it('lines of apply', async () => report(await fuzzApply(2_000, SEED)));

/** Paths, texts, JSON and lines of apply that chance makes, many of each. */

import { it } from 'vitest';
import { fuzzApply, fuzzTools } from './json.ts';
import { fuzzPaths } from './paths.ts';
import { SEED } from './tally.ts';
import { fuzzTexts } from './texts.ts';
import { told } from './told.ts';

it('paths', async () => told(await fuzzPaths(500, SEED)));
it('texts', async () => told(await fuzzTexts(2_000, SEED)));
it('tool inputs', async () => told(await fuzzTools(50_000, SEED)));
it('lines of apply', async () => told(await fuzzApply(2_000, SEED)));

/** Ten seconds of a folder that is swapped for a link out of the workspace. */

import { it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { swapRace } from './swap.ts';
import { told } from './told.ts';

it.runIf(nodeFs().descriptorPaths)('folder swapped for a link', async () => told(await swapRace(10_000)));

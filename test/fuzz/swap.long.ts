/** Ten seconds of a folder that is swapped for a link out of the workspace. */

import { it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { report } from './report.ts';
import { swapRace } from './swap.ts';

it.runIf(nodeFs().descriptorPaths)('folder swapped for a link', async () => report(await swapRace(10_000)));

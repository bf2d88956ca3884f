import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { swapRace } from '../fuzz/swap.ts';

it.runIf(nodeFs().descriptorPaths)(
  'a folder that is swapped for a link lets nothing out and nothing in',
  async () => {
    expect((await swapRace(1500)).lost).toEqual([]);
  },
);

/** Processes that open a repository on disk with a file system of their own making over it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  differing,
  gitFaults,
  lostEdits,
  residue,
  startRepository,
  trailOf,
} from '../helpers/shared-repository.ts';
import { HOST, work } from './sandboxed-processes.ts';

it.each(['module', 'proxy'])('two processes with node’s own fs lose nothing (%s)', async kind => {
  const repo = startRepository(false);
  const all = await Promise.all(
    ['one', 'two'].map(name => work(HOST, repo, { name, count: 25, options: { fs: kind } as object })),
  );
  const acks = all.flatMap(one => one.acks);
  expect(all.flatMap(one => one.refused)).toEqual([]);
  expect(acks).toHaveLength(50);
  const trail = trailOf(false);
  expect([
    ...lostEdits(repo, trail, acks),
    ...gitFaults(repo),
    ...differing(repo, trail),
    ...residue(repo),
  ]).toEqual([]);
  rmSync(join(repo.dir), { recursive: true, force: true });
});

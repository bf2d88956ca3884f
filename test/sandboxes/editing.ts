/** Agents in different sandboxes edit one repository: nothing is lost, and everybody gets turns. */

import { rmSync } from 'node:fs';
import type { Sandbox } from '../helpers/real-git.ts';
import {
  differing,
  gitFaults,
  lostEdits,
  residue,
  startRepository,
  trailOf,
  unclean,
} from '../helpers/shared-repository.ts';
import { type Walls, work } from './sandboxed-processes.ts';

/** What went wrong; each of `walls` surrounds an agent that makes so many edits, most of them of the same file. */
export async function editTogether(
  own: boolean,
  walls: readonly Walls[],
  count: number,
  inside: (repo: Sandbox, walls: Walls) => Sandbox = repo => repo,
): Promise<string[]> {
  const repo = startRepository(own);
  const options = { patience: { engine: 120_000 } };
  const all = await Promise.all(
    walls.map((one, n) => work(one, inside(repo, one), { name: `agent${n}`, count, options })),
  );
  const acks = all.flatMap(one => one.acks);
  const faults = [
    ...all.flatMap(one => one.refused),
    ...all.filter(one => one.code !== 0).map(one => `an agent ended with ${one.code}`),
    ...(acks.length === count * walls.length ? [] : [`${acks.length} edits were acknowledged`]),
    ...lostEdits(repo, trailOf(own), acks),
    ...gitFaults(repo),
    ...differing(repo, trailOf(own)),
    ...residue(repo),
    ...unclean(repo, own),
  ];
  rmSync(repo.dir, { recursive: true, force: true });
  return faults;
}

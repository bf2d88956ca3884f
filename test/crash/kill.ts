/** kill -9 of the real process at random moments, on a real disk. */

import { rmSync } from 'node:fs';
import { openWorkspace } from '../../src/index.ts';
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
import { note, type Tally } from '../helpers/tally.ts';
import { type Ack, startAgent, startCommand } from '../race/agents.ts';

/** Milliseconds that a process lives at most after what is waited for; an edit takes a few. */
const LONGEST = 60;
/** More than any of them comes to. */
const EDITS = 2_000;

/**
 * `rounds` processes, every fourth of them the command line, are killed one after another in one repository. After
 * every other one it is this process that repairs, else the next victim does, and may be killed while it does.
 */
export async function tryKills(own: boolean, rounds: number, tally: Tally): Promise<void> {
  const repo = startRepository(own);
  const acks: Ack[] = [];
  for (let round = 0; round < rounds; round++) {
    acks.push(...(await killed(repo, round)));
    const last = round === rounds - 1;
    const broken = round % 10 === 9 || last ? gitFaults(repo) : [];
    if (round % 2 === 1 || last) broken.push(...(await repaired(repo, own, round)));
    if (last) broken.push(...gitFaults(repo), ...lostEdits(repo, trailOf(own), acks));
    tally.points++;
    tally.states++;
    note(tally, `round ${round} ${own ? 'on' : 'beside'} the branch`, broken);
  }
  tally.acknowledged = (tally.acknowledged ?? 0) + acks.length;
  rmSync(repo.dir, { recursive: true });
}

async function killed(repo: Sandbox, round: number): Promise<Ack[]> {
  const start = round % 4 === 3 ? startCommand : startAgent;
  const agent = start(repo, { name: `r${round}`, count: EDITS });
  await (round % 3 === 0 ? agent.begun : agent.edited);
  await new Promise(resolve => setTimeout(resolve, Math.random() * LONGEST));
  agent.process.kill('SIGKILL');
  await agent.done;
  return agent.acks;
}

/** The next process repairs and goes on. */
async function repaired(repo: Sandbox, own: boolean, round: number): Promise<string[]> {
  const workspace = await openWorkspace({ root: repo.dir });
  try {
    const edit = { path: 'after.txt', file_text: `${round}\n`, overwrite: true };
    const { warnings = [] } = (await workspace.session({ id: 'after' }).edit('create', edit)).data;
    await workspace.close();
    const left = [...differing(repo, trailOf(own)), ...residue(repo), ...unclean(repo, own)];
    return [...warnings.map(text => `I8 the next edit warned: ${text}`), ...left];
  } catch (error) {
    return [`I8 the next edit failed: ${String((error as Error).message)}`];
  } finally {
    await workspace.close();
  }
}

/** `vedit land` killed at any moment, by any signal: the commit is there as planned, or it is not there. */

import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { BIN, bin, cleanEnv } from '../helpers/vedit.ts';
import { expectSound, type Killed, readyToLand, unstaged, writeHook } from './killed-landing.ts';

const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const;

/** Longer than a landing takes, so that some come to their end. */
const LONGEST = 800;

it.each(Array.from({ length: 20 }, (_, round) => round))('round %i', async () => {
  for (const signal of SIGNALS) {
    const killed = await readyToLand();
    writeHook(killed.repo, 'pre-commit', 'sleep 0.1');
    await landAndKillAfter(killed, Math.random() * LONGEST, signal);
    expect(await bin(killed.repo, ['replace', 'b.txt', 'b', 'B'])).toMatchObject({ code: 0 });
    const landed = killed.repo.git('rev-parse', 'HEAD') !== killed.before;
    expectSound(killed, landed);
    expect(unstaged(killed.repo)).toEqual(landed ? ['b.txt'] : ['a.txt', 'b.txt']);
  }
});

async function landAndKillAfter({ repo }: Killed, after: number, signal: NodeJS.Signals): Promise<void> {
  const args = [BIN, 'land', '-m', 'landed'];
  const child = spawn(process.execPath, args, { cwd: repo.dir, env: cleanEnv(repo), stdio: 'ignore' });
  const timer = setTimeout(() => child.kill(signal), after);
  await new Promise(resolve => child.once('exit', resolve));
  clearTimeout(timer);
}

/** Each command of git alone in a loop beside the engine's packing, and all of them together. */

import { expect, it } from 'vitest';
import { besideGit, COMMANDS } from './beside-git.ts';

it.each([...COMMANDS.map(command => [command]), COMMANDS])('beside %j', async (...commands) => {
  const { ran, failed } = await besideGit(60, commands as never, 7);
  console.log(`${ran} commands of git, ${failed.length} commands that failed`);
  for (const words of new Set(failed)) console.log(words);
  expect(ran).toBeGreaterThan(0);
});

import { expect, it } from 'vitest';
import { besideGit, COMMANDS } from './beside-git.ts';

it('nothing is lost while git repacks, collects and indexes in a loop', async () => {
  const { ran } = await besideGit(12, COMMANDS, 1);
  expect(ran).toBeGreaterThan(COMMANDS.length - 1);
});

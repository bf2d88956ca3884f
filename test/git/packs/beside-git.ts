/** Edits that are packed away, while commands of git run in a loop beside them. */

import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { PackInput } from '../../../src/git/objects/object.ts';
import { History, SMALL } from './history.ts';
import { expectSound, missingIn, packAway, packRepository, storeOf, writeLoose } from './pack-store.ts';

export const COMMANDS: readonly (readonly string[])[] = [
  ['gc', '-q'],
  ['gc', '-q', '--prune=now'],
  ['repack', '-adq'],
  ['repack', '-dlq'],
  ['multi-pack-index', 'write'],
  ['pack-refs', '--all'],
  ['prune-packed', '-q'],
];

export interface Beside {
  /** Commands of git that came to their end, and those that failed. */
  ran: number;
  failed: string[];
}

/** So many batches of a few edits each; two processes pack the same ones away. */
export async function besideGit(
  batches: number,
  commands: readonly (readonly string[])[],
  seed: number,
): Promise<Beside> {
  const { box, store } = packRepository();
  const history = new History({ ...SMALL, folders: 1, files: 4, edited: 2, seed });
  const objects: PackInput[] = [...history.first];
  await writeLoose(box, objects);
  await packAway(store, objects);
  const done: Beside = { ran: 0, failed: [] };
  // Beside each other, git's own gc and multi-pack-index make git abort while it writes this graph, and leave its lock.
  writeFileSync(box.path('.git/config'), '[gc]\n\tauto = 0\n\twriteCommitGraph = false\n', { flag: 'a' });
  let over = false;
  const loops = commands.map(async args => {
    while (!over) {
      const said = await run(box.dir, args);
      done.ran++;
      if (said !== null) done.failed.push(`${args.join(' ')}: ${said}`);
    }
  });
  try {
    for (let n = 0; n < batches; n++) {
      const batch = history.take(3);
      await writeLoose(box, batch);
      // A gc that began before the ref moved may have removed some: the engine looks for them, too.
      await writeLoose(box, batch);
      objects.push(...batch);
      await Promise.all([packAway(store, batch), packAway(storeOf(box.dir), batch)]);
      if (n % 10 === 0) expect(await missingIn(box.dir, objects)).toEqual([]);
    }
  } finally {
    over = true;
    await Promise.all(loops);
  }
  expect(await missingIn(box.dir, objects)).toEqual([]);
  // Git's last multi-pack-index may name a pack that a repack beside it removed.
  rmSync(box.path('.git/objects/pack/multi-pack-index'), { force: true });
  expectSound(box.dir, history.edits + 1);
  box.git('gc', '-q', '--prune=now');
  expectSound(box.dir, history.edits + 1);
  return done;
}

/** What git said where it failed, else `null`. */
function run(cwd: string, args: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return new Promise(done => {
    execFile('git', [...args], { cwd, env }, (error, _, stderr) => done(error ? stderr.trim() : null));
  });
}

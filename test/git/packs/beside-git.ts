/** Edits that are packed away and packs that are joined, while commands of git run in a loop beside them. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { PackInput } from '../../../src/git/packs/build-pack.ts';
import { joinPacks } from '../../../src/git/packs/join/join-packs.ts';
import { packAway } from '../../../src/git/packs/pack-away.ts';
import { History, SMALL } from './history.ts';
import { expectSound, missingIn, packRepository, storeOf, writeLoose } from './pack-store.ts';

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
  joins: number;
}

/** So many batches of a few edits each; two processes pack the same ones away, and each joins. */
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
  const done: Beside = { ran: 0, failed: [], joins: 0 };
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
      const joined = await Promise.all([
        joinPacks({ ...store, all: n % 3 === 0 }),
        joinPacks({ ...storeOf(box.dir), all: n % 3 === 1 }),
      ]);
      done.joins += joined.filter(({ into }) => into !== null).length;
      expect(joined.map(({ damaged }) => damaged)).toEqual([null, null]);
      if (n % 10 === 0) expect(await missingIn(box.dir, objects)).toEqual([]);
    }
  } finally {
    over = true;
    await Promise.all(loops);
  }
  expect(await missingIn(box.dir, objects)).toEqual([]);
  await joinPacks(store);
  // Git's last multi-pack-index may name a pack that has gone: joining dropped it.
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

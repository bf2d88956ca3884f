/** When the writer of a process gives the lock to another one, and what it leaves when it may not repair yet. */

import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Processes } from '../../../src/fs/lock/processes.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { killedAt } from '../../crash/person.ts';
import { anotherProcess } from '../../helpers/locks.ts';
import { overriding } from '../../helpers/overriding.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';

const create = (workspace: Workspace, path: string): Promise<unknown> =>
  workspace.session().edit('create', { path, file_text: `${path}\n` });

/** As another process of this machine has it, each of whose renames takes this many milliseconds longer. */
function openSlow(
  repo: Place,
  slower: number,
  options: Partial<WorkspaceOptions> = {},
  processes: Partial<Processes> = {},
): Promise<Workspace> {
  const real = nodeFs();
  const fs = overriding(real, {
    rename: async (from, to) => {
      await new Promise(resolve => setTimeout(resolve, slower));
      await real.rename(from, to);
    },
  });
  const platform = { fs, codec: nativeCodec, processes: anotherProcess(processes) };
  return openOn(platform, { root: repo.dir, ...options });
}

it('a queue of few but slow edits does not keep the lock from another process to its end', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [slow, other] = [await openSlow(repo, 25), await openSlow(repo, 0)];
  const edits = Array.from({ length: 8 }, (_, n) => create(slow, `slow-${n}.txt`));
  await edits[0];
  await Promise.all([...edits, create(other, 'other.txt')]);
  await slow.close();
  await other.close();
  const subjects = repo.git('log', '--reverse', '--format=%s', 'main..vedit/main').split('\n');
  expect(subjects).toHaveLength(9);
  expect(subjects.slice(1, -1)).toContain('create other.txt (+1 -0)');
});

it('what a killed process left is finished by the next of all, when who took its lock over may not finish it', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'c.txt': 'c\n' });
  repo.git('config', 'vedit.trail', 'HEAD');
  const patience = { git: 100 };
  const open = (): Promise<Workspace> => openSlow(repo, 0, { patience });
  const [lasting, brief] = [await open(), await open()];
  await create(lasting, 'one.txt');
  killedAt(repo, 'after-ref');
  // That of the killed one is a link of the other locks.
  rmSync(repo.path('.git/index.lock'));
  writeFileSync(repo.path('.git/index.lock'), '');
  expect(await codeOf(create(brief, 'two.txt'))).toBe('LOCKED');
  rmSync(repo.path('.git/index.lock'));
  await create(lasting, 'three.txt');
  expect([repo.read('a.txt'), repo.git('status', '--short')]).toEqual(['one\nTWO\n', '']);
  await brief.close();
  await lasting.close();
});

/** Two processes that do not know each other's start of the machine: another one's, or none that can be read. */

import { readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { Workspace } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { anotherProcess } from '../../helpers/locks.ts';
import { overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

/** `boot`: `null` where it cannot be read. */
function openAt(repo: Place, boot: string | null): Promise<Workspace> {
  const self = { ...nodeProcesses().self, boot };
  const platform = {
    fs: overriding(nodeFs(), {}),
    codec: nativeCodec,
    processes: anotherProcess({ self }),
  };
  return openOn(platform, { root: repo.dir });
}

const create = (workspace: Workspace, path: string): Promise<unknown> =>
  workspace.session().edit('create', { path, file_text: `${path}\n` });

it.each([
  ['of two machines', 'one', 'two'],
  ['that cannot be read', null, null],
])(
  'what a person deletes between the edits of two living processes, with boot ids %s, stays deleted',
  async (...[, first, second]) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const one = await openAt(repo, first);
    await create(one, 'one.txt');
    rmSync(repo.path('one.txt'));
    const two = await openAt(repo, second);
    await create(two, 'two.txt');
    await create(one, 'three.txt');
    await one.close();
    await two.close();
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt', 'three.txt', 'two.txt']);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  },
);

it('of one that has ended nobody can say that it did not lose power: the file is made again, and the answer says so', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  rmSync(repo.path('one.txt'));
  const workspace = await openAs(repo, { boot: 'another' });
  const { data } = await workspace.session().edit('create', { path: 'two.txt', file_text: 'two\n' });
  await workspace.close();
  expect(repo.read('one.txt')).toBe('one.txt\n');
  expect(data.warnings).toEqual([expect.stringMatching(/^one\.txt was missing and is made again/)]);
});

/** What is kept of edits is what was judged from the texts that its key names, whatever changes meanwhile. */

import { rmSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { git } from '../../helpers/landing.ts';
import { overriding } from '../../helpers/overriding.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { openAs } from '../transaction/ended-process.ts';

it('of a link that is set elsewhere between the key and the judging', async () => {
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`f${n}.txt`, 'one\n']));
  const repo = personRepo(files);
  const link = (target: string): void => {
    rmSync(repo.path('link'), { force: true });
    symlinkSync(target, repo.path('link'));
  };
  link('f1.txt');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'a link');
  const session = await repo.session();
  for (const path of Object.keys(files))
    await session.edit('str_replace', { path, old_str: 'one', new_str: 'two' });
  await session.during(async () => link('f2.txt'), { git });
  const real = nodeFs();
  let looks = 0;
  const first = async (path: string): Promise<string> => {
    if (path.endsWith('/link') && looks++ === 0) return 'f3.txt';
    return real.readlink(path);
  };
  const open = async (fs = real): Promise<number> => {
    const workspace = await openAs(repo, { fs });
    const { left } = (await workspace.session().status()).data;
    await workspace.close();
    return left;
  };
  await open(overriding(real, { readlink: first }));
  expect(looks).toBeGreaterThan(0);
  link('f3.txt');
  expect(await open()).toBe(70);
});

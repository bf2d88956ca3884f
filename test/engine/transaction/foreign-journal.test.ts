import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { killedAt } from '../../crash/person.ts';
import { overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

/** The disk as a user sees it to whom the journal files that are there now do not belong. */
const journals = (repo: Place): string[] =>
  readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal'));

function asOther(foreign: string): Fs {
  const disk = nodeFs();
  return overriding(disk, {
    open: async (path, how, mode) => {
      if (how === 'journal' && path.endsWith(foreign))
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      return disk.open(path, how, mode);
    },
  });
}

it.each(['recorded', 'after-ref', 'acknowledged'] as const)(
  'a journal of another user, killed at %s, is read, and a new file begun',
  async point => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    killedAt(repo, point);
    const [foreign] = journals(repo);
    const fs = asOther(foreign!);
    const workspace = await openOn({ ...nodePlatform(), fs }, { root: repo.dir });
    await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
    expect(journals(repo).at(-1)).not.toBe(foreign);
    await workspace.close();
    expect(journals(repo)).toEqual([]);
    expect(repo.read('a.txt')).toBe(point === 'recorded' ? 'one\ntwo\n' : 'one\nTWO\n');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  },
);

it('one that a living process of another user left whole is gone on from in a new file', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const first = await repo.open();
  await first.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  const fs = asOther(journals(repo)[0]!);
  const workspace = await openOn({ ...nodePlatform(), fs }, { root: repo.dir });
  await workspace.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
  await first.session().edit('create', { path: 'd.txt', file_text: 'd\n' });
  await workspace.close();
  await first.close();
  expect(repo.git('log', '--format=%s', 'vedit/main').split('\n')).toHaveLength(4);
  expect(journals(repo)).toEqual([]);
});

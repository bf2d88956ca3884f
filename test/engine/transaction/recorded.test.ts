/** A record names the files of a change as they will lie on the disk: recovery tells its own from somebody's by that. */

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Journal } from '../../../src/engine/transaction/journal/journal.ts';
import type { ChangeRecord } from '../../../src/engine/transaction/journal/record.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { evidenceOf } from '../../../src/stores/disk/staged-file.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

async function recordsOf(repo: Place): Promise<ChangeRecord[]> {
  const folder = repo.path('.git/vedit');
  const files = await new Journal<ChangeRecord>({ fs: nodeFs(), codec: nativeCodec, folder }).readAll();
  return files.flatMap(({ records }) => records.map(({ data }) => data));
}

const evidenceAt = async (repo: Place, path: string) => evidenceOf(await nodeFs().lstat(repo.path(path)));

const EDIT = { path: 'a.txt', old_str: 'one', new_str: 'ONE' };

it.each(['a file of its own', 'packed-refs'])(
  'on the branch: the ref, in %s, and the index, before and after',
  async where => {
    const repo = ownRepo({ 'a.txt': 'one\n' });
    if (where === 'packed-refs') repo.git('pack-refs', '--all');
    const ref = '.git/refs/heads/main';
    const refBefore = await evidenceAt(repo, where === 'packed-refs' ? '.git/packed-refs' : ref);
    const was = await evidenceAt(repo, '.git/index');
    const session = await repo.session();
    const { data } = await session.edit('str_replace', EDIT);
    const [record] = await recordsOf(repo);
    const refStaged = await evidenceAt(repo, ref);
    const staged = await evidenceAt(repo, '.git/index');
    expect(record).toMatchObject({
      old: repo.git('rev-parse', 'HEAD~1'),
      new: data.commit,
      refBefore,
      refStaged,
      index: { was, staged },
    });
    await repo.close();
  },
);

it('beside the branch: the ref alone, which was not there before the first edit', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  repo.git('pack-refs', '--all');
  const session = await repo.session();
  await session.edit('str_replace', EDIT);
  const first = await evidenceAt(repo, '.git/refs/vedit/main');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'ONE', new_str: 'two' });
  expect(await recordsOf(repo)).toMatchObject([
    {
      old: null,
      refBefore: null,
      refStaged: first,
      lockInode: expect.not.stringMatching(/^0$/),
      index: null,
    },
    { refBefore: first, lockInode: first!.ino, index: null },
  ]);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  await repo.close();
});

import { mkdirSync, rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { GitObject } from '../../../src/git/objects/object.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import { memoryFs } from '../../../src/index.ts';
import { TreeVersions } from '../../../src/workspace/transaction/tree-versions.ts';
import { personRepo } from '../../helpers/person-repo.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

it('a missing tree is one failure, also while the other one is still being read', async () => {
  const [old, now] = ['1'.repeat(40), '2'.repeat(40)];
  const commit = (tree: string): GitObject => ({ type: 'commit', content: text(`tree ${tree}\n\n`) });
  const objects = openObjects({ fs: memoryFs() as never, objectsDir: '/objects', codec: nativeCodec });
  objects.read = async oid => {
    if (oid === now) throw new Error('missing');
    await turn();
    return oid === old ? { type: 'tree', content: new Uint8Array(0) } : commit(old);
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const added = new TreeVersions(objects).add('3'.repeat(40), { oid: '4'.repeat(40), ...commit(now) });
  await expect(added).rejects.toThrow('missing');
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

it('each commit, folder and file has the one that it replaced; what is new or of another kind has none', async () => {
  const repo = personRepo({ 'd/a.txt': 'a\n', 'd/same.txt': 'same\n', kind: 'file\n', 'other/b.txt': 'b\n' });
  repo.write('d/a.txt', 'changed\n');
  repo.write('d/new.txt', 'new\n');
  rmSync(repo.path('kind'));
  mkdirSync(repo.path('kind'));
  repo.write('kind/b.txt', 'in a folder\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'second');
  const id = (name: string): string => repo.git('rev-parse', name);
  const objectsDir = repo.path('.git/objects');
  const versions = new TreeVersions(openObjects({ fs: nodeFs(), objectsDir, codec: nativeCodec }));
  const commitOf = async (name: string): Promise<GitObject & { oid: string }> => {
    const oid = id(name);
    const content = text(`${repo.git('cat-file', 'commit', oid)}\n`);
    return { oid, type: 'commit', content };
  };
  await versions.add(null, await commitOf('HEAD~1'));
  await versions.add(id('HEAD~1'), await commitOf('HEAD'));
  for (const name of ['', '^{tree}', ':d', ':d/a.txt'])
    expect(versions.before(id(`HEAD${name}`)), name).toBe(id(`HEAD~1${name}`));
  for (const name of [
    'HEAD~1',
    'HEAD~1^{tree}',
    'HEAD:d/same.txt',
    'HEAD:d/new.txt',
    'HEAD:kind',
    'HEAD:other',
  ])
    expect(versions.before(id(name)), name).toBe(undefined);
});

import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { onDisk } from './disk-stores.ts';

it('a folder is listed by name, whatever the disk says first', async () => {
  const { hands, root, open } = onDisk(nodeFs());
  for (const name of ['b', 'a', 'C', 'é']) hands.writeFileSync(`${root}/${name}`, name);
  const names = ['é', 'b', '.git', 'C', 'a'];
  const store = open({ fs: overriding(nodeFs(), { readdir: async () => names }) });
  expect((await store.list(''))?.map(({ name }) => name)).toEqual(['C', 'a', 'b', 'é']);
});

it('where the folder of the workspace is gone, that is said, and no other failure is taken for it', async () => {
  const { hands, root, store, open } = onDisk(nodeFs());
  hands.writeFileSync(`${root}/a`, 'a');
  const fs = overriding(nodeFs(), { readdir: failing('EIO') });
  await expect(open({ fs }).list('')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  hands.renameSync(root, `${root}-elsewhere`);
  await expect(store.read('a')).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY', data: { gone: true } });
  hands.renameSync(`${root}-elsewhere`, root);
  expect((await store.read('a'))?.bytes).toEqual(Uint8Array.of(97));
});

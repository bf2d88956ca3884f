/** The way down to a folder: where there are no paths of descriptors, what was passed must still be there at the end. */

import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import type { Disk } from '../../../src/stores/disk/contract.ts';
import { inFolder } from '../../../src/stores/disk/walk.ts';
import { faultFs, hookAt } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf } from '../../helpers/person-repo.ts';
import { onDisk, stored, tree, withoutDescriptors } from './disk-stores.ts';

const named = (): ReturnType<typeof onDisk> => onDisk(withoutDescriptors(nodeFs()));

/** How many calls of the file system publishing a new file in `d` takes, and what runs before one of them. */
async function published(at: number, run: (place: ReturnType<typeof onDisk>) => void) {
  const place = named();
  place.hands.mkdirSync(`${place.root}/d`);
  const fs = faultFs(
    place.fs,
    hookAt(at, () => run(place)),
  );
  const store = place.open({ fs });
  const code = await codeOf(
    store.stage([{ path: 'd/new/f', before: null, after: stored('new') }]).then(async staged => {
      await staged.publish().finally(() => staged.discard());
    }),
  );
  return { place, code, calls: fs.trace.length };
}

it('a folder that is swapped for a link on the way is refused, or was passed before', async () => {
  const { calls } = await published(0, () => {});
  let refused = 0;
  for (let at = 1; at <= calls; at++) {
    const one = await published(at, ({ hands, root, top }) => {
      hands.renameSync(`${root}/d`, `${root}/was`);
      hands.symlinkSync(`${top}/outside`, `${root}/d`);
    });
    if (one.code !== null) refused++;
    const isOut = Object.keys(tree(one.place, `${one.place.top}/outside`)).length > 1;
    // It cannot be excluded; it is never called done.
    if (isOut) expect([at, one.code]).toEqual([at, 'OUTSIDE_WORKSPACE']);
  }
  expect(refused).toBeGreaterThan(5);
});

it('a folder that somebody else makes first is used', async () => {
  const { calls } = await published(0, () => {});
  for (let at = 1; at <= calls; at++) {
    const one = await published(at, ({ hands, root }) =>
      hands.mkdirSync(`${root}/d/new`, { recursive: true }),
    );
    expect([at, one.code, tree(one.place)]).toEqual([at, null, { 'd/new/f': 'new' }]);
  }
});

it('a file that comes where a folder is to be made is in the way, and nothing is written beside it', async () => {
  const { calls } = await published(0, () => {});
  let refused = 0;
  for (let at = 1; at <= calls; at++) {
    let isMine = false;
    const one = await published(at, ({ hands, root }) => {
      if (hands.existsSync(`${root}/d/new`)) return;
      hands.writeFileSync(`${root}/d/new`, 'mine');
      isMine = true;
    });
    if (!isMine) continue;
    expect([at, one.code, tree(one.place)]).toEqual([at, 'FILE_EXISTS', { 'd/new': 'mine' }]);
    refused++;
  }
  expect(refused).toBeGreaterThan(0);
});

/** A disk that says this of a link that is to be opened as a folder. */
const saying = (code: string): Fs => {
  const real = nodeFs();
  const open: Fs['open'] = (path, how) =>
    path.endsWith('/link') && how === 'directory' ? failing(code)() : real.open(path, how);
  return overriding(real, { open });
};

it.each([
  ['Linux', saying('ENOTDIR')],
  ['macOS', saying('ELOOP')],
  ['systems without paths of descriptors', withoutDescriptors(nodeFs())],
])('below a link there is nothing, and nothing is read there: %s', async (_, fs) => {
  const place = onDisk(nodeFs());
  place.hands.symlinkSync(`${place.top}/outside`, `${place.root}/link`);
  const store = place.open({ fs });
  expect(await store.entry!('link/secret')).toBeNull();
  expect(await codeOf(store.read('link/secret'))).toBe('OUTSIDE_WORKSPACE');
  expect(await codeOf(store.list('link'))).toBe('OUTSIDE_WORKSPACE');
});

it.each(['..', 'a/../b', '.', 'a/.', 'a//b', '/a', '.git', 'a/.GIT/b'])(
  'a path that nobody checked is refused before anything is opened: %j',
  async path => {
    const nothing = {} as Disk;
    expect(await codeOf(inFolder(nothing, path, async () => {}))).toBe('OUTSIDE_WORKSPACE');
  },
);

it.each([nodeFs(), withoutDescriptors(nodeFs())])(
  'a folder that cannot be made is told with the cause',
  async real => {
    const place = onDisk(real);
    const store = place.open({ fs: overriding(real, { mkdir: failing('EACCES') }) });
    const publish = async (): Promise<void> => {
      const staged = await store.stage([{ path: 'd/f', before: null, after: stored('new') }]);
      await staged.publish().finally(() => staged.discard());
    };
    await expect(publish()).rejects.toMatchObject({ code: 'STORE_FAILED', data: { cause: 'EACCES' } });
  },
);

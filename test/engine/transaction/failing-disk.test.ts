/** The disk fails at the journal: what was refused is not made, not even by the recovery after a power cut. */

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { FileHandle, Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { Session } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

type Faults = Partial<Record<'write' | 'short' | 'syncData' | 'truncate' | 'create', string>>;

/** A disk whose journal fails while `faults` says so. */
function failingDisk(faults: Faults): Fs {
  const disk = nodeFs();
  return overriding(disk, {
    open: async (path, how, mode) => {
      const isJournal = /\/vedit\/journal\.\d+$/.test(path);
      if (isJournal && how === 'create' && faults.create) await failing(faults.create)();
      const handle = await disk.open(path, how, mode);
      return isJournal && how === 'journal' ? failingHandle(handle, faults) : handle;
    },
  });
}

function failingHandle(handle: FileHandle, faults: Faults): FileHandle {
  const half = (bytes: Uint8Array): Promise<void> => handle.write(bytes.subarray(0, bytes.length >> 1));
  const unless = (code: string | undefined, call: () => Promise<void>): Promise<void> =>
    code ? failing(code)() : call();
  return overriding(handle, {
    write: async bytes => {
      if (faults.short) return half(bytes);
      if (faults.write) await half(bytes);
      return unless(faults.write, () => handle.write(bytes));
    },
    syncData: () => unless(faults.syncData, () => handle.syncData()),
    truncate: size => unless(faults.truncate, () => handle.truncate(size)),
  });
}

const create = (session: Session, path: string): Promise<unknown> =>
  session.edit('create', { path, file_text: `${path}\n` });

/** The edits on the trail, the newest first, as a process of another boot finds them. */
async function afterPowerCut(repo: Place): Promise<string[]> {
  const platform = { fs: faultFs(nodeFs()), codec: nativeCodec, processes: processOfBoot('another boot') };
  await (await openOn(platform, { root: repo.dir })).close();
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  return repo.git('log', '--format=%s', 'HEAD..vedit/main').split('\n');
}

const CASES: [string, Faults][] = [
  ['a full disk takes half of the record', { write: 'ENOSPC' }],
  ['a full disk takes half of the record and says nothing', { short: 'yes' }],
  ['the disk reports an error of the write', { write: 'EIO' }],
  ['the sync fails', { syncData: 'EIO' }],
  ['the record can neither be synced nor cut off', { syncData: 'EIO', truncate: 'EIO' }],
  ['half a record cannot be cut off', { write: 'ENOSPC', truncate: 'EIO' }],
];

it.each(CASES)(
  '%s: it is refused, the next edit is made, and after a power cut it is still so',
  async (_, now) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const faults: Faults = {};
    const fs = failingDisk(faults);
    const workspace = await openOn(
      { fs, codec: nativeCodec, processes: processOfBoot('first') },
      { root: repo.dir },
    );
    const session = workspace.session();
    await create(session, 'one.txt');
    Object.assign(faults, now);
    await expect(create(session, 'two.txt')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.not.stringContaining('may still be made'),
    });
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt', 'one.txt']);
    for (const fault of Object.keys(now) as (keyof Faults)[]) delete faults[fault];
    await create(session, 'three.txt');
    expect(await afterPowerCut(repo)).toEqual(['create three.txt (+1 -0)', 'create one.txt (+1 -0)']);
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt', 'one.txt', 'three.txt']);
  },
);

it.each(CASES.slice(4))('%s: and without a next edit, too', async (_, now) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const faults: Faults = {};
  const platform = { fs: failingDisk(faults), codec: nativeCodec, processes: processOfBoot('first') };
  const session = (await openOn(platform, { root: repo.dir })).session();
  await create(session, 'one.txt');
  Object.assign(faults, now);
  await expect(create(session, 'two.txt')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect(await afterPowerCut(repo)).toEqual(['create one.txt (+1 -0)']);
  expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt', 'one.txt']);
});

it('where no new journal can be begun either, the answer says so, and nothing more is written until one can', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const faults: Faults = {};
  const platform = { fs: failingDisk(faults), codec: nativeCodec, processes: processOfBoot('first') };
  const workspace = await openOn(platform, { root: repo.dir });
  const session = workspace.session();
  await create(session, 'one.txt');
  Object.assign(faults, { syncData: 'EIO', truncate: 'EIO', create: 'ENOSPC' });
  await expect(create(session, 'two.txt')).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringMatching(/may still be made.*view the file before you send the edit again/),
  });
  for (let tries = 0; tries < 2; tries++)
    await expect(create(session, 'three.txt')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect((await session.view({ path: 'one.txt' })).message).toContain('one.txt');
  for (const fault of Object.keys(faults) as (keyof Faults)[]) delete faults[fault];
  await create(session, 'four.txt');
  expect(await afterPowerCut(repo)).toEqual(['create four.txt (+1 -0)', 'create one.txt (+1 -0)']);
  await workspace.close();
});

it('a file of which a sync failed is not appended to again', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const faults: Faults = {};
  const platform = { fs: failingDisk(faults), codec: nativeCodec, processes: processOfBoot('first') };
  const workspace = await openOn(platform, { root: repo.dir });
  const session = workspace.session();
  await create(session, 'one.txt');
  faults.syncData = 'EIO';
  await expect(create(session, 'two.txt')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  delete faults.syncData;
  await create(session, 'three.txt');
  const files = readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'));
  expect(files).toHaveLength(2);
  await workspace.close();
});

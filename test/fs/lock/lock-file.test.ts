/** What is read of a lock, whoever wrote it: all that an owner says, and nothing that only looks like it. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { encodeLock, parseLock, readLockFile } from '../../../src/fs/lock/lock-file.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { deadLock, scratch } from '../../helpers/locks.ts';
import { failing, overriding } from '../../helpers/overriding.ts';

const LOCK = deadLock({
  host: 'here',
  boot: 'a boot',
  space: 'a space',
  started: '5',
  disk: 'local',
  socket: { dev: '1', ino: '2' },
});

it('all that the owner wrote is read', () => {
  for (const disk of ['local', 'layered', 'other'] as const)
    expect(parseLock(new TextDecoder().decode(encodeLock({ ...LOCK, disk })))).toEqual({ ...LOCK, disk });
});

it.each<[object, object]>([
  [{ host: 5 }, { host: '' }],
  [{ boot: 5 }, { boot: null }],
  [{ space: {} }, { space: null }],
  [{ started: null }, { started: '' }],
  [{ disk: 'x' }, { disk: 'other' }],
  [{ socket: 'x' }, { socket: null }],
  [{ socket: { dev: 1, ino: '2' } }, { socket: null }],
  [{ socket: { dev: '1' } }, { socket: null }],
])('of a lock that says %j is read %j', (written, read) => {
  expect(parseLock(JSON.stringify({ ...LOCK, ...written }))).toEqual({ ...LOCK, ...read });
});

it.each(['', '{', 'null', '5', '"x"', '[]'])('%s is no lock', text => {
  expect(parseLock(text)).toBe(null);
});

it.each([{ format: 1 }, { token: 'x' }, { token: `../${LOCK.token}` }, { token: null }, { pid: '5' }])(
  'one with %j is no lock',
  change => {
    expect(parseLock(JSON.stringify({ ...LOCK, ...change }))).toBe(null);
  },
);

it('a file, a link and a folder are seen as what they are, and nothing where there is none', async () => {
  const folder = scratch();
  const [file, link, sub] = ['file', 'link', 'sub'].map(name => `${folder}/${name}`) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, encodeLock(LOCK));
  symlinkSync('file', link);
  mkdirSync(sub);
  const seen = async (path: string) => {
    const found = await readLockFile(nodeFs(), path);
    return found && [found.regular, found.file, found.token === `unreadable-${found.ino}`];
  };
  expect(await seen(file)).toEqual([true, LOCK, false]);
  expect(await seen(link)).toEqual([false, null, true]);
  expect(await seen(sub)).toEqual([false, null, true]);
  expect(await seen(`${folder}/none`)).toBe(null);
});

it.each([
  ['', true],
  ['\0\0', true],
  ['{"format":2,"tok', true],
  ['{"format":3}', false],
])('one that holds %j was cut off: %s', async (text, torn) => {
  const path = `${scratch()}/lock`;
  writeFileSync(path, text);
  expect(await readLockFile(nodeFs(), path)).toMatchObject({ file: null, torn });
});

it('one that may not be read is there all the same; a failing disk is told', async () => {
  const path = `${scratch()}/lock`;
  writeFileSync(path, encodeLock(LOCK));
  const seen = (code: string) => readLockFile(overriding(nodeFs(), { open: failing(code) }), path);
  expect(await seen('EACCES')).toMatchObject({ file: null, regular: true });
  expect(await seen('ENOENT')).toBe(null);
  await expect(seen('EIO')).rejects.toMatchObject({ code: 'EIO' });
});

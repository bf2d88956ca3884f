import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { Branches } from '../../helpers/branches.ts';
import { delayAt, errorAt, faultFs, hookAt } from '../../helpers/fault-fs.ts';
import { openBelow } from '../../helpers/open-below.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { change, changesOf, perm, refusal, write } from './changes.ts';
import { inMemory, onDisk, staged, stored, tree } from './disk-stores.ts';

describe('failures', () => {
  test('a system error is STORE_FAILED with its code and cause, and without a host path', async () => {
    const place = inMemory();
    write(place, 'f', 'one');
    const store = place.open({ fs: faultFs(place.fs, errorAt(6, 'EIO', 'forever')) });
    const error = await refusal(store.read('f'));
    expect(error).toMatchObject({ code: 'STORE_FAILED', retryable: true, data: { path: 'f', cause: 'EIO' } });
    expect(error.message).not.toContain(place.top);
    expect(error.message).toMatch(/^Reading f failed: the disk reported an error \(EIO\)\. /);
    // For who debugs the engine.
    expect(error.cause).toMatchObject({ code: 'EIO' });
  });

  test('every call of staging that fails leaves nothing staged', async () => {
    const branches = new Branches('refused');
    for (let n = 1; ; n++) {
      const place = inMemory();
      write(place, 'f', 'one');
      const changes = await changesOf(place.store, { f: 'two', 'n/x': 'x' });
      const fs = faultFs(place.fs, errorAt(n, 'ENOSPC'));
      const outcome = await place
        .open({ fs })
        .stage(changes)
        .catch(error => error);
      if (fs.trace.length < n) break;
      if (!(outcome instanceof Error)) continue;
      branches.ran('refused');
      expect([n, staged(place)]).toEqual([n, []]);
    }
    branches.expectAll();
  });

  test('a file that fails to publish does not keep the others from it', async () => {
    const place = inMemory();
    for (const path of ['a', 'b', 'c']) write(place, path, 'one');
    const changes = await changesOf(place.store, { a: 'two', b: 'two', c: 'two' });
    const rename = async (from: string, to: string): Promise<void> => {
      if (to.endsWith('/b')) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      return place.fs.rename(from, to);
    };
    const broken = overriding(place.fs, { rename });
    const result = await place.open({ fs: broken }).stage(changes);
    expect((await refusal(result.publish())).data).toEqual({ path: 'b', cause: 'EBUSY' });
    expect(tree(place)).toEqual({ a: 'two', b: 'one', c: 'two' });
    await result.discard();
    expect(staged(place)).toEqual([]);
  });

  test('a file that is swapped while it is opened is read again, whole', async () => {
    const place = onDisk(nodeFs());
    write(place, 'f', 'one');
    const save = (): void => {
      write(place, 'g', 'two two');
      place.hands.renameSync(`${place.root}/g`, `${place.root}/f`);
    };
    const plain = faultFs(nodeFs());
    await place.open({ fs: plain }).read('f');
    const opening = plain.trace.findLast(call => call.method === 'open')!.n;
    for (const n of [opening, opening + 1]) {
      write(place, 'f', 'one');
      const store = place.open({ fs: faultFs(nodeFs(), hookAt(n, save)) });
      expect(await store.read('f')).toEqual(stored('two two'));
    }
  });

  test('no descriptor stays open, whatever fails', async () => {
    const place = onDisk(nodeFs());
    write(place, 'a/f', 'one');
    for (let n = 1; n < 40; n++) {
      const store = place.open({ fs: faultFs(nodeFs(), errorAt(n, 'EIO'), delayAt(n + 1, 1)) });
      await store.read('a/f').catch(() => {});
      const result = await store
        .stage(await changesOf(store, { 'a/f': 'two', 'b/g': 'x' }))
        .catch(() => null);
      await result?.discard().catch(() => {});
      await store.close?.();
      place.hands.rmSync(`${place.root}/.git/vedit/tmp`, { recursive: true });
      place.hands.mkdirSync(`${place.root}/.git/vedit/tmp`);
    }
    expect(openBelow(place.root)).toEqual([]);
  });

  test.each([
    [16, 16],
    [17, 0],
  ])('of %i files that are staged %i stay open until they are synced', async (count, open) => {
    const place = onDisk(nodeFs());
    const files = Array.from({ length: count }, (_, n) => [`n${n}`, 'new']);
    const result = await place.store.stage(await changesOf(place.store, Object.fromEntries(files)));
    const stage = `${place.root}/.git/vedit/tmp`;
    expect(openBelow(stage)).toHaveLength(open);
    await result.sync();
    expect(openBelow(stage)).toEqual([]);
    await result.discard();
  });
});

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])(
  'without hard links files are created, replaced and deleted all the same: %s',
  async code => {
    const place = inMemory();
    for (const path of ['f', 'gone']) write(place, path, 'one');
    const fs = overriding(place.fs, { link: failing(code) });
    await change(place.open({ fs }), { f: 'two', gone: null, 'n/x': 'x' });
    expect(tree(place)).toEqual({ f: 'two', 'n/x': 'x' });
    expect(staged(place)).toEqual([]);
  },
);

describe('another device', () => {
  const shm = '/dev/shm';
  const other = fs.existsSync(shm) && fs.statSync(shm).dev !== fs.statSync('/tmp').dev;

  test.runIf(other)('is reached, with mode and all, and nothing is left', async () => {
    const place = onDisk(nodeFs());
    write(place, 'a/f', 'one', 0o640);
    const stageFolder = fs.mkdtempSync(`${shm}/stage-`);
    await change(place.open({ stageFolder }), { 'a/f': 'two', 'a/n/x': 'x' });
    expect(tree(place)).toEqual({ 'a/f': 'two', 'a/n/x': 'x' });
    expect(perm(place, 'a/f')).toBe(0o640);
    expect(fs.readdirSync(stageFolder)).toEqual([]);
    fs.rmSync(stageFolder, { recursive: true });
  });

  test('goes through a file beside the target, which no failure leaves behind', async () => {
    const place = inMemory();
    write(place, 'a/f', 'one', 0o640);
    const exdev = (call: (from: string, to: string) => Promise<void>) => async (from: string, to: string) => {
      if (from.includes('/.git/')) throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
      return call(from, to);
    };
    const over = overriding(place.fs, {
      rename: exdev((from, to) => place.fs.rename(from, to)),
      link: exdev((from, to) => place.fs.link(from, to)),
    });
    await change(place.open({ fs: over }), { 'a/f': 'two', 'b/x': 'x' });
    expect(tree(place)).toEqual({ 'a/f': 'two', 'b/x': 'x' });
    expect(perm(place, 'a/f')).toBe(0o640);
    expect(staged(place)).toEqual([]);
  });
});

describe('owner and group', () => {
  const root = process.getuid?.() === 0;

  test.runIf(root)('are kept, and those of a new file follow a folder that says so', async () => {
    const place = onDisk(nodeFs());
    write(place, 'a/f', 'one', 0o640);
    fs.chownSync(`${place.root}/a/f`, 12, 34);
    fs.chmodSync(`${place.root}/a/f`, 0o4640);
    fs.chownSync(`${place.root}/a`, 0, 56);
    fs.chmodSync(`${place.root}/a`, 0o2775);
    await change(place.store, { 'a/f': 'two', 'a/n': 'x' });
    expect(fs.statSync(`${place.root}/a/f`)).toMatchObject({ uid: 12, gid: 34, mode: 0o104640 });
    expect(fs.statSync(`${place.root}/a/n`)).toMatchObject({ uid: 0, gid: 56 });
  });

  test('a file whose owner cannot be kept does not keep the right to run as its owner', async () => {
    const place = onDisk(nodeFs());
    write(place, 'f', 'one', 0o4755);
    const real = nodeFs();
    const strange = Object.assign(Object.create(real), {
      open: async (...args: Parameters<typeof real.open>) => {
        const handle = await real.open(...args);
        handle.chown = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
        const stat = handle.stat.bind(handle);
        if (args[1] === 'create') handle.stat = async () => ({ ...(await stat()), uid: 4711 });
        return handle;
      },
    });
    await change(place.open({ fs: strange }), { f: 'two' });
    expect(perm(place, 'f')).toBe(0o755);
  });
});

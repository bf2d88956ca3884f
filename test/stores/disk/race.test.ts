import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { onDisk, stored } from './disk-stores.ts';

/**
 * Swaps `d` between a folder and a link that leads outside, as fast as it can, until it is told to stop. In a moment
 * without `d` the store may make a new folder of that name, which is cleared away.
 */
const SWAPPER = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const { workerData: { root, outside, stop }, parentPort } = require('node:worker_threads');
  const attempt = action => {
    try { action(); return true; } catch { return false; }
  };
  const rename = (from, to) => {
    while (!attempt(() => renameSync(root + '/' + from, root + '/' + to)) && Atomics.load(stop, 0) === 0) {
      attempt(() => rmSync(root + '/' + to, { recursive: true, force: true }));
    }
  };
  symlinkSync(outside, root + '/link');
  parentPort.postMessage('ready');
  let swaps = 0;
  for (; Atomics.load(stop, 0) === 0; swaps++) {
    rename('d', 'folder');
    rename('link', 'd');
    rename('d', 'link');
    rename('folder', 'd');
  }
  parentPort.postMessage(swaps);
`;

test.runIf(nodeFs().descriptorPaths)(
  'a folder that is swapped for a link all the time lets nothing out and nothing in',
  async () => {
    const place = onDisk(nodeFs());
    fs.mkdirSync(`${place.root}/d`);
    fs.writeFileSync(`${place.root}/d/f`, 'inside');
    fs.writeFileSync(`${place.top}/outside/f`, 'secret');
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { root: place.root, outside: `${place.top}/outside`, stop };
    const worker = new Worker(SWAPPER, { eval: true, workerData });
    const failed = new Promise((_resolve, reject) => worker.once('error', reject));
    const message = (): Promise<unknown> =>
      Promise.race([failed, new Promise(resolve => worker.once('message', resolve))]);
    await message();

    const end = Date.now() + 1000;
    const tries = { read: 0, written: 0, refused: 0 };
    for (let n = 0; Date.now() < end; n++) {
      const before = await place.store.read('d/f').catch(() => null);
      if (before) {
        expect(new TextDecoder().decode(before.bytes)).not.toBe('secret');
        tries.read++;
      }
      const changes = [
        { path: 'd/f', before, after: stored(`inside ${n}`) },
        { path: `d/new-${n}`, before: null, after: stored('new') },
        { path: `d/deep-${n}/x`, before: null, after: stored('new') },
      ];
      const staged = await place.store.stage(changes).catch(() => null);
      const published = await staged?.publish().then(
        () => true,
        () => false,
      );
      tries[published ? 'written' : 'refused']++;
      await staged?.discard();
    }
    Atomics.store(stop, 0, 1);
    const swaps = await message();

    expect(fs.readdirSync(`${place.top}/outside`).sort()).toEqual(['f', 'secret']);
    expect(fs.readFileSync(`${place.top}/outside/f`, 'utf8')).toBe('secret');
    expect(swaps).toBeGreaterThan(10);
    for (const count of Object.values(tries)) expect(count).toBeGreaterThan(0);
  },
);

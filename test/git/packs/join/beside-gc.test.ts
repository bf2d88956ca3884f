/** Joining beside git's own collectors: one gives way to the other, and nothing is taken for damage. */

import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { joinPacks } from '../../../../src/git/packs/join/join-packs.ts';
import { readImage, writeImage } from '../../../crash/image.ts';
import { faultFs, hookAt } from '../../../helpers/fault-fs.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { missingIn, packed, storeOf } from '../pack-store.ts';

describe('beside a gc of git', () => {
  const other = (box: Sandbox, pid: number): void =>
    box.write('.git/gc.pid', `${pid} ${storeOf(box.dir).processes.self.host}`);

  it('nothing is joined while it lives', async () => {
    const { box, store } = await packed([3, 3]);
    for (const pid of [process.pid]) {
      other(box, pid);
      expect((await joinPacks({ ...store, all: true })).into).toBeNull();
      expect(existsSync(box.path('.git/gc.pid'))).toBe(true);
    }
  });

  it('the file of one that has died long ago is no hindrance', async () => {
    const { box, store } = await packed([3, 3]);
    other(box, 2 ** 22 + 5);
    const before = Date.now() / 1000 - 3000;
    utimesSync(box.path('.git/gc.pid'), before, before);
    expect((await joinPacks({ ...store, all: true })).into).not.toBeNull();
    expect(existsSync(box.path('.git/gc.pid'))).toBe(false);
  });

  it('a git gc does not begin while packs are joined', async () => {
    const { box, store } = await packed([3, 3, 3]);
    let [held, said] = ['', ''];
    const fs = faultFs(
      nodeFs(),
      hookAt(90, () => {
        held = readFileSync(box.path('.git/gc.pid'), 'utf8');
        try {
          box.git('gc', '-q');
        } catch (error) {
          said = String((error as { stderr?: Buffer }).stderr);
        }
      }),
    );
    await joinPacks({ ...storeOf(box.dir, fs), all: true });
    expect(said).toContain('gc is already running');
    expect(held).toMatch(/^\d+ \S+ versioned-edit$/);
    expect(store.token).toBeTruthy();
  });

  it('packs that a git repack takes away meanwhile are not damaged', async () => {
    const { box, objects } = await packed([10, 10, 10]);
    const image = readImage(box.dir);
    const probe = faultFs(nodeFs());
    await joinPacks({ ...storeOf(box.dir, probe), all: true });
    for (let at = 1; at < probe.trace.length; at += 3) {
      writeImage(image, box.dir);
      const repack = hookAt(at, () => void box.git('repack', '-adq'));
      const { damaged } = await joinPacks({ ...storeOf(box.dir, faultFs(nodeFs(), repack)), all: true });
      expect([at, damaged]).toEqual([at, null]);
      expect(await missingIn(box.dir, objects)).toEqual([]);
    }
  });

  it('one that is about to begin goes first', async () => {
    const { box, store } = await packed([3, 3]);
    box.write('.git/gc.pid.lock', '');
    expect((await joinPacks({ ...store, all: true })).into).toBeNull();
    expect(existsSync(box.path('.git/gc.pid'))).toBe(false);
  });
});

import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EditError } from '../../../src/errors.ts';
import { nodeFs } from '../../../src/git/native/node-fs.ts';
import type { PackInput } from '../../../src/git/packs/build-pack.ts';
import { packAway } from '../../../src/git/packs/pack-away.ts';
import { readImage, scratchFolder, writeImage } from '../../crash/image.ts';
import type { Tree } from '../fault-log.ts';
import { crashAt, dropSync, errorAt, faultFs, record, TEARS } from '../fault-fs.ts';
import { losable, powerCuts, replay } from '../fault-replay.ts';
import { at, type Sandbox } from '../real-git.ts';
import { History, SMALL } from './history.ts';
import { expectSound, looseOf, marksOf, missingIn, packRepository, packsOf, storeOf, writeLoose } from './pack-store.ts';

const TINY = { ...SMALL, folders: 1, files: 2, edited: 2 };

describe('packing away', () => {
  it('leaves the objects in one pack that git takes for its own, and no loose file of them', async () => {
    const { box, store } = packRepository();
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(30)];
    await writeLoose(box, objects);
    const name = await packAway(store, objects);
    expect(packsOf(box)).toEqual([name]);
    expect(packsOf(box, '.idx')).toEqual([name]);
    expect(marksOf(box)).toEqual([name]);
    expect(looseOf(box)).toEqual([]);
    expect(box.git('fsck', '--strict')).toBe('');
    box.git('verify-pack', box.path(`.git/objects/pack/${name}.idx`));
    expect(box.git('rev-list', '--count', 'main')).toBe('31');
    expect(box.git('count-objects', '-v')).toContain('garbage: 0');
  });

  it('touches no other loose object', async () => {
    const { box, store } = packRepository();
    const other = box.pipe('of a person\n', 'hash-object', '-w', '--stdin').toString().trim();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    await packAway(store, objects);
    expect(looseOf(box)).toEqual([other]);
  });

  it('is done again without harm, with loose files and without, in two processes at once', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    const names = await Promise.all([packAway(store, objects), packAway(storeOf(box.dir), objects), packAway(store, objects)]);
    await writeLoose(box, objects);
    names.push(await packAway(store, objects));
    expect(new Set(names).size).toBe(1);
    expect(packsOf(box)).toEqual([names[0]]);
    expect(looseOf(box)).toEqual([]);
    expect(box.git('fsck', '--strict')).toBe('');
  });

  it('of nothing does nothing', async () => {
    const { box, store } = packRepository();
    expect(await packAway(store, [])).toBeNull();
    expect(packsOf(box)).toEqual([]);
  });

  it('heals a pack of the same name that is damaged', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    const name = await packAway(store, objects);
    const path = box.path(`.git/objects/pack/${name}.pack`);
    chmodSync(path, 0o644);
    writeFileSync(path, 'torn');
    await writeLoose(box, objects);
    await packAway(store, objects);
    expect(box.git('fsck', '--strict')).toBe('');
  });

  it('refuses a content that is not that of its id, and removes nothing', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    const wrong = objects.with(1, { ...objects[1]!, content: new Uint8Array(3) });
    await expect(packAway(store, wrong)).rejects.toBeInstanceOf(EditError);
    expect(looseOf(box)).toHaveLength(objects.length);
  });

  it.each([
    [undefined, 0o022, 0o444],
    [undefined, 0o077, 0o400],
    ['group', 0o077, 0o440],
    ['all', 0o077, 0o444],
    ['0640', 0o022, 0o440],
  ])('gives files the mode that git gives them: core.sharedRepository %s, umask %o', async (shared, umask, mode) => {
    const { box, store } = packRepository();
    if (shared) box.git('config', 'core.sharedRepository', shared);
    box.git('commit', '-q', '--allow-empty', '-m', 'x');
    const before = process.umask(umask);
    try {
      box.git('repack', '-q');
      const theirs = packsOf(box)[0]!;
      const name = await packAway({ ...store, shared }, new History(TINY).first);
      for (const ending of ['.pack', '.idx']) {
        const modeOf = (pack: string): number => statSync(box.path(`.git/objects/pack/${pack}${ending}`)).mode & 0o777;
        expect(modeOf(name!)).toBe(mode);
        expect(modeOf(name!)).toBe(modeOf(theirs));
      }
    } finally {
      process.umask(before);
    }
  });
});

/** A repository as it is before, kept in memory. */
async function image(): Promise<{ before: Tree; objects: PackInput[]; box: Sandbox }> {
  const { box } = packRepository();
  const history = new History(TINY);
  const objects = [...history.first, ...history.take(3)];
  await writeLoose(box, objects);
  return { before: readImage(box.dir), objects, box };
}

const scratch = scratchFolder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Finishes the work after a crash, and expects that nothing was lost and nothing is left of the first try. */
async function expectFinished(dir: string, objects: readonly PackInput[]): Promise<void> {
  expect(await missingIn(dir, objects)).toEqual([]);
  const name = await packAway(storeOf(dir), objects);
  expect(packsOf(at(dir))).toEqual([name]);
  expect(looseOf(at(dir))).toEqual([]);
  expect(await missingIn(dir, objects)).toEqual([]);
  if (++finished % 25 === 0) expectSound(dir, 4);
}

let finished = 0;

describe('a crash, an error and a power cut', () => {
  it('at every call leave every object readable, and the same call finishes the work', async () => {
    const { before, objects } = await image();
    const dir = join(scratch, 'crash');
    const faults = [
      ...TEARS.map(tear => (n: number) => crashAt(n, tear)),
      (n: number) => errorAt(n, 'EIO'),
      (n: number) => errorAt(n, 'ENOSPC', 'forever'),
    ];
    let points = 0;
    for (const fault of faults) {
      for (let n = 1; ; n++) {
        writeImage(before, dir);
        const fs = faultFs(nodeFs(), fault(n));
        const failed = await packAway(storeOf(dir, fs), objects).then(() => false, () => true);
        if (fs.trace.length < n) break;
        points++;
        const synced = fs.trace.filter(call => call.method === 'handle.sync').length;
        if (synced < 3 && failed) expect(looseOf(at(dir)).length).toBeGreaterThanOrEqual(objects.length);
        await expectFinished(dir, objects);
      }
    }
    expect(points).toBeGreaterThan(100);
  });

  it('a sync that fails removes nothing', async () => {
    const { before, objects } = await image();
    const dir = join(scratch, 'sync');
    writeImage(before, dir);
    const probe = faultFs(nodeFs());
    await packAway(storeOf(dir, probe), objects);
    const syncs = probe.trace.filter(call => call.method === 'handle.sync');
    expect(syncs).toHaveLength(3);
    for (const { n } of syncs) {
      writeImage(before, dir);
      const fs = faultFs(nodeFs(), errorAt(n, 'EIO'));
      await expect(packAway(storeOf(dir, fs), objects)).rejects.toMatchObject({ code: 'EIO' });
      expect(looseOf(at(dir))).toHaveLength(objects.length);
      await expectFinished(dir, objects);
    }
  });

  it('a power cut after any call loses nothing, whatever was not synced', async () => {
    const { before, objects } = await image();
    const dir = join(scratch, 'live');
    writeImage(before, dir);
    const fs = faultFs(nodeFs(), record(dir));
    await packAway(storeOf(dir, fs), objects);
    const cut = join(scratch, 'cut');
    let points = 0;
    for (const count of powerCuts(fs.log!)) {
      for (const lost of [undefined, 'all' as const, ...losable(fs.log!, count).slice(-2)]) {
        for (const unsynced of ['empty', 'half'] as const) {
          writeImage(replay(fs.log!, count, unsynced, lost), cut);
          points++;
          await expectFinished(cut, objects);
        }
      }
    }
    expect(points).toBeGreaterThan(50);
  });

  it('is caught where nothing is synced: these power cuts see it', async () => {
    const { before, objects } = await image();
    const dir = join(scratch, 'control');
    writeImage(before, dir);
    const fs = faultFs(nodeFs(), record(dir), dropSync());
    await packAway(storeOf(dir, fs), objects);
    writeImage(replay(fs.log!, fs.log!.entries.length, 'empty'), dir);
    expect(await missingIn(dir, objects)).not.toEqual([]);
  });
});

it('the mark says what older versions are known', async () => {
  const { box, store } = packRepository();
  const history = new History(TINY);
  await packAway(store, history.first);
  const name = await packAway(store, history.take(5));
  const { roots, made } = JSON.parse(readFileSync(box.path(`.git/vedit/packs/${name}`), 'utf8'));
  expect(made).toBeGreaterThan(1e12);
  expect(roots.length).toBeGreaterThan(2);
});

/** Crashes at every call, errors and power cuts while objects are packed away. */

import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import type { PackInput } from '../../../src/git/objects/object.ts';
import { sweepDrafts } from '../../../src/git/packs/store-pack.ts';
import { readImage, scratchFolder, writeImage } from '../../crash/image.ts';
import { crashAt, dropSync, errorAt, type Fault, faultFs, record, TEARS } from '../../helpers/fault-fs.ts';
import type { Tree } from '../../helpers/fault-log.ts';
import { losable, powerCuts, replay } from '../../helpers/fault-replay.ts';
import { at } from '../../helpers/real-git.ts';
import { STRIDE } from '../../helpers/sampling.ts';
import { History, SMALL } from './history.ts';
import {
  draftsOf,
  expectSound,
  looseOf,
  missingIn,
  packAway,
  packRepository,
  packsOf,
  storeOf,
  writeLoose,
} from './pack-store.ts';

/** All in the long form, some in the normal tests. */
const SAMPLE = STRIDE === 1 ? 1 : 3 * STRIDE;

const TINY = { ...SMALL, folders: 1, files: 2, edited: 2 };

interface Subject {
  before: Tree;
  objects: readonly PackInput[];
  commits: number;
  /** The work that is disturbed. */
  run(dir: string, fs: Fs): Promise<unknown>;
  /** What must be so when the same call came to its end afterwards. */
  check(dir: string): void;
}

async function away(): Promise<Subject> {
  const { box } = packRepository();
  const history = new History(TINY);
  const objects = [...history.first, ...history.take(3)];
  await writeLoose(box, objects);
  return {
    before: readImage(box.dir),
    objects,
    commits: 4,
    run: (dir, fs) => packAway(storeOf(dir, fs), objects),
    check: dir => {
      expect(packsOf(at(dir))).toHaveLength(1);
      expect(looseOf(at(dir))).toEqual([]);
    },
  };
}

const whole = (dir: string): string[] => {
  const indexed = new Set(packsOf(at(dir), '.idx'));
  return packsOf(at(dir)).filter(name => indexed.has(name));
};

const scratch = scratchFolder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let finished = 0;

/** Finishes the work after a crash, and expects that nothing was lost and nothing is left of the first try. */
async function expectFinished(dir: string, { objects, commits, run, check }: Subject): Promise<void> {
  expect(await missingIn(dir, objects)).toEqual([]);
  age(dir);
  await run(dir, nodeFs());
  check(dir);
  // What the crash left is a day old by now.
  age(dir);
  await sweepDrafts(storeOf(dir));
  expect(draftsOf(at(dir))).toEqual([]);
  expect(whole(dir)).toEqual(packsOf(at(dir)));
  expect(whole(dir)).toEqual(packsOf(at(dir), '.idx'));
  expect(await missingIn(dir, objects)).toEqual([]);
  if (++finished % 40 === 0) expectSound(dir, commits);
}

/** Makes drafts and packs as old as they are when somebody comes by the next day. */
function age(dir: string): void {
  const old = Date.now() / 1000 - 86_400;
  for (const folder of ['.git/vedit/packs', '.git/objects/pack']) {
    let names: string[] = [];
    try {
      names = readdirSync(join(dir, folder));
    } catch {}
    for (const name of names) utimesSync(join(dir, folder, name), old, old);
  }
}

const FAULTS: ((n: number) => Fault)[] = [
  ...TEARS.map(tear => (n: number) => crashAt(n, tear)),
  n => errorAt(n, 'EIO'),
  n => errorAt(n, 'ENOSPC', 'forever'),
];

describe.each([['packing away', away]])('%s', (name, make) => {
  it('a crash or an error at any call loses nothing, and the same call finishes the work', async () => {
    const subject = await make();
    const dir = join(scratch, `${name} crash`);
    let points = 0;
    for (const [i, fault] of FAULTS.entries()) {
      for (let n = 1 + ((i * 5) % SAMPLE); ; n += SAMPLE) {
        writeImage(subject.before, dir);
        const fs = faultFs(nodeFs(), fault(n));
        await subject.run(dir, fs).catch(() => {});
        if (fs.trace.length < n) break;
        points++;
        await expectFinished(dir, subject);
      }
    }
    expect(points).toBeGreaterThan(12);
  });

  it('a power cut after any call loses nothing, whatever was not synced', async () => {
    const subject = await make();
    const live = join(scratch, `${name} live`);
    writeImage(subject.before, live);
    const fs = faultFs(nodeFs(), record(live));
    await subject.run(live, fs);
    const dir = join(scratch, `${name} cut`);
    let points = 0;
    for (const [i, count] of powerCuts(fs.log!).entries()) {
      if (i % STRIDE !== 0) continue;
      for (const lost of [undefined, 'all' as const, ...losable(fs.log!, count).slice(-3)]) {
        for (const unsynced of ['empty', 'half'] as const) {
          writeImage(replay(fs.log!, count, unsynced, lost), dir);
          points++;
          await expectFinished(dir, subject);
        }
      }
    }
    expect(points).toBeGreaterThan(12);
  });

  it('these power cuts see it when nothing is synced', async () => {
    const { before, objects, run } = await make();
    const dir = join(scratch, `${name} control`);
    writeImage(before, dir);
    const fs = faultFs(nodeFs(), record(dir), dropSync());
    await run(dir, fs);
    writeImage(replay(fs.log!, fs.log!.entries.length, 'empty'), dir);
    expect(await missingIn(dir, objects)).not.toEqual([]);
  });
});

it('a sync that fails while objects are packed away removes no loose file', async () => {
  const { before, objects, run } = await away();
  const dir = join(scratch, 'sync');
  const syncs = async (...faults: Fault[]): Promise<number[]> => {
    writeImage(before, dir);
    const fs = faultFs(nodeFs(), ...faults);
    await run(dir, fs).catch(() => {});
    const removed = fs.trace.find(({ method }) => method === 'unlink')?.n ?? Number.POSITIVE_INFINITY;
    return fs.trace.filter(({ method, n }) => method === 'handle.sync' && n < removed).map(({ n }) => n);
  };
  const all = await syncs();
  expect(all).toHaveLength(3);
  for (const n of all) {
    await syncs(errorAt(n, 'EIO'));
    expect(looseOf(at(dir))).toHaveLength(objects.length);
  }
});

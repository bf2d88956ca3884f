import { describe, expect, test } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import type { Recovery, Store, StoreChange } from '../../../src/stores/store.ts';
import { Branches } from '../../helpers/branches.ts';
import { CrashError, crashAt, dropSync, errorAt, faultFs, record, TEARS } from '../../helpers/fault-fs.ts';
import { UNSYNCED } from '../../helpers/fault-log.ts';
import { losable, powerCuts, replay } from '../../helpers/fault-replay.ts';
import { overriding } from '../../helpers/overriding.ts';
import { STRIDE } from '../../helpers/sampling.ts';
import { inMemory, type Place, staged, stored, tree } from './disk-stores.ts';

const OLD = { 'a/f': 'one', 'old/deep/d': 'gone', run: 'same' };
const NEW = { 'a/f': 'two', 'new/deep/n': 'made', run: 'same' };
const words = [...Object.values(OLD), ...Object.values(NEW)];
const blobs = new Map(words.map(text => [stored(text).version, stored(text).bytes]));
const recovery: Recovery = {
  boot: 'same',
  blob: async version => blobs.get(version)!,
  isCurrent: async () => true,
};

/** The workspace before the change. */
function start(): Place {
  const place = inMemory();
  for (const [path, text] of Object.entries(OLD)) {
    place.hands.mkdirSync(`${place.root}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
    place.hands.writeFileSync(`${place.root}/${path}`, text);
  }
  return place;
}

/** Replaces, creates, deletes, and changes a mode alone. */
async function changesOf(store: Store): Promise<StoreChange[]> {
  return [
    { path: 'a/f', before: await store.read('a/f'), after: stored('two') },
    { path: 'new/deep/n', before: null, after: stored('made') },
    { path: 'old/deep/d', before: await store.read('old/deep/d'), after: null },
    { path: 'run', before: await store.read('run'), after: stored('same', '100755') },
  ];
}

/** Runs a change up to the fault; answers the record once it is known, as the journal would hold it. */
async function run(fs: Fs, place: Place): Promise<{ record: unknown; error: unknown }> {
  let journal: unknown = null;
  const store = place.open({ fs });
  try {
    const result = await store.stage(await changesOf(store));
    journal = JSON.parse(JSON.stringify(result.record));
    if ((await result.verify()).length > 0) throw new Error('nobody changed anything');
    await result.sync();
    await result.publish();
    await result.settle();
    await result.discard();
    return { record: journal, error: null };
  } catch (error) {
    return { record: journal, error };
  }
}

const executable = (place: Place): boolean => (place.hands.statSync(`${place.root}/run`).mode & 0o100) !== 0;

/** Without folders: an empty one that may not be removed stays. */
function filesOf(place: Place): Record<string, string> {
  return Object.fromEntries(Object.entries(tree(place)).filter(([path]) => !path.endsWith('/')));
}

/** Every file is old or new, none is torn; then recovery makes all of them new. */
async function checkRecovery(place: Place, record: unknown, what: string): Promise<void> {
  for (const [path, text] of Object.entries(filesOf(place))) {
    if (path.includes('.vedit-')) continue;
    const allowed = [(OLD as Record<string, string>)[path], (NEW as Record<string, string>)[path]];
    expect([what, path, allowed.includes(text)]).toEqual([what, path, true]);
  }
  await place.open().recover([record], recovery);
  expect([what, tree(place)]).toEqual([what, NEW]);
  expect([what, executable(place)]).toEqual([what, true]);
  expect([what, staged(place)]).toEqual([what, []]);
}

describe('recovery', () => {
  test('after a crash at every call', async () => {
    const branches = new Branches('recorded', 'not recorded');
    for (let n = 1; ; n += STRIDE) {
      for (const tear of TEARS) {
        const place = start();
        const fs = faultFs(place.fs, crashAt(n, tear));
        const { record } = await run(fs, place);
        if (!fs.crashed) return branches.expectAll();
        // A call that is no write is done or not.
        if (tear === 'half' && fs.trace[n - 1]!.method !== 'handle.write') break;
        branches.ran(record ? 'recorded' : 'not recorded');
        if (record) await checkRecovery(place, record, `${n} ${tear}`);
        else expect(tree(place)).toEqual(OLD);
      }
    }
  });

  /** `nth` of the calls that make something visible, in a run without a fault. */
  async function visible(nth: number): Promise<number> {
    const place = start();
    const fs = faultFs(place.fs);
    await run(fs, place);
    // A file that is replaced gets its second name before anything is recorded, and gives it back when all is done.
    const isVisible = ({ method, path }: (typeof fs.trace)[number]): boolean =>
      ['rename', 'link', 'unlink'].includes(method) && path.includes('/vedit/tmp/') && !path.endsWith('.was');
    return fs.trace.filter(isVisible)[nth]!.n;
  }

  test.each([0, 1, 4])('after a crash at every call of recovery itself (%i)', async nth => {
    const cut = await visible(nth);
    for (let n = 1; ; n += STRIDE) {
      const place = start();
      const { record } = await run(faultFs(place.fs, crashAt(cut, 'full')), place);
      const fs = faultFs(place.fs, crashAt(n, 'full'));
      const error = await place
        .open({ fs })
        .recover([record], recovery)
        .catch(error => error);
      if (!fs.crashed) return expect(n).toBeGreaterThan(50);
      expect(error).toBeInstanceOf(CrashError);
      await place.open().recover([record], recovery);
      expect([n, tree(place)]).toEqual([n, NEW]);
    }
  });
});

test('recovery with the stage folder on another device', async () => {
  /** The new contents are written once more, beside their targets. */
  const elsewhere = (fs: Fs): Fs => {
    const leaves = (call: 'rename' | 'link') => async (from: string, to: string) => {
      if (!from.includes('/vedit/tmp/')) return fs[call](from, to);
      throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
    };
    return overriding(fs, { rename: leaves('rename'), link: leaves('link') });
  };
  for (let n = 1; ; n += STRIDE) {
    const place = start();
    const fs = faultFs(place.fs, crashAt(n, 'full'));
    const { record } = await run(elsewhere(fs), place);
    if (!fs.crashed) return expect(n).toBeGreaterThan(100);
    if (!record) continue;
    for (const at of [30, 50, 70, 90]) {
      const again = faultFs(place.fs, crashAt(at, 'full'));
      await place
        .open({ fs: elsewhere(again) })
        .recover([record], recovery)
        .catch(() => {});
    }
    await checkRecovery(place, record, `${n}`);
  }
});

test.each(['EIO', 'ENOSPC', 'EACCES', 'EMFILE'])('recovery after %s at every call', async code => {
  const branches = new Branches('recorded', 'not recorded');
  for (let n = 1; ; n += STRIDE) {
    const place = start();
    const fs = faultFs(place.fs, errorAt(n, code));
    const { record, error } = await run(fs, place);
    if (fs.trace.length < n) return branches.expectAll();
    branches.ran(record ? 'recorded' : 'not recorded');
    if (!record) expect([n, tree(place), staged(place)]).toEqual([n, OLD, []]);
    else if (error) await checkRecovery(place, record, `${n} ${code}`);
    else expect([n, filesOf(place)]).toEqual([n, NEW]);
  }
});

describe('power cuts', () => {
  /** The states that a cut after publishing leaves, as trees without `.git`. */
  async function statesAfter(
    settled: boolean,
    ...faults: ReturnType<typeof dropSync>[]
  ): Promise<Set<string>> {
    const place = start();
    const fs = faultFs(place.fs, record(place.root), ...faults);
    const store = place.open({ fs });
    const result = await store.stage(await changesOf(store));
    await result.sync();
    await result.publish();
    await result.settle();
    if (settled) await store.sync!([result.record]);
    const log = fs.log!;
    const end = log.entries.length;
    const states = new Set<string>();
    for (const unsynced of UNSYNCED) {
      for (const lost of [undefined, 'all' as const, ...losable(log, end)]) {
        const files = [...replay(log, end, unsynced, lost)].flatMap(([path, image]) =>
          image && typeof image !== 'string' && !path.startsWith('.git/')
            ? [[path, new TextDecoder().decode(image.bytes)]]
            : [],
        );
        states.add(JSON.stringify(Object.fromEntries(files.sort())));
      }
    }
    return states;
  }

  test('after a sync only the new state is left', async () => {
    expect([...(await statesAfter(true))].map(state => JSON.parse(state))).toEqual([NEW]);
  });

  test('that needs the syncs of files and of folders', async () => {
    expect((await statesAfter(true, dropSync('files'))).size).toBeGreaterThan(1);
    expect((await statesAfter(true, dropSync('folders'))).size).toBeGreaterThan(1);
    expect((await statesAfter(false)).size).toBeGreaterThan(1);
  });

  test('at every moment leave files whole', async () => {
    const place = start();
    const fs = faultFs(place.fs, record(place.root));
    await run(fs, place);
    const log = fs.log!;
    let tried = 0;
    for (const count of powerCuts(log)) {
      for (const lost of [undefined, ...losable(log, count)]) {
        const image = replay(log, count, 'empty', lost);
        for (const [path, text] of Object.entries(OLD)) {
          const file = image.get(path);
          const content = file && typeof file !== 'string' ? new TextDecoder().decode(file.bytes) : null;
          expect([text, (NEW as Record<string, string>)[path] ?? null]).toContain(content);
        }
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(30);
  });
});

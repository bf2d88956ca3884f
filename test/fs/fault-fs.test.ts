import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createFsFromVolume, Volume } from 'memfs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFile, replaceFile, syncFolder } from '../../src/fs/durable.ts';
import { errno, type Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { promisesFs } from '../../src/fs/promises-fs.ts';
import {
  CrashError,
  crashAt,
  delayAt,
  dropSync,
  errorAt,
  faultFs,
  hookAt,
  record,
  type Tear,
} from '../helpers/fault-fs.ts';
import { readTree, type Tree, type Unsynced } from '../helpers/fault-log.ts';
import { losable, powerCuts, replay, writeTree } from '../helpers/fault-replay.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

function memory(files: Record<string, string> = { '/w/f': 'old' }): Fs {
  return promisesFs(createFsFromVolume(Volume.fromJSON(files)));
}

/** The durable replacement: open, write, sync, close, rename, and for the folder open, sync, close: 8 calls. */
async function replace(fs: Fs): Promise<void> {
  await replaceFile(fs, '/w/f', text('new!'), '/w/t');
  await syncFolder(fs, '/w');
}

/** File names with their contents, for comparing. */
function words(tree: Tree): Record<string, string | null> {
  const decode = (image: Tree extends Map<string, infer T> ? T : never): string | null =>
    image === null || typeof image === 'string' ? image : new TextDecoder().decode(image.bytes);
  return Object.fromEntries([...tree].sort().map(([path, image]) => [path, decode(image)]));
}

async function onDisk(fs: Fs): Promise<Record<string, string | null>> {
  return words(await readTree(fs, '/w'));
}

describe('counting', () => {
  test('every call is numbered, those of handles too', async () => {
    const fs = faultFs(memory());
    await replace(fs);
    expect(fs.trace.map(call => call.method)).toEqual([
      'open',
      'handle.write',
      'handle.sync',
      'handle.close',
      'rename',
      'open',
      'handle.sync',
      'handle.close',
    ]);
    expect(fs.trace.map(call => call.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(fs.trace[1]!.path).toBe('/w/t');
  });

  test('no method of the contract goes past the counter', async () => {
    const fs = faultFs(memory({ '/w/f': '1', '/w/d/x': '' }));
    await fs.readFile('/w/f');
    await fs.readdir('/w');
    await fs.lstat('/w/f');
    await fs.realpath('/w/f');
    await fs.readlink('/w/f').catch(() => {});
    await fs.touch('/w/f');
    await fs.link('/w/f', '/w/g');
    await fs.unlink('/w/d/x');
    await fs.rmdir('/w/d');
    await fs.mkdir('/w/d');
    const handle = await fs.open('/w/f', 'read');
    await handle.stat();
    await handle.read(0, 1);
    await handle.chmod(0o600);
    await handle.chown(0, 0);
    await handle.close();
    expect(fs.trace.length).toBe(16);
  });
});

describe('crashing', () => {
  test.each<[Tear, string]>([
    ['before', ''],
    ['empty', ''],
    ['half', 'ne'],
    ['full', 'new!'],
  ])('a write is cut: %s', async (tear, left) => {
    const real = memory();
    const fs = faultFs(real, crashAt(2, tear));
    await expect(replace(fs)).rejects.toThrow(CrashError);
    expect(await onDisk(real)).toEqual({ f: 'old', t: left });
  });

  test.each<[Tear, object]>([
    ['before', { f: 'old', t: 'new!' }],
    ['empty', { f: 'old', t: 'new!' }],
    ['half', { f: 'new!' }],
    ['full', { f: 'new!' }],
  ])('a rename is done or not: %s', async (tear, left) => {
    const real = memory();
    await expect(replace(faultFs(real, crashAt(5, tear)))).rejects.toThrow(CrashError);
    expect(await onDisk(real)).toEqual(left);
  });

  test('nothing happens after the crash, and nothing is cleaned up', async () => {
    const real = memory();
    const fs = faultFs(real, crashAt(2, 'before'));
    await expect(createFile(fs, '/w/t', text('x'))).rejects.toThrow(CrashError);
    expect(fs.crashed).toBe(true);
    await expect(fs.unlink('/w/t')).rejects.toThrow(CrashError);
    await expect(fs.lstat('/w/t')).rejects.toThrow(CrashError);
    expect(await onDisk(real)).toEqual({ f: 'old', t: '' });
  });

  test('the handles of the dead process are closed', async () => {
    const root = await scratch();
    const fs = faultFs(nodeFs(), crashAt(2, 'before'));
    const handle = await fs.open(`${root}/f`, 'create');
    await expect(handle.write(text('x'))).rejects.toThrow(CrashError);
    const next = await nodeFs().open(`${root}/f`, 'read');
    expect(next.fd).toBe(handle.fd);
    await next.close();
  });
});

describe('failing', () => {
  test('once: the call fails with the code, later ones work', async () => {
    const real = memory();
    const fs = faultFs(real, errorAt(3, 'EIO'));
    expect(errno(await replace(fs).catch(error => error))).toBe('EIO');
    expect(await onDisk(real)).toEqual({ f: 'old' });
    await replace(fs);
    expect(await onDisk(real)).toEqual({ f: 'new!' });
  });

  test('forever: every later call of the same method fails too', async () => {
    const fs = faultFs(memory(), errorAt(3, 'EIO', 'forever'));
    for (let round = 0; round < 3; round++) {
      expect(errno(await replace(fs).catch(error => error))).toBe('EIO');
    }
  });

  test('a full disk takes the first half of a write', async () => {
    const real = memory();
    const handle = await faultFs(real, errorAt(2, 'ENOSPC')).open('/w/t', 'create');
    expect(errno(await handle.write(text('new!')).catch(error => error))).toBe('ENOSPC');
    expect(await onDisk(real)).toEqual({ f: 'old', t: 'ne' });
  });
});

test('a hook runs right before its call, and a delay lets others go first', async () => {
  const real = memory();
  const save = async (): Promise<void> => {
    await real.unlink('/w/f');
    await createFile(real, '/w/f', text('a person'));
  };
  const fs = faultFs(real, hookAt(2, save), delayAt(3, 20));
  expect(await fs.readFile('/w/f')).toEqual(text('old'));
  expect(await fs.readFile('/w/f')).toEqual(text('a person'));
  const order: number[] = [];
  await Promise.all([3, 4].map(n => fs.lstat('/w').then(() => order.push(n))));
  expect(order).toEqual([4, 3]);
});

/** A copy has inodes and times of its own. */
function withoutStat(tree: Tree): Map<string, unknown> {
  const bare = (entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null ? { ...entry, stat: undefined } : entry;
  return new Map([...tree].map(([path, entry]) => [path, bare(entry)]));
}

describe('replay', () => {
  /** Every state that a power cut after the run, or at any moment of it, can leave. */
  function statesOf(log: NonNullable<ReturnType<typeof faultFs>['log']>, cuts = powerCuts(log)): object[] {
    const states = cuts.flatMap(count =>
      (['full', 'empty', 'half'] as Unsynced[]).flatMap(unsynced =>
        [undefined, 'all' as const, ...losable(log, count)].map(lost =>
          words(replay(log, count, unsynced, lost)),
        ),
      ),
    );
    return [...new Map(states.map(state => [JSON.stringify(state), state])).values()];
  }

  async function recorded(run: (fs: Fs) => Promise<void>, ...drop: ReturnType<typeof dropSync>[]) {
    const fs = faultFs(memory(), record('/w'), ...drop);
    await run(fs);
    return fs.log!;
  }

  test('the whole protocol leaves the old or the new content, and the new one once it is done', async () => {
    const log = await recorded(replace);
    const states = statesOf(log);
    expect(states.map(state => (state as { f: string }).f)).toEqual(expect.arrayContaining(['old', 'new!']));
    for (const state of states) expect(['old', 'new!']).toContain((state as { f: string }).f);
    expect(statesOf(log, [log.entries.length])).toEqual([{ f: 'new!' }]);
  });

  test('without the sync of the file the target can be empty or torn', async () => {
    const log = await recorded(replace, dropSync('files'));
    expect(statesOf(log, [log.entries.length])).toEqual([{ f: 'new!' }, { f: '' }, { f: 'ne' }]);
  });

  test('without the sync of the folder the rename can be lost', async () => {
    const log = await recorded(replace, dropSync('folders'));
    expect(statesOf(log, [log.entries.length])).toContainEqual({ f: 'old', t: 'new!' });
  });

  test('one change of a folder is lost alone, later ones survive', async () => {
    const log = await recorded(async fs => {
      await createFile(fs, '/w/a', text('a'));
      await createFile(fs, '/w/b', text('b'));
      await fs.link('/w/b', '/w/c');
      await fs.unlink('/w/f');
    });
    const end = log.entries.length;
    expect(losable(log, end).length).toBe(4);
    expect(losable(log, end).map(lost => words(replay(log, end, 'full', lost)))).toEqual([
      { b: 'b', c: 'b' },
      { a: 'a', c: 'b' },
      { a: 'a', b: 'b' },
      { a: 'a', b: 'b', c: 'b', f: 'old' },
    ]);
  });

  test('a folder that was not synced into its parent is lost with all in it', async () => {
    const log = await recorded(async fs => {
      await fs.mkdir('/w/d');
      await createFile(fs, '/w/d/x', text('x'));
      await syncFolder(fs, '/w/d');
    });
    expect(losable(log, log.entries.length).length).toBe(1);
    expect(words(replay(log, log.entries.length, 'full', 'all'))).toEqual({ f: 'old' });
  });

  test('an append keeps what was synced before', async () => {
    const log = await recorded(async fs => {
      const handle = await fs.open('/w/f', 'append');
      await handle.write(text('1234'));
      await handle.close();
    });
    const end = log.entries.length;
    expect(words(replay(log, end, 'empty'))).toEqual({ f: 'old' });
    expect(words(replay(log, end, 'half'))).toEqual({ f: 'old12' });
  });

  test('a sync covers only what was there when it began', async () => {
    const log = await recorded(async fs => {
      const folder = await fs.open('/w', 'directory');
      await Promise.all([folder.sync(), fs.rename('/w/f', '/w/g')]);
      await folder.close();
    });
    expect(losable(log, log.entries.length).length).toBe(1);
  });

  test('what happened through descriptors, links and on a real disk comes back on a real disk', async () => {
    const root = await scratch();
    await createFile(nodeFs(), `${root}/run.sh`, text('#!'), { mode: 0o755 });
    await nodeFs().mkdir(`${root}/d`);
    await symlink('d', `${root}/l`);
    const fs = faultFs(nodeFs(), record(root));
    const folder = await fs.open(`${root}/d`, 'directory');
    const below = fs.descriptorPaths ? `/proc/self/fd/${folder.fd}` : `${root}/d`;
    await createFile(fs, `${below}/x`, text('x'), { mode: 0o600 });
    await fs.rename(`${root}/l/x`, `${root}/y`);
    await folder.close();
    const tree = replay(fs.log!, fs.log!.entries.length, 'full');
    expect(words(tree)).toEqual({ d: null, l: 'd', 'run.sh': '#!', y: 'x' });
    await writeTree(tree, `${root}/copy`);
    const copy = await readTree(nodeFs(), `${root}/copy`);
    expect(withoutStat(copy)).toEqual(withoutStat(tree));
  });
});

async function scratch(): Promise<string> {
  const root = await mkdtemp(`${tmpdir()}/fault-fs-`);
  onTestFinished(() => rm(root, { recursive: true }));
  return root;
}

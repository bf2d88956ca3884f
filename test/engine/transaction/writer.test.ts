/** The one writer of a repository in a process: its journal, its lock, and what it knows of others. */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../src/engine/transaction/journal/journal.ts';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openWorkspace, type Session } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { until } from '../../crash/killed-landing.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { inMemory } from '../../helpers/in-memory.ts';
import { deadLock } from '../../helpers/locks.ts';
import { openBelow } from '../../helpers/open-below.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

const FILES = { 'a.txt': 'a\n', 'f.txt': 'one\n' };

const journals = (repo: Place): string[] =>
  readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'));

const create = (session: Session, path: string, text = `${path}\n`): Promise<unknown> =>
  session.edit('create', { path, file_text: text });

const replaceOne = (session: Session): Promise<unknown> =>
  session.edit('str_replace', { path: 'f.txt', old_str: 'one', new_str: 'ONE' });

/** The disk, on which a file of the work tree cannot be put in place once. */
function failingOnce(path: string): Fs {
  const disk = nodeFs();
  let isArmed = true;
  return overriding(disk, {
    rename: async (from, to) => {
      if (!isArmed || !to.endsWith(`/${path}`)) return disk.rename(from, to);
      isArmed = false;
      return failing('EMFILE')();
    },
  });
}

describe('the journal', () => {
  it('is empty after each change in memory, where nothing can be lost', async () => {
    const { fs, workspace } = await inMemory();
    for (const path of ['a.txt', 'b.txt']) {
      await create(workspace.session(), path);
      const names = await fs.promises.readdir('/w/.git/vedit');
      expect(names.filter(name => name.startsWith('journal.'))).toEqual([]);
    }
    await workspace.close();
  });

  it('that is full stays while its last change is not finished', async () => {
    const repo = personRepo(FILES);
    await inEndedProcess(
      repo,
      async workspace => {
        const session = workspace.session();
        // Together with the last one a mebibyte, of which each record holds less than a fourth.
        for (let n = 0; n < 6; n++)
          await create(session, `n${n}.txt`, `${seededBytes(160_000).toString('base64')}\n`);
        const [before] = journals(repo);
        await session.edit('str_replace', {
          path: 'f.txt',
          old_str: 'one',
          new_str: seededBytes(150_000).toString('base64'),
        });
        expect(journals(repo)).toEqual([before]);
      },
      { fs: failingOnce('f.txt') },
    );
    expect(repo.read('f.txt')).toBe('one\n');
    const next = await openAs(repo);
    await create(next.session(), 'next.txt');
    expect(repo.read('f.txt').length).toBeGreaterThan(150_000);
    await next.close();
  });

  it('begins with a number that no journal before had', async () => {
    const repo = personRepo(FILES);
    const numbers: number[] = [];
    for (const path of ['one.txt', 'two.txt', 'three.txt']) {
      const workspace = await openAs(repo);
      await create(workspace.session(), path);
      numbers.push(Number(journals(repo)[0]!.slice('journal.'.length)));
      await workspace.close();
      expect(journals(repo)).toEqual([]);
    }
    expect(new Set(numbers).size).toBe(3);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);
  });

  it('that was begun when the lock was lost meanwhile gets no record of its owner', async () => {
    const repo = personRepo(FILES);
    const disk = nodeFs();
    let isArmed = true;
    const fs = overriding(disk, {
      open: async (path, how, mode) => {
        if (isArmed && how === 'create' && /journal\.\d+$/.test(path)) {
          isArmed = false;
          rmSync(repo.path('.git/vedit/lock'));
        }
        return disk.open(path, how, mode);
      },
    });
    const workspace = await openAs(repo, { fs });
    await create(workspace.session(), 'one.txt');
    const journal = new Journal({ fs: disk, codec: nativeCodec, folder: repo.path('.git/vedit') });
    const counts: number[] = [];
    for (const number of await journal.list()) counts.push((await journal.read(number))!.records.length);
    expect([isArmed, counts]).toEqual([false, [1]]);
    await workspace.close();
  });

  it('is made durable in its own place after a while also when a call was refused meanwhile', async () => {
    const repo = personRepo(FILES);
    const workspace = await repo.open({ patience: { engine: 30 } });
    const session = workspace.session();
    await create(session, 'one.txt');
    const before = journals(repo);
    const lock = { ...deadLock(), ...nodeProcesses().self };
    writeFileSync(repo.path('.git/vedit/lock'), JSON.stringify(lock));
    expect(await codeOf(create(session, 'two.txt'))).toBe('LOCKED');
    expect(journals(repo)).toEqual(before);
    rmSync(repo.path('.git/vedit/lock'));
    await until(() => journals(repo).join() !== before.join() && journals(repo).length === 1);
    expect(repo.git('count-objects', '-v')).toMatch(/packs: 1/);
    await workspace.close();
  });
});

describe('the lock', () => {
  const LOSSES: [string, (repo: Place) => void][] = [
    ['was removed', repo => rmSync(repo.path('.git/vedit/lock'))],
    [
      'is that of somebody who took it over and died',
      repo => {
        rmSync(repo.path('.git/vedit/lock'));
        writeFileSync(repo.path('.git/vedit/lock'), JSON.stringify(deadLock()));
      },
    ],
  ];

  it.each(LOSSES)('that %s is taken again, and the edit made once', async (_, lose) => {
    const repo = personRepo(FILES);
    const disk = nodeFs();
    let isArmed = false;
    const fs = overriding(disk, {
      link: async (from, to) => {
        if (isArmed && to.endsWith('refs/vedit/main.lock')) {
          isArmed = false;
          lose(repo);
        }
        return disk.link(from, to);
      },
    });
    const workspace = await openAs(repo, { fs });
    const session = workspace.session();
    await create(session, 'one.txt');
    isArmed = true;
    await create(session, 'two.txt');
    await create(session, 'three.txt');
    await workspace.close();
    expect(isArmed).toBe(false);
    expect(repo.git('log', '--format=%s', 'HEAD..vedit/main').split('\n')).toEqual([
      'create three.txt (+1 -0)',
      'create two.txt (+1 -0)',
      'create one.txt (+1 -0)',
    ]);
    expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
    expect(existsSync(repo.path('.git/refs/vedit/main.lock'))).toBe(false);
  });

  it('lost in an edit that is refused then: a power cut does not bring that edit back', async () => {
    const repo = personRepo(FILES);
    const disk = nodeFs();
    let isArmed = false;
    const fs = overriding(disk, {
      link: async (from, to) => {
        if (isArmed && to.endsWith('refs/vedit/main.lock')) {
          isArmed = false;
          rmSync(repo.path('.git/vedit/lock'));
          repo.write('f.txt', 'somebody\n');
        }
        return disk.link(from, to);
      },
    });
    await inEndedProcess(
      repo,
      async workspace => {
        const session = workspace.session();
        await create(session, 'one.txt');
        isArmed = true;
        expect(await codeOf(replaceOne(session))).toBe('NO_MATCH');
      },
      { fs },
    );
    const tip = repo.git('rev-parse', 'vedit/main');
    await (await openAs(repo, { boot: 'another' })).close();
    expect([repo.git('rev-parse', 'vedit/main'), repo.read('f.txt')]).toEqual([tip, 'somebody\n']);
  });
});

it.skipIf(process.platform !== 'linux')(
  'no folder of another work tree stays open after its records were settled',
  async () => {
    const repo = personRepo(FILES);
    repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
    const open = (): string[] => openBelow(repo.path('..'));
    const [main, side] = [await repo.open(), await openWorkspace({ root: repo.path('../side') })];
    const counts: number[] = [];
    for (let n = 0; n < 3; n++) {
      for (const folder of ['d', 'e/f', 'g']) await create(side.session(), `${folder}/n${n}.txt`);
      // Settled by a workspace that is open on the main work tree only.
      const other = await repo.open();
      await create(other.session(), `m${n}.txt`);
      await other.close();
      counts.push(open().length);
    }
    expect(counts[2]).toBeLessThanOrEqual(counts[1]!);
    await main.close();
    await side.close();
    await until(() => open().length === 0);
  },
);

it('what another process recorded is not synced once more, nor is the journal opened again', async () => {
  const repo = personRepo(FILES);
  const disks = [faultFs(nodeFs()), faultFs(nodeFs())];
  const sessions: Session[] = [];
  const workspaces = await Promise.all(disks.map(fs => openAs(repo, { fs })));
  for (const workspace of workspaces) sessions.push(workspace.session());
  const [syncs, opened]: [number[], string[]] = [[], []];
  for (let n = 0; n < 8; n++) {
    const { trace } = disks[n % 2]!;
    const before = trace.length;
    await create(sessions[n % 2]!, `n${n}.txt`);
    const calls = trace.slice(before);
    syncs.push(calls.filter(({ method }) => /sync/i.test(method)).length);
    const journal = calls.filter(({ method, path }) => method === 'open' && /journal\.\d+$/.test(path));
    if (n > 1) opened.push(...journal.map(({ path }) => path));
  }
  expect(opened).toEqual([]);
  expect(syncs.slice(2)).toEqual([2, 2, 2, 2, 2, 2]);
  for (const workspace of workspaces) await workspace.close();
});

it('goes on behind the checkpoint of another process without reading all journals or tidying up', async () => {
  const repo = personRepo(FILES);
  const disk = faultFs(nodeFs());
  const workspace = await openAs(repo, { fs: disk });
  const folder = repo.path('.git/vedit');
  await create(workspace.session(), 'one.txt');
  const journal = new Journal<unknown>({ fs: nodeFs(), codec: nativeCodec, folder });
  const file = (await journal.readAll()).at(-1)!;
  await journal.begin({ ...file.header, seal: file.end }, file.number + 1);
  await journal.remove(file.number);
  const before = disk.trace.length;
  await create(workspace.session(), 'two.txt');
  const listed = disk.trace.slice(before).filter(({ method }) => method === 'readdir');
  expect(listed.map(({ path }) => path).filter(path => path === folder)).toEqual([]);
  expect((await journal.read(file.number + 1))?.records.length).toBe(1);
  await journal.close();
  await workspace.close();
});

it('two work trees of a shared repository in one process never give two files one name', async () => {
  const repo = personRepo(FILES);
  repo.git('config', 'core.sharedRepository', 'group');
  repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
  const platform = { fs: failingOnce('f.txt'), codec: nativeCodec, processes: processOfBoot('first') };
  const main = await openOn(platform, { root: repo.dir });
  const side = await openOn(platform, { root: repo.path('../side') });
  await create(main.session(), 'm.txt');
  await create(side.session(), 's.txt');
  await replaceOne(main.session());
  const left = readdirSync(repo.path('.git/vedit/tmp'));
  expect([left.length > 0, repo.read('f.txt')]).toEqual([true, 'one\n']);
  for (let n = 0; n < 3; n++) await create(side.session(), `s${n}.txt`);
  expect(repo.read('f.txt')).toBe('ONE\n');
  const files = await new Journal<{ name: string }>({
    fs: nodeFs(),
    codec: nativeCodec,
    folder: repo.path('.git/vedit'),
  }).readAll();
  const names = files.flatMap(({ records }) => records.map(({ data }) => data.name));
  expect(new Set(names).size).toBe(names.length);
  await main.close();
  await side.close();
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
});

/** What a checkpoint makes durable before the journal goes, and how many of them run beside each other. */

import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileHandle, Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import type { Workspace } from '../../../src/index.ts';
import { overriding } from '../../helpers/overriding.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The disk, which notes what is synced while `synced` is there. */
class Watched {
  synced: string[] | null = null;
  readonly fs: Fs;

  constructor() {
    const real = nodeFs();
    const noting = (path: string, handle: FileHandle): FileHandle =>
      overriding(handle, {
        sync: () => {
          this.synced?.push(path);
          return handle.sync();
        },
      });
    this.fs = overriding(real, {
      open: async (path, ...rest) => noting(path, await real.open(path, ...rest)),
    });
  }
}

it.each([
  ['beside the branch', personRepo, ['.git/refs/vedit', '.git/refs/vedit/main', 'src']],
  ['on the branch', ownRepo, ['.git', '.git/index', '.git/refs/heads', '.git/refs/heads/main', 'src']],
])(
  'syncs ref, files and index with their folders, %s, before it removes the journal',
  async (_, make, paths) => {
    const repo = make({ 'a.txt': 'a\n' });
    const watched = new Watched();
    const workspace = await openAs(repo, { fs: watched.fs });
    await workspace.session().edit('create', { path: 'src/one.txt', file_text: 'one\n' });
    watched.synced = [];
    await workspace.close();
    expect(journals(repo)).toEqual([]);
    // A folder of the work tree is opened by its name in an open folder.
    const named = (path: string): string =>
      path.startsWith(repo.dir) ? path.slice(repo.dir.length + 1) : path.replace(/^.*\//, '');
    const synced = new Set(watched.synced.map(named));
    expect([...synced].filter(path => paths.includes(path)).sort()).toEqual(paths);
    expect(synced).toContain('.git/objects/pack');
    expect(repo.git('count-objects', '-v')).toMatch(/^packs: 1$/m);
  },
);

it('packs every object of its records, wherever else it lies: a gc may be about to remove it there', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await openAs(repo);
  await workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' });
  repo.git('repack', '-adq');
  repo.git('prune-packed');
  const folder = repo.path('.git/objects/pack');
  const theirs = readdirSync(folder);
  await workspace.close();
  expect(journals(repo)).toEqual([]);
  // Blob, tree and commit: the person's own objects are not in it.
  const [own] = readdirSync(folder).filter(name => !theirs.includes(name) && name.endsWith('.idx'));
  const rows = repo.git('verify-pack', '-v', `.git/objects/pack/${own}`).split('\n');
  expect(rows.filter(row => /^[0-9a-f]{40} /.test(row))).toHaveLength(3);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

it('leaves no loose file of what it packed, and every one of a person', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const theirs = repo.git('count-objects');
  const workspace = await openAs(repo);
  await workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' });
  await workspace.close();
  expect(repo.git('count-objects')).toBe(theirs);
});

const journals = (repo: Place): string[] =>
  existsSync(repo.path('.git/vedit'))
    ? readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'))
    : [];

class Gate {
  open: () => void = () => {};
  readonly opened: Promise<void> = new Promise(resolve => {
    this.open = resolve;
  });
}

it('begins no file of its own while another one runs', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const gate = new Gate();
  const reached = new Gate();
  const real = nodeFs();
  const fs = overriding(real, {
    rename: async (from, to) => {
      if (to.endsWith('.pack')) {
        reached.open();
        await gate.opened;
      }
      return real.rename(from, to);
    },
  });
  const workspace = await openAs(repo, { fs });
  const session = workspace.session();
  await session.edit('create', { path: '1.txt', file_text: '1\n' });
  await vi.advanceTimersByTimeAsync(1_000);
  await reached.opened;
  expect(journals(repo)).toHaveLength(2);
  for (const n of [2, 3]) {
    await session.edit('create', { path: `${n}.txt`, file_text: `${n}\n` });
    await vi.advanceTimersByTimeAsync(1_000);
    // It comes after the turn in which the next checkpoint would begin.
    await session.edit('create', { path: `${n}-again.txt`, file_text: `${n}\n` });
    expect(journals(repo)).toHaveLength(2);
  }
  gate.open();
  await workspace.close();
  expect(journals(repo)).toEqual([]);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

/** The disk, on which a pack waits for the gate before it has its name; `locked` notes whether somebody held the lock then. */
function packsAt(repo: Place, gate: Gate, locked: boolean[]): Fs {
  const real = nodeFs();
  return overriding(real, {
    rename: async (from, to) => {
      if (to.endsWith('.pack')) {
        locked.push(existsSync(repo.path('.git/vedit/lock')));
        await gate.opened;
      }
      return real.rename(from, to);
    },
  });
}

describe('on close, others do not wait', () => {
  const create = async (workspace: Workspace, path: string): Promise<unknown> =>
    workspace.session().edit('create', { path, file_text: `${path}\n` });

  it('until many edits are packed, and what they add stays theirs', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const [gate, locked] = [new Gate(), [] as boolean[]];
    const workspace = await openAs(repo, { fs: packsAt(repo, gate, locked) });
    for (let n = 0; n < 20; n++) await create(workspace, `${n}.txt`);
    const closed = workspace.close();
    await vi.waitFor(() => expect(locked).toEqual([false]));
    const other = await openAs(repo);
    for (let n = 20; n < 40; n++) await create(other, `${n}.txt`);
    gate.open();
    await closed;
    expect(journals(repo)).toHaveLength(1);
    expect(repo.git('count-objects', '-v')).toMatch(/^packs: 1$/m);
    await other.close();
    expect(journals(repo)).toEqual([]);
    expect(repo.git('count-objects', '-v')).toMatch(/^in-pack: 120$/m);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('after another process died with its own still to be packed', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await inEndedProcess(repo, async workspace => {
      for (let n = 0; n < 20; n++) await create(workspace, `${n}.txt`);
    });
    const [gate, locked] = [new Gate(), [] as boolean[]];
    gate.open();
    const workspace = await openAs(repo, { fs: packsAt(repo, gate, locked) });
    await create(workspace, 'new.txt');
    await workspace.close();
    expect(locked[0]).toBe(false);
    expect(journals(repo)).toEqual([]);
    expect(repo.git('count-objects', '-v')).toMatch(/^in-pack: 63$/m);
  });
});

/** What a checkpoint makes durable before the journal goes, and how many of them run beside each other. */

import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileHandle, Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import type { Workspace } from '../../../src/index.ts';
import { overriding } from '../../helpers/overriding.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';
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

it('puts nothing in a pack that a git has packed meanwhile', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await openAs(repo);
  await workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' });
  repo.git('repack', '-adq');
  repo.git('prune-packed');
  const packed = (): string => /^in-pack: .*/m.exec(repo.git('count-objects', '-v'))![0];
  const before = packed();
  await workspace.close();
  expect([journals(repo), packed()]).toEqual([[], before]);
});

it('packs of each edit no more than what it changed: the file and its folders lean on those before it', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `${n} ${seededBytes(60).toString('base64')}\n`);
  const repo = personRepo({ 'src/a.txt': lines.join(''), 'src/b.txt': 'b\n' });
  const workspace = await openAs(repo);
  const session = workspace.session();
  for (const n of [7, 8, 9])
    await session.edit('str_replace', { path: 'src/a.txt', old_str: lines[n]!, new_str: `${n}\n` });
  await workspace.close();
  const [pack] = readdirSync(repo.path('.git/objects/pack')).filter(name => name.endsWith('.idx'));
  const rows = repo.git('verify-pack', '-v', `.git/objects/pack/${pack}`).split('\n');
  // Oid, type, size, size in the pack, offset; of a delta its depth and base too.
  const deltas = rows.map(row => row.split(/ +/)).filter(words => words.length === 7);
  const count = (type: string): number => deltas.filter(words => words[1] === type).length;
  expect([count('blob'), count('tree') >= 2]).toEqual([2, true]);
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

it('a git gc may pack a large change anew as soon as its refs are durable', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await openAs(repo);
  const keeps = (): string[] =>
    readdirSync(repo.path('.git/objects/pack')).filter(name => name.endsWith('.keep'));
  const text = Array.from({ length: 100_000 }, (_, n) => `${n * 7919}\n`).join('');
  await workspace.session().edit('create', { path: 'large.txt', file_text: text });
  expect(keeps()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(keeps()).toEqual([]));
  await workspace.close();
});

/** The disk, on which a pack waits for the gate before it has its name; `locked` notes whether somebody held the lock then. */
function packsAt(repo: Place, gate: Gate, locked: boolean[]): Fs {
  const real = nodeFs();
  const note = (): number => locked.push(existsSync(repo.path('.git/vedit/lock')));
  return overriding(real, {
    rename: async (from, to) => {
      if (to.endsWith('.pack')) {
        note();
        await gate.opened;
      }
      return real.rename(from, to);
    },
    link: (from, to) => {
      if (to.endsWith('gc.pid')) note();
      return real.link(from, to);
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

  it('until packs are joined', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const gate = new Gate();
    gate.open();
    for (let n = 0; n < 10; n++) {
      const workspace = await openAs(repo);
      await create(workspace, `${n}.txt`);
      await workspace.close();
    }
    const locked: boolean[] = [];
    const last = await openAs(repo, { fs: packsAt(repo, gate, locked) });
    await create(last, 'last.txt');
    await last.close();
    // The pack of one edit, gc.pid, and the pack of all.
    expect(locked).toEqual([true, false, false]);
    expect(repo.git('count-objects', '-v')).toMatch(/^packs: 1$/m);
    expect(journals(repo)).toEqual([]);
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

it('goes on while packs are joined', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  for (let n = 0; n < 10; n++) {
    const workspace = await openAs(repo);
    await workspace.session().edit('create', { path: `${n}.txt`, file_text: `${n}\n` });
    await workspace.close();
  }
  const [joining, gate] = [new Gate(), new Gate()];
  const real = nodeFs();
  const fs = overriding(real, {
    link: async (from, to) => {
      if (to.endsWith('gc.pid')) {
        joining.open();
        await gate.opened;
      }
      return real.link(from, to);
    },
  });
  const workspace = await openAs(repo, { fs });
  const packs = (): string => /^packs: .*/m.exec(repo.git('count-objects', '-v'))![0];
  for (const count of [11, 12]) {
    const path = `more-${count}.txt`;
    await workspace.session().edit('create', { path, file_text: `${count}\n` });
    await vi.advanceTimersByTimeAsync(1_000);
    await joining.opened;
    await vi.waitFor(() => expect(packs()).toBe(`packs: ${count}`));
  }
  gate.open();
  await workspace.close();
  expect(packs()).toBe('packs: 1');
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

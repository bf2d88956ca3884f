/** Somebody else does something between any two calls of an edit: an editor saves, git stages, commits, or holds a lock. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { type Call, type Fault, hookAt } from '../helpers/fault-fs.ts';
import { at } from '../helpers/real-git.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { describe } from './crash-points.ts';
import type { FaultHarness, State } from './fault-harness.ts';
import { readImage } from './image.ts';
import { gitsOwn } from './promises.ts';

/** What somebody does, and what has to hold afterwards. */
export interface Other {
  name: string;
  /** The faults that make it happen right before call `n`. */
  act(harness: FaultHarness, n: number): Fault[];
  /** What is lost of what was done. */
  lost(harness: FaultHarness, state: State): string[];
  /** True of the calls before which the calls of POSIX leave the loss open; see dev/testing.md. */
  isOpen?(call: Call, trace: readonly Call[]): boolean;
}

const MARK = 'saved by hand\n';
const target = (harness: FaultHarness): string => join(harness.root, 'a.txt');

/** In the file, or in some version of it in history. */
function textLost(harness: FaultHarness): string[] {
  if (existsSync(target(harness)) && readFileSync(target(harness), 'utf8').includes(MARK)) return [];
  const git = at(join(harness.dir, harness.scenario.place.gitDir));
  const commits = git.git('rev-list', '--all').split('\n');
  try {
    git.git('grep', '-q', MARK.trim(), ...commits);
    return [];
  } catch {
    return ['I5 what the editor saved is neither in the file nor in history'];
  }
}

const editor = (name: string, save: (path: string) => void): Other => ({
  name: `an editor that saves ${name}`,
  act: (harness, n) => [hookAt(n, () => save(target(harness)))],
  lost: textLost,
});

/** Between the last look at the file and the rename that replaces it there is no room for another call. */
const renamer: Other = {
  ...editor('by a rename', saveByRename),
  isOpen: ({ method, path }) => method === 'rename' && /\/vedit\/tmp\/[0-9a-f]{24}\.\d+-\d+$/.test(path),
};

function saveByRename(path: string): void {
  writeFileSync(`${path}~`, `alpha\n${MARK}`);
  renameSync(`${path}~`, path);
}

/** It opened the file before the edit began, and writes at last. */
const slowEditor: Other = {
  name: 'an editor that has the file open',
  act: (harness, n) => {
    let fd = -1;
    const open = hookAt(1, () => {
      fd = openSync(target(harness), 'r+');
    });
    const write = hookAt(n, () => {
      replaced = namesOf(harness, fd);
      writeSync(fd, MARK, 0);
      closeSync(fd);
    });
    return [open, write];
  },
  lost: textLost,
  // After the last look at it the replaced file goes, with what is written into it then.
  isOpen: ({ n }, trace) => {
    if (replaced.isGone) return true;
    const look = trace.findLast(
      ({ method, path }) => LOOKS.has(method) && replaced.names.includes(basename(path)),
    );
    return look !== undefined && n > look.n;
  },
};

/** The file that the slow editor had open when it wrote: its names below vedit/tmp, and whether it had no name at all. */
let replaced: { names: string[]; isGone: boolean } = { names: [], isGone: false };

function namesOf(harness: FaultHarness, fd: number): typeof replaced {
  const { ino, nlink } = fstatSync(fd);
  const folder = join(harness.dir, harness.scenario.place.gitDir, 'vedit/tmp');
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.was')) : [];
  return { names: names.filter(name => statSync(join(folder, name)).ino === ino), isGone: nlink === 0 };
}

const LOOKS = new Set(['lstat', 'handle.stat', 'handle.read']);

export const editors: readonly Other[] = [
  editor('in place', path => writeFileSync(path, `alpha\n${MARK}`)),
  editor('the same length in place', path => writeFileSync(path, `alpha\n${MARK}`.padEnd(28, '.'))),
  editor('at the end', path => appendFileSync(path, MARK)),
  renamer,
  slowEditor,
];

/** The text is staged, and the file holds another one. */
export const stager: Other = {
  name: 'git add',
  act: (harness, n) => [
    hookAt(n, () => {
      const was = readFileSync(target(harness));
      writeFileSync(target(harness), MARK);
      try {
        at(harness.root).git('add', 'a.txt');
      } catch {
        // Git found its lock taken, and said so.
        staged.delete(harness);
        return;
      } finally {
        writeFileSync(target(harness), was);
      }
      staged.add(harness);
    }),
  ],
  lost: harness =>
    staged.delete(harness) && !stagedOrRecorded(harness) ? ['I6 what was staged is lost'] : [],
};

const staged = new Set<FaultHarness>();

function stagedOrRecorded(harness: FaultHarness): boolean {
  const index = at(harness.root).git('ls-files', '-s', 'a.txt');
  const blob = at(harness.root).pipe(MARK, 'hash-object', '--stdin').toString().trim();
  return index.includes(blob) || textLost(harness).length === 0;
}

/** A commit of somebody else on the ref of the trail, as any git makes it. */
export const committer: Other = {
  name: 'a commit on the same ref',
  act: (harness, n) => [
    hookAt(n, () => {
      const git = at(harness.root);
      const ref = trailRef(harness);
      try {
        const old = git.git('rev-parse', '-q', '--verify', ref);
        const commit = git.git('commit-tree', '-p', old, '-m', 'foreign', `${old}^{tree}`);
        git.git('update-ref', ref, commit, old);
        foreign.set(harness, commit);
      } catch {
        foreign.delete(harness);
      }
    }),
  ],
  lost: harness => {
    const commit = foreign.get(harness);
    foreign.delete(harness);
    if (commit === undefined) return [];
    const on = at(harness.root).git('rev-list', trailRef(harness));
    return on.includes(commit) ? [] : ["I4 somebody else's commit is lost"];
  },
};

const foreign = new Map<FaultHarness, string>();

function trailRef(harness: FaultHarness): string {
  return harness.scenario.place.name.startsWith('on') ? 'refs/heads/main' : 'refs/vedit/main';
}

/** A lock that another program takes at this moment and keeps. */
export const locker = (file: string): Other => ({
  name: `somebody who holds ${file}`,
  act: (harness, n) => [
    hookAt(n, () => {
      const path = lockOf(harness, file);
      if (!existsSync(dirname(path)) || existsSync(path)) return;
      writeFileSync(path, MARK, { flag: 'wx' });
      held.add(harness);
    }),
  ],
  lost: harness => {
    const path = lockOf(harness, file);
    const kept = existsSync(path) && readFileSync(path, 'utf8') === MARK;
    rmSync(path, { force: true });
    return held.delete(harness) && !kept ? ['I7 the lock of somebody else was removed'] : [];
  },
});

const held = new Set<FaultHarness>();

function lockOf(harness: FaultHarness, file: string): string {
  return join(harness.dir, harness.scenario.place.gitDir, file);
}

/** Before every `stride`-th call, each time on a file system that `real` makes. */
export async function tryOther(
  harness: FaultHarness,
  other: Other,
  tally: Tally,
  stride = 1,
  from = 0,
  real: () => Fs = nodeFs,
): Promise<void> {
  for (let i = from; i < harness.calls.length; i += stride) {
    const call = harness.calls[i]!;
    harness.reset();
    const state = await harness.runOn(real(), ...other.act(harness, call.n));
    // Runs differ by a few calls: files that are new are read once more than others.
    const came = state.fs.trace[call.n - 1];
    const lost = came ? other.lost(harness, state) : [];
    const open = came && lost.length > 0 && other.isOpen?.(came, state.fs.trace);
    if (open) tally.open++;
    const broken = [...(open ? [] : lost), ...(await stillWorks(harness, state))];
    tally.points++;
    tally.states++;
    note(tally, `${other.name} before ${describe(came ?? call)}`, broken);
  }
}

/** I1, I4, I7, I8: whatever came of the edit. */
async function stillWorks(harness: FaultHarness, state: State): Promise<string[]> {
  const next = await harness.next();
  if (!next.acknowledged) return [`I8 the next edit failed: ${String((next.error as Error).message)}`];
  const tree = readImage(harness.dir);
  const snapshot = harness.snapshot(tree);
  const reached = at(harness.root).git('rev-list', '--all');
  const lost = state.acknowledged && !reached.includes(state.acknowledged);
  return [
    ...gitsOwn(harness, snapshot),
    ...snapshot.residue.map(path => `I7 ${path} lies around`),
    ...(lost ? ['I4 an acknowledged commit is lost'] : []),
  ];
}

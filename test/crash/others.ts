/** Somebody else does something between any two calls of an edit: an editor saves, git stages, commits, or holds a lock. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { type Call, type Fault, hookAt } from '../fs/fault-fs.ts';
import { at } from '../git/real-git.ts';
import { describe } from './crash-points.ts';
import { readImage } from './image.ts';
import type { Lab, State } from './lab.ts';
import { gitsOwn } from './promises.ts';
import { note, type Tally } from './tally.ts';

/** What somebody does, and what has to hold afterwards. */
export interface Other {
  name: string;
  /** The faults that make it happen right before call `n`. */
  act(lab: Lab, n: number): Fault[];
  /** What is lost of what was done. */
  lost(lab: Lab, state: State): string[];
  /** True of the calls before which the calls of POSIX leave the loss open; see docs/testing.md. */
  isOpen?(call: Call, trace: readonly Call[]): boolean;
}

const MARK = 'saved by hand\n';
const target = (lab: Lab): string => join(lab.root, 'a.txt');

/** In the file, or in some version of it in history. */
function textLost(lab: Lab): string[] {
  if (existsSync(target(lab)) && readFileSync(target(lab), 'utf8').includes(MARK)) return [];
  const git = at(join(lab.dir, lab.scenario.place.gitDir));
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
  act: (lab, n) => [hookAt(n, () => save(target(lab)))],
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
  act: (lab, n) => {
    let fd = -1;
    const open = hookAt(1, () => {
      fd = openSync(target(lab), 'r+');
    });
    const write = hookAt(n, () => {
      writeSync(fd, MARK, 0);
      closeSync(fd);
    });
    return [open, write];
  },
  lost: textLost,
  // After the last look at it the replaced file goes, with what is written into it then.
  isOpen: ({ n }, trace) => {
    const look = trace.findLast(({ method, path }) => path.endsWith('.was') && LOOKS.has(method));
    return look !== undefined && n > look.n;
  },
};

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
  act: (lab, n) => [
    hookAt(n, () => {
      const was = readFileSync(target(lab));
      writeFileSync(target(lab), MARK);
      try {
        at(lab.root).git('add', 'a.txt');
      } catch {
        // Git found its lock taken, and said so.
        staged.delete(lab);
        return;
      } finally {
        writeFileSync(target(lab), was);
      }
      staged.add(lab);
    }),
  ],
  lost: lab => (staged.delete(lab) && !stagedOrRecorded(lab) ? ['I6 what was staged is lost'] : []),
};

const staged = new Set<Lab>();

function stagedOrRecorded(lab: Lab): boolean {
  const index = at(lab.root).git('ls-files', '-s', 'a.txt');
  const blob = at(lab.root).pipe(MARK, 'hash-object', '--stdin').toString().trim();
  return index.includes(blob) || textLost(lab).length === 0;
}

/** A commit of somebody else on the ref of the trail, as any git makes it. */
export const committer: Other = {
  name: 'a commit on the same ref',
  act: (lab, n) => [
    hookAt(n, () => {
      const git = at(lab.root);
      const ref = trailRef(lab);
      try {
        const old = git.git('rev-parse', '-q', '--verify', ref);
        const commit = git.git('commit-tree', '-p', old, '-m', 'foreign', `${old}^{tree}`);
        git.git('update-ref', ref, commit, old);
        foreign.set(lab, commit);
      } catch {
        foreign.delete(lab);
      }
    }),
  ],
  lost: lab => {
    const commit = foreign.get(lab);
    foreign.delete(lab);
    if (commit === undefined) return [];
    const on = at(lab.root).git('rev-list', trailRef(lab));
    return on.includes(commit) ? [] : ["I4 somebody else's commit is lost"];
  },
};

const foreign = new Map<Lab, string>();

function trailRef(lab: Lab): string {
  return lab.scenario.place.name.startsWith('on') ? 'refs/heads/main' : 'refs/vedit/main';
}

/** A lock that another program takes at this moment and keeps. */
export const locker = (file: string): Other => ({
  name: `somebody who holds ${file}`,
  act: (lab, n) => [
    hookAt(n, () => {
      const path = lockOf(lab, file);
      if (!existsSync(dirname(path)) || existsSync(path)) return;
      writeFileSync(path, MARK, { flag: 'wx' });
      held.add(lab);
    }),
  ],
  lost: lab => {
    const path = lockOf(lab, file);
    const kept = existsSync(path) && readFileSync(path, 'utf8') === MARK;
    rmSync(path, { force: true });
    return held.delete(lab) && !kept ? ['I7 the lock of somebody else was removed'] : [];
  },
});

const held = new Set<Lab>();

function lockOf(lab: Lab, file: string): string {
  return join(lab.dir, lab.scenario.place.gitDir, file);
}

/** Before every `stride`-th call, each time on a file system that `real` makes. */
export async function tryOther(
  lab: Lab,
  other: Other,
  tally: Tally,
  stride = 1,
  from = 0,
  real: () => Fs = nodeFs,
): Promise<void> {
  for (let i = from; i < lab.calls.length; i += stride) {
    const call = lab.calls[i]!;
    lab.reset();
    const state = await lab.runOn(real(), ...other.act(lab, call.n));
    // Runs differ by a few calls: files that are new are read once more than others.
    const came = state.fs.trace[call.n - 1];
    const lost = came ? other.lost(lab, state) : [];
    const open = came && lost.length > 0 && other.isOpen?.(came, state.fs.trace);
    if (open) tally.open++;
    const broken = [...(open ? [] : lost), ...(await stillWorks(lab, state))];
    tally.points++;
    tally.states++;
    note(tally, `${other.name} before ${describe(came ?? call)}`, broken);
  }
}

/** I1, I4, I7, I8: whatever came of the edit. */
async function stillWorks(lab: Lab, state: State): Promise<string[]> {
  const next = await lab.next();
  if (!next.acknowledged) return [`I8 the next edit failed: ${String((next.error as Error).message)}`];
  const tree = readImage(lab.dir);
  const picture = lab.picture(tree);
  const reached = at(lab.root).git('rev-list', '--all');
  const lost = state.acknowledged && !reached.includes(state.acknowledged);
  return [
    ...gitsOwn(lab, picture),
    ...picture.residue.map(path => `I7 ${path} lies around`),
    ...(lost ? ['I4 an acknowledged commit is lost'] : []),
  ];
}

/** The engine with one precaution taken away. The suite has to notice each of them, or it proves nothing. */

import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { dropSync } from '../helpers/fault-fs.ts';
import { overriding } from '../helpers/overriding.ts';
import type { Tally } from '../helpers/tally.ts';
import { tryCrashesOn } from './crash-points.ts';
import type { FaultHarness } from './fault-harness.ts';
import { committer, locker, tryOther } from './interference.ts';
import { tryPowerCuts } from './power-cuts.ts';

export interface Control {
  name: string;
  try(harness: FaultHarness, tally: Tally, stride: number, from: number): Promise<void>;
}

const STAGED = /\/vedit\/tmp\/[0-9a-f]{24}\.\d+-\d+$/;

export const controls: readonly Control[] = [
  {
    name: 'contents are not synced',
    try: (harness, tally, stride, from) => tryPowerCuts(harness, tally, stride, from, dropSync('files')),
  },
  {
    name: 'folders are not synced',
    try: (harness, tally, stride, from) => tryPowerCuts(harness, tally, stride, from, dropSync('folders')),
  },
  {
    name: 'no journal',
    try: (harness, tally, stride, from) =>
      tryCrashesOn(withoutJournal(nodeFs()), harness, tally, stride, from),
  },
  {
    name: 'temporaries beside the target',
    try: (harness, tally, stride, from) =>
      tryCrashesOn(besideTheTarget(nodeFs(), harness.root), harness, tally, stride, from),
  },
  {
    name: 'the ref is not compared',
    try: (harness, tally, stride, from) =>
      tryOther(harness, committer, tally, stride, from, () => withOldRefs(nodeFs())),
  },
  {
    name: 'a plain write where a file is created exclusively',
    try: (harness, tally, stride, from) =>
      tryOther(harness, locker('index.lock'), tally, stride, from, () => plainly(nodeFs())),
  },
];

/** What is appended is never there. */
function withoutJournal(fs: Fs): Fs {
  return overriding(fs, {
    readdir: async path => (await fs.readdir(path)).filter(name => !name.startsWith('journal.')),
  });
}

function besideTheTarget(fs: Fs, root: string): Fs {
  const moved = (path: string): string =>
    STAGED.test(path) ? `${root}/tmp-${path.slice(path.lastIndexOf('/') + 1)}` : path;
  return overriding(fs, {
    open: (path, how, mode) => fs.open(moved(path), how, mode),
    lstat: path => fs.lstat(moved(path)),
    readFile: path => fs.readFile(moved(path)),
    rename: (from, to) => fs.rename(moved(from), to),
    link: (from, to) => fs.link(moved(from), to),
    unlink: path => fs.unlink(moved(path)),
  });
}

/** Each ref is read once, and what it held then is believed for ever. */
function withOldRefs(fs: Fs): Fs {
  const seen = new Map<string, Promise<Uint8Array>>();
  return overriding(fs, {
    readFile: path => {
      if (!path.includes('/refs/')) return fs.readFile(path);
      const known = seen.get(path) ?? fs.readFile(path);
      if (!seen.has(path)) seen.set(path, known);
      return known;
    },
  });
}

/** What is there is overwritten. */
function plainly(fs: Fs): Fs {
  return overriding(fs, {
    link: async (from, to) => {
      await fs.unlink(to).catch(() => {});
      await fs.link(from, to);
    },
  });
}

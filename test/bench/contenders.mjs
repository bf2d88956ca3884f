/** Those who make the same one-line edit in repositories of their own: the engine, git, isomorphic-git, bare writes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OWN } from './builds.mjs';
import { Files } from './repository.mjs';
import { quoted, Shell } from './shell.mjs';

/**
 * An open workspace in a process of its own, warm: the time of one `str_replace`, answer included, of `row` that follow each
 * other or of `together` that are begun at once. `folder: null`: on a file system in memory.
 */
export function engine(name, folder, files, { durability, row, together, build = OWN } = {}) {
  const args = [folder ?? '-', String(files), '--build', build.lib];
  if (folder === null) args.push('--memory');
  if (durability) args.push('--durability', durability);
  if (row) args.push('--row', String(row));
  if (together) args.push('--together', String(together));
  return inChild(name, './engine.mjs', args);
}

/** `isomorphic-git` in a process of its own; writing the file itself is not timed. */
export async function isomorphicGit(name, folder, files, runs) {
  return { ...(await inChild(name, './isomorphic.mjs', [folder, String(files)])), runs };
}

/** One process for each, so that none collects the garbage of another. The child says how long it took. */
export async function inChild(name, script, args) {
  const child = fork(new URL(script, import.meta.url), args);
  await once(child, 'message');
  /** Milliseconds of processor time, one for each run. */
  const cpu = [];
  return {
    name,
    cpu,
    async run() {
      const answer = once(child, 'message');
      child.send('go');
      const [told] = await answer;
      if (told.error) throw new Error(`${name}: ${told.error}`);
      if (told.cpu !== undefined) cpu.push(told.cpu);
      return told.time;
    },
    close() {
      const ended = once(child, 'exit');
      child.disconnect();
      return ended;
    },
  };
}

/** `git add` and `git commit` from a shell; writing the file itself is not timed. */
export function nativeGit(name, folder, files, runs) {
  const shell = new Shell(folder);
  const list = new Files(folder, files);
  let path;
  return {
    name,
    runs,
    prepare: () => (path = list.editByHand()),
    run: () => shell.run(`git add ${quoted(path)} && git commit -m m`),
    close: () => shell.close(),
  };
}

/** A command line that only reads, from a shell. */
export function shellCommand(name, folder, line) {
  const shell = new Shell(folder);
  return { name, run: () => shell.run(line), close: () => shell.close() };
}

const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);

/**
 * The least that an edit can be: its record appended and synced while the staged contents are synced, everything renamed to
 * its place. `sizes`: bytes of the record, of what is synced beside it, and of what is written without a sync.
 */
export function bareWork(name, folder, { record, synced, unsynced }) {
  const next = names(folder);
  const journal = fs.openSync(next(), 'a');
  return {
    name,
    async run() {
      const waited = synced.map(size => create(next(), size));
      fs.writeSync(journal, Buffer.alloc(record, 'x'));
      await Promise.all([fdatasync(journal), ...waited.map(({ fd }) => fsync(fd))]);
      const others = unsynced.map(size => create(next(), size));
      for (const { fd, temp, path } of [...others, ...waited]) finish(fd, temp, path);
    },
    close: () => fs.closeSync(journal),
  };
}

function names(folder) {
  fs.mkdirSync(folder, { recursive: true });
  let count = 0;
  return () => join(folder, `file-${count++}`);
}

function create(path, size) {
  const temp = `${path}.tmp`;
  const fd = fs.openSync(temp, 'wx');
  fs.writeSync(fd, Buffer.alloc(size, 'x'));
  return { fd, temp, path };
}

function finish(fd, temp, path) {
  fs.closeSync(fd);
  fs.renameSync(temp, path);
}

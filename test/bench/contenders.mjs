/** Those who make the same one-line edit in repositories of their own: the engine, git, isomorphic-git, bare writes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Files } from './repository.mjs';
import { quoted, Shell } from './shell.mjs';

/** So many edits come before the first one that counts: what is measured is a program that runs, not one that starts. */
const WARM_UP = 100;

/** An open workspace in a process of its own; the time of one `str_replace`, answer included, of `inARow` that follow each other. */
export function engine(name, folder, files, { durability = 'full', inARow = 1 } = {}) {
  const args = [folder, files, WARM_UP, durability, inARow].map(String);
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
  return {
    name,
    async run() {
      const answer = once(child, 'message');
      child.send('go');
      const [{ time, error }] = await answer;
      if (error) throw new Error(`${name}: ${error}`);
      return time;
    },
    close: () => child.disconnect(),
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

/** Files of these sizes: written, synced together, renamed. */
export function bareTogether(name, folder, sizes) {
  const next = names(folder);
  return {
    name,
    async run() {
      const open = sizes.map(size => create(next(), size));
      await Promise.all(open.map(({ fd }) => fsync(fd)));
      for (const { fd, temp, path } of open) finish(fd, temp, path);
    },
  };
}

/** The same, one file after another. */
export function bareInTurn(name, folder, sizes) {
  const next = names(folder);
  return {
    name,
    run() {
      for (const size of sizes) {
        const { fd, temp, path } = create(next(), size);
        fs.fsyncSync(fd);
        finish(fd, temp, path);
      }
    },
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

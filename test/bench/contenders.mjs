/** Those who make the same one-line edit in repositories of their own: the engine, git, isomorphic-git, bare writes. */

import { fork } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openWorkspace } from '../../dist/index.js';
import { Files } from './repository.mjs';
import { quoted, Shell } from './shell.mjs';

/** An open workspace; the time of one `str_replace`, answer included. */
export async function engine(name, folder, files) {
  const workspace = await openWorkspace({ root: folder });
  const session = workspace.session({ agent: 'bench' });
  const list = new Files(folder, files);
  let edit;
  return {
    name,
    prepare: () => (edit = list.nextEdit()),
    run: () => session.edit('str_replace', edit),
    close: () => workspace.close(),
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

/** In a process of its own, so that its heap does not slow down the others. */
export function isomorphicGit(name, folder, files, runs) {
  const child = fork(new URL('./isomorphic.mjs', import.meta.url), [folder]);
  const list = new Files(folder, files);
  let path;
  return {
    name,
    runs,
    prepare: () => (path = list.editByHand()),
    run: () =>
      new Promise((resolve, reject) => {
        child.once('message', error => (error ? reject(new Error(error)) : resolve()));
        child.send(path);
      }),
    close: () => child.disconnect(),
  };
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

/**
 * A child process that makes edits and prints, as JSON, what one of them writes before its answer: the bytes of its record,
 * the sizes of what is synced beside it and of what is written without a sync, and how many syncs of files and folders
 * there are. The engine calls node's fs object, which all modules share; so calls are wrapped before the engine is loaded.
 */

import fs from 'node:fs';
import { Files } from './repository.mjs';

const [, , folder, files] = process.argv;
const names = new Map();
let sizes = new Map();
let synced = new Set();
let count = { files: 0, folders: 0 };

for (const name of ['fsync', 'fdatasync']) {
  const real = fs[name];
  fs[name] = (fd, done) => {
    count[fs.fstatSync(fd).isDirectory() ? 'folders' : 'files']++;
    synced.add(nameOf(fd));
    real(fd, done);
  };
}
for (const name of ['write', 'writeSync']) {
  const real = fs[name];
  fs[name] = (fd, bytes, ...rest) => {
    const path = nameOf(fd);
    if (path.includes('/')) sizes.set(path, (sizes.get(path) ?? 0) + bytes.length);
    return real(fd, bytes, ...rest);
  };
}

function nameOf(fd) {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return names.get(fd) ?? '';
  }
}

const { openWorkspace } = await import('../../dist/lib/index.js');
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });
const list = new Files(folder, Number(files));
const edit = () => session.edit('str_replace', list.nextEdit());
for (let warm = 0; warm < 3; warm++) await edit();
[sizes, synced, count] = [new Map(), new Set(), { files: 0, folders: 0 }];
await edit();
const isRecord = path => /\/journal\.\d+$/.test(path);
const own = [...sizes].filter(([path]) => !isRecord(path));
const told = {
  record: [...sizes].filter(([path]) => isRecord(path)).reduce((sum, [, size]) => sum + size, 0),
  synced: own.filter(([path]) => synced.has(path)).map(([, size]) => size),
  unsynced: own.filter(([path]) => !synced.has(path)).map(([, size]) => size),
  syncs: count.files + count.folders,
};
await workspace.close();
console.log(JSON.stringify(told));

/**
 * A child process that makes one edit and prints, as JSON, the sizes of all files that it wrote and synced, and how
 * many folders it synced. The engine calls node's fs object, which all modules share; so the calls are wrapped before
 * the engine is loaded.
 */

import fs from 'node:fs';
import { Files } from './repository.mjs';

const [, , folder, files] = process.argv;
const { openSync, writeSync, closeSync, fsync } = fs;

/** By descriptor: bytes written, and whether they were synced. */
const open = new Map();
let sizes = [];
let folders = 0;

fs.openSync = (...call) => {
  const fd = openSync(...call);
  open.set(fd, { bytes: 0, synced: false });
  return fd;
};
fs.writeSync = (fd, ...rest) => {
  const count = writeSync(fd, ...rest);
  const file = open.get(fd);
  if (file) file.bytes += count;
  return count;
};
fs.fsync = (fd, done) => {
  const file = open.get(fd);
  if (file) file.synced = true;
  fsync(fd, done);
};
fs.closeSync = fd => {
  const file = open.get(fd);
  open.delete(fd);
  if (file?.synced && file.bytes > 0) sizes.push(file.bytes);
  if (file?.synced && file.bytes === 0) folders++;
  closeSync(fd);
};

const { openWorkspace } = await import('../../dist/index.js');
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });
const list = new Files(folder, Number(files));
await session.edit('str_replace', list.nextEdit());
sizes = [];
folders = 0;
await session.edit('str_replace', list.nextEdit());
await workspace.close();
console.log(JSON.stringify({ sizes, folders }));

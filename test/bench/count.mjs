/**
 * A child process that makes one edit and prints, as JSON, the sizes of all files that it synced, and how
 * many folders it synced. The engine calls node's fs object, which all modules share; so the call is wrapped before
 * the engine is loaded.
 */

import fs from 'node:fs';
import { Files } from './repository.mjs';

const [, , folder, files] = process.argv;
const { fsync } = fs;
let sizes = [];
let folders = 0;

fs.fsync = (fd, done) => {
  const stat = fs.fstatSync(fd);
  if (stat.isDirectory()) folders++;
  else sizes.push(stat.size);
  fsync(fd, done);
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

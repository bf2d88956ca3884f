/**
 * One edit in a process of its own that stops or is killed by itself at a named point.
 *
 *     node one-edit.mjs <root> <signal> <point>
 *
 * Points: recorded (the record is in the journal), before-ref, after-ref, beside (the new text lies in the folder of a
 * file on another disk), after-file (the file has its new text), acknowledged (the answer was given; nothing is closed).
 */

import fs from 'node:fs';

const [root, signal, point] = process.argv.slice(2);
let isDone = false;
const die = () => {
  if (!isDone) process.kill(process.pid, signal);
  isDone = true;
};

const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  const isRef = /\/refs\//.test(String(to)) && /\/vedit\/tmp\//.test(String(from));
  const isBeside = /\/\.vedit-[^/]*$/.test(String(from));
  const isFile = isBeside || /\/vedit\/tmp\/[0-9a-f]{24}\.\d+-0$/.test(String(from));
  if (isRef && point === 'before-ref') die();
  if (isBeside && point === 'beside') die();
  rename(from, to);
  if (isRef && point === 'after-ref') die();
  if (isFile && point === 'after-file') die();
};
const link = fs.linkSync;
fs.linkSync = (from, to) => {
  if (/\/refs\/.*\.lock$/.test(String(to)) && point === 'recorded') die();
  link(from, to);
};

const { openWorkspace } = await import('../../dist/index.js');
const workspace = await openWorkspace({ root });
const session = workspace.session({ agent: 'x' });
const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
fs.writeSync(1, `${data.commit}\n`);
if (point === 'acknowledged') die();
await workspace.close();

/**
 * A process that takes the engine's lock of a folder, on the built engine. Arguments: the folder, the patience in milliseconds,
 * and `brief` for one without a socket. Says what came of it as a line of JSON, and then answers each line of standard input:
 * `mine` with whether the lock still is its own, `release` by giving it back.
 */

import { mkdirSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { takeEngineLock } from '../../dist/fs/lock/engine-lock.js';
import { nodePlatform } from '../../dist/git/native/platform.js';

const [folder, patience, kind] = process.argv.slice(2);
const say = line => writeSync(1, `${JSON.stringify(line)}\n`);
mkdirSync(folder, { recursive: true });
const platform = nodePlatform({ brief: kind === 'brief' });
const options = { ...platform, folder, patience: Number(patience) };
const lock = await takeEngineLock(options).catch(error => {
  say({ refused: error.code, message: error.message, data: error.data });
  process.exit(1);
});
say({ token: lock.token, tookOver: lock.tookOver, disk: platform.processes.diskOf(folder) });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'mine') say({ mine: await lock.isMine() });
  if (line === 'release') {
    await lock.release();
    say({ released: true });
  }
}
process.exit(0);

/** A child process that adds and commits by isomorphic-git with its cache, and says how long each took. */

import fs from 'node:fs';
import git from 'isomorphic-git';
import { Files } from './repository.mjs';

const [, , dir, files] = process.argv;
const cache = {};
const author = { name: 'A Person', email: 'person@example.com' };
const list = new Files(dir, Number(files));

process.on('message', async () => {
  try {
    const filepath = list.editByHand();
    const start = performance.now();
    await git.add({ fs, dir, filepath, cache });
    await git.commit({ fs, dir, message: 'm', author, cache });
    process.send({ time: performance.now() - start });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send('ready');

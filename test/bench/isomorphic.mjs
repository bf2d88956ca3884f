/** A child process that adds and commits each path it is told, by isomorphic-git with its cache. */

import fs from 'node:fs';
import git from 'isomorphic-git';

const dir = process.argv[2];
const cache = {};
const author = { name: 'A Person', email: 'person@example.com' };

process.on('message', async filepath => {
  try {
    await git.add({ fs, dir, filepath, cache });
    await git.commit({ fs, dir, message: 'm', author, cache });
    process.send(null);
  } catch (error) {
    process.send(String(error));
  }
});

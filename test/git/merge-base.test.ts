/** The best common ancestors, against `git merge-base --all`, with clocks that went wrong. */

import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { mergeBases } from '../../src/git/merge-base.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { history } from './merge-histories.ts';
import { repository, succeeds } from './real-git.ts';

it.each([1, 2, 3])('are those of git, in a random history (seed %i)', async seed => {
  const repo = repository();
  const commits = history(repo, 60, seed);
  const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
  let several = 0;
  for (let n = 0; n < 25; n++) {
    const [a, b] = [commits[(n * 7 + 20) % 60]!, commits[(n * 13 + 31) % 60]!];
    const args = ['merge-base', '--all', a, b];
    const theirs = succeeds(repo, ...args)
      ? repo
          .git(...args)
          .split('\n')
          .sort()
      : [];
    expect(await mergeBases(objects, a, b)).toEqual(theirs);
    if (theirs.length > 1) several++;
  }
  expect(several).toBeGreaterThan(0);
});

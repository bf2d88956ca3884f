/** The best common ancestors, against `git merge-base --all`, with clocks that went wrong. */

import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { mergeBases } from '../../src/git/merge-base.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { repository, succeeds } from '../helpers/real-git.ts';
import { history } from './merge-histories.ts';

it.each([2, 5, 7])('are those of git, in a random history (seed %i)', async seed => {
  const repo = repository();
  const commits = history(repo, 60, seed);
  const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
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
  }
});

it('are both, of criss-cross merges', async () => {
  const repo = repository();
  const commit = (...parents: string[]): string => {
    const tree = repo.pipe('', 'mktree').toString().trim();
    return repo.git(
      'commit-tree',
      tree,
      ...parents.flatMap(one => ['-p', one]),
      '-m',
      String(parents.length),
    );
  };
  const root = commit();
  const [a, b] = [
    commit(root),
    repo.git('commit-tree', repo.git('rev-parse', `${root}^{tree}`), '-p', root, '-m', 'b'),
  ];
  const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
  expect(await mergeBases(objects, commit(a, b), commit(b, a))).toEqual([a, b].sort());
  expect(await mergeBases(objects, a, b)).toEqual([root]);
  expect(await mergeBases(objects, a, root)).toEqual([root]);
});

/** A history with everything that makes commits, and what verify says of it. */

import { expect } from 'vitest';
import type { VerifyData } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { trailCommits } from '../helpers/tampering.ts';

export const LINES: string = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Seven commits: two edits, an outside change, an edit, an undo, a redo, a rollback of b.txt. */
export async function history(repo: Place): Promise<Place> {
  const session = await repo.session();
  const replace = (path: string, old_str: string, new_str: string) =>
    session.edit('str_replace', { path, old_str, new_str });
  const { data } = await replace('a.txt', 'one', 'ONE');
  await replace('b.txt', 'two', 'TWO');
  repo.write('a.txt', `${repo.read('a.txt')}by hand\n`);
  await replace('a.txt', 'three', 'THREE\nand more');
  await session.undo();
  await session.redo();
  await session.rollback(data.commit!, { paths: ['b.txt'] });
  return repo;
}

export const started = (): Promise<Place> =>
  history(personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': 'c\n' }));

export async function verified(repo: Place, ...expect: string[]): Promise<VerifyData> {
  return (await (await repo.open()).verify({ expect })).data;
}

/** `kind commit` of each fault, the commit as its number in the trail. */
export async function found(repo: Place, ...expected: string[]): Promise<string[]> {
  const commits = trailCommits(repo);
  const { faults, changed, sound } = await verified(repo, ...expected);
  expect(sound).toBe(faults.length === 0);
  const told = faults.map(({ kind, commit, path }) =>
    [kind, commit === null ? '' : commits.indexOf(commit), path]
      .filter(one => one !== '' && one !== null)
      .join(' '),
  );
  return [...told, ...changed.map(({ path }) => `changed ${path}`)];
}

/** A trail that began before the branch had a commit: what of it is open, and how it lands. */

import { expect, it } from 'vitest';
import { dirty, git } from '../../helpers/landing.ts';
import { type Place, place } from '../../helpers/person-repo.ts';
import { repository } from '../../helpers/real-git.ts';

/** Two edits on the trail of a branch without a commit. */
async function begun(trail?: string): Promise<{ repo: Place; edits: string[] }> {
  const repo = place(repository());
  if (trail !== undefined) repo.git('config', 'vedit.trail', trail);
  const session = await repo.session();
  const edits: string[] = [];
  for (const name of ['a', 'b']) {
    const { data } = await session.edit('create', { path: `${name}.txt`, file_text: `${name}\n` });
    edits.push(data.commit!);
  }
  return { repo, edits };
}

async function left(repo: Place): Promise<number> {
  return (await (await repo.session()).status()).data.left;
}

it('all of it is open while there is no commit, and is the first commit when it lands', async () => {
  const { repo, edits } = await begun();
  expect((await (await repo.session()).status()).data).toMatchObject({ branch_head: null, left: 2 });
  const { data } = await (await repo.open()).land({ git });
  expect(data).toMatchObject({ parent: null, left: 0, commits: [{ edits }] });
  expect(repo.git('log', '--format=%H %P', 'main')).toBe(`${data.commit} `);
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'b.txt']);
  expect([dirty(repo), await left(repo)]).toEqual([[], 0]);
  const { entries } = (await (await repo.session()).log()).data;
  expect(entries.map(one => [one.commit, one.status.landed_in])).toEqual(
    [...edits].reverse().map(commit => [commit, data.commit]),
  );
});

it('a person makes the first commit of one edit: the other one is open, before and after the next edit', async () => {
  const { repo, edits } = await begun();
  repo.git('add', 'a.txt');
  repo.git('commit', '-qm', 'first');
  expect(await left(repo)).toBe(1);
  const session = await repo.session();
  const { data: third } = await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
  expect(await left(repo)).toBe(2);
  const { data } = await (await repo.open()).land({ git });
  expect(data.commits).toMatchObject([{ edits: [edits[1], third.commit] }]);
  expect(repo.git('show', '--format=', '--name-only', 'main').split('\n')).toEqual(['b.txt', 'c.txt']);
  expect([dirty(repo), await left(repo)]).toEqual([[], 0]);
});

it('one edit lands alone as the first commit, and the other one stays open', async () => {
  const { repo, edits } = await begun();
  const { data } = await (await repo.open()).land({ git, commits: [edits[1]!] });
  expect(data).toMatchObject({ parent: null, left: 1, commits: [{ edits: [edits[1]] }] });
  expect(repo.git('ls-tree', '--name-only', 'main')).toBe('b.txt');
  expect(await left(repo)).toBe(1);
  await (await repo.open()).land({ git });
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'b.txt']);
  expect(await left(repo)).toBe(0);
});

it('where the branch itself is the trail, another branch that is not there holds none of it', async () => {
  const { repo, edits } = await begun('HEAD');
  expect(repo.git('log', '--format=%H', '--reverse', 'main').split('\n')).toEqual(edits);
  const { data } = await (await repo.session()).status();
  expect(data).toMatchObject({ checked_out: true, head: edits[1] });
});

import { expect, it } from 'vitest';
import { edit, git, LINES } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

async function statusOf(repo: Place): Promise<Array<[now: string, by: string | null]>> {
  const { entries } = (await (await repo.session()).log()).data;
  return entries.map(({ status: { now, by } }) => [now, by]);
}

async function landedDetached(): Promise<{ repo: Place; commit: string }> {
  const repo = personRepo({ 'a.txt': LINES });
  repo.git('checkout', '-q', '--detach');
  await edit(repo, ['a.txt', 'two', 'TWO']);
  await (await repo.open()).land({ git });
  return { repo, commit: repo.git('rev-parse', 'HEAD') };
}

it('what landed where no branch is, and was switched away from, is there', async () => {
  const { repo, commit } = await landedDetached();
  repo.git('switch', '-q', 'main');
  expect(await statusOf(repo)).toEqual([['away', commit]]);
  repo.git('switch', '-q', '-c', 'topic');
  repo.write('b.txt', 'b\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'b');
  expect(await statusOf(repo)).toEqual([['away', commit]]);
  repo.git('cherry-pick', commit);
  expect((await statusOf(repo))[0]![0]).toBe('landed');
});

it('a commit that HEAD was reset away from is by hand; and so is what was taken out above one that was looked at', async () => {
  const { repo, commit } = await landedDetached();
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  expect((await statusOf(repo))[0]![0]).toBe('taken out by hand');
  repo.git('reset', '-q', '--hard', commit);
  repo.git('switch', '-q', '-C', 'main');
  repo.git('checkout', '-q', 'main~1');
  repo.git('checkout', '-q', commit);
  repo.git('checkout', '-q', 'main');
  repo.write('a.txt', LINES);
  repo.git('commit', '-qam', 'out again');
  expect((await statusOf(repo))[0]).not.toEqual(['away', commit]);
});

import { expect, it } from 'vitest';
import { personRepo } from '../../helpers/person-repo.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1} of it\n`).join('');

/** As git prints it, without what tells only git something. */
function ofGit(diff: string): string {
  return `${diff}\n`.replace(/^index .*\n/gm, '');
}

it('a file that an agent moved, and changed, is one difference, as git shows it', async () => {
  const repo = personRepo({ 'old.txt': LINES, 'z.txt': 'z\n' });
  const session = await repo.session();
  await session.edit('move', { path: 'old.txt', new_path: 'dir/new.txt' });
  await session.edit('str_replace', { path: 'dir/new.txt', old_str: 'line 7 of', new_str: 'line seven of' });
  const { data, message } = await session.diff();
  expect(data.diff).toBe(ofGit(repo.git('diff', '-M', 'main', 'vedit/main')));
  expect(data.paths).toEqual([{ path: 'dir/new.txt', from: 'old.txt', kind: 'move', added: 1, removed: 1 }]);
  expect(message).toBe(data.diff);
  const { data: landed, message: said } = await (
    await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } })
  ).land();
  expect(landed.diff).toBe(data.diff);
  expect(landed.paths).toMatchObject([{ path: 'dir/new.txt', from: 'old.txt', kind: 'move' }]);
  expect(said).toContain('\nmove old.txt to dir/new.txt (+1 -1)');
});

it('what a person renamed is shown so, in the commit and between two', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES.replaceAll('line', 'word'), 'gone.txt': 'x\n' });
  repo.git('mv', 'a.txt', 'c.txt');
  repo.git('mv', 'b.txt', 'd.txt');
  repo.git('rm', '-q', 'gone.txt');
  repo.write('c.txt', `${LINES}more\n`);
  repo.write('e.txt', 'quite another text\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'rename');
  const session = await repo.session();
  const wanted = ofGit(repo.git('show', '-M', '--format=', 'HEAD'));
  expect((await session.diff({ from: 'HEAD~1', to: 'HEAD' })).data.diff).toBe(wanted);
  expect((await session.show('HEAD')).data.diff).toBe(wanted);
  // Of one of its files, as git shows it of a path.
  const { data } = await session.diff({ from: 'HEAD~1', to: 'HEAD', path: 'c.txt' });
  expect(data.paths).toEqual([{ path: 'c.txt', kind: 'create', added: 31, removed: 0 }]);
});

import { expect, it } from 'vitest';
import { ADA } from '../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const REFUSED = { code: 'CONFLICT', data: { in_progress: 'bisect' } };
const create = { path: 'c.txt', file_text: 'c\n' };

/** Three commits more, of which git tries the one in the middle. */
function bisecting(repo: Place): Place {
  for (const text of ['1', '2', '3']) {
    repo.write('b.txt', `${text}\n`);
    repo.git('add', 'b.txt');
    repo.git('commit', '-qm', text);
  }
  repo.git('bisect', 'start', 'HEAD', 'HEAD~3');
  return repo;
}

it('on the branch, an edit is no commit that the next step of a bisect leaves behind', async () => {
  const repo = bisecting(ownRepo({ 'a.txt': 'a\n' }));
  const head = repo.git('rev-parse', 'HEAD');
  const session = await repo.session();
  await expect(session.edit('create', create)).rejects.toMatchObject(REFUSED);
  expect(repo.git('rev-parse', 'HEAD')).toBe(head);
  repo.git('bisect', 'reset');
  await session.edit('create', create);
  expect(repo.git('ls-tree', '--name-only', 'main', 'c.txt')).toBe('c.txt');
});

it('a bisect that has checked nothing out yet is in nobody’s way', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  repo.git('bisect', 'start');
  await (await repo.session()).edit('create', create);
  expect(repo.git('ls-tree', '--name-only', 'main', 'c.txt')).toBe('c.txt');
});

it('beside the branch, edits go on during a bisect, and land when it has ended', async () => {
  const repo = bisecting(personRepo({ 'a.txt': 'a\n' }));
  const workspace = await repo.open({ user: ADA });
  await workspace.session({ agent: 'claude' }).edit('create', create);
  await expect(workspace.land()).rejects.toMatchObject(REFUSED);
  repo.git('bisect', 'reset');
  await workspace.land();
  expect(repo.git('ls-tree', '--name-only', 'main', 'c.txt')).toBe('c.txt');
});

it('patches that git am waits with are not called a rebase', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  repo.write('a.txt', 'b\n');
  repo.git('commit', '-qam', 'b');
  repo.write('am.patch', `${repo.git('format-patch', '--stdout', '-1')}\n`);
  expect(() => repo.git('am', 'am.patch')).toThrow();
  const call = (await repo.session()).edit('create', create);
  await expect(call).rejects.toThrow('git am --abort');
});

import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { edit, git, LINES } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

async function twoFiles(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  await edit(repo, ['a.txt', 'one', 'ONE'], ['b.txt', 'one', 'ONE']);
  return repo;
}

const landed = (repo: Place): string[] =>
  repo.git('show', '--format=', '--name-status', '--no-renames', 'HEAD').split('\n');
const status = (repo: Place): string[] => repo.git('status', '--porcelain').split('\n');

describe('a file that is staged away', () => {
  it('by git rm --cached stays out and is named, and the others land', async () => {
    const repo = await twoFiles();
    repo.git('rm', '-q', '--cached', 'a.txt');
    const workspace = await repo.open();
    const { data } = await workspace.land({ git });
    expect(landed(repo)).toEqual(['M\tb.txt']);
    expect([data.left, data.notes.join()]).toEqual([1, expect.stringContaining('git rm --cached): a.txt')]);
    expect(status(repo)).toEqual(['D  a.txt', '?? a.txt']);
    for (const outside of [false, true])
      await expect(workspace.land({ git, outside })).rejects.toMatchObject({
        code: 'NO_CHANGE',
        message: expect.stringContaining('which your branch gave up'),
      });
    repo.git('restore', '--staged', 'a.txt');
    await workspace.land({ git });
    expect(landed(repo)).toEqual(['M\ta.txt']);
  });

  it('by git mv lands under the name that the branch has, and stays staged; with what is the person’s, as moved', async () => {
    const repo = await twoFiles();
    repo.git('mv', 'a.txt', 'c.txt');
    const workspace = await repo.open();
    await workspace.land({ git });
    expect(landed(repo)).toEqual(['M\ta.txt', 'M\tb.txt']);
    expect(repo.git('show', 'HEAD:a.txt')).toContain('ONE');
    expect(status(repo)).toEqual(['RM a.txt -> c.txt']);
    await workspace.land({ git, outside: true });
    expect(landed(repo)).toEqual(['D\ta.txt', 'A\tc.txt']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('by an agent’s move or deletion that the person staged lands', async () => {
    const repo = await twoFiles();
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    await session.edit('delete', { path: 'b.txt' });
    repo.git('add', '-A');
    await (await repo.open()).land({ git });
    expect(landed(repo)).toEqual(['D\ta.txt', 'D\tb.txt', 'A\tc.txt']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('by git rm, deleted, is what the person took out', async () => {
    const repo = await twoFiles();
    repo.git('rm', '-qf', 'a.txt');
    const { data } = await (await repo.open()).land({ git });
    expect(landed(repo)).toEqual(['M\tb.txt']);
    expect(data.discarded).toEqual(['a.txt']);
    expect(status(repo)).toEqual(['D  a.txt']);
  });

  it('is nothing of that where the name alone changed, and nothing is staged', async () => {
    const repo = await twoFiles();
    renameSync(repo.path('a.txt'), repo.path('c.txt'));
    await (await repo.open()).land({ git });
    expect(landed(repo)).toEqual(['M\ta.txt', 'M\tb.txt']);
  });
});

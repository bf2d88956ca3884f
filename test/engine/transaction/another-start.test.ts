/** What the first process of another start of the machine brings the repository to: refs, files and index of all its work trees. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Workspace } from '../../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

const create = (workspace: Workspace, path: string, text = `${path}\n`): Promise<unknown> =>
  workspace.session().edit('create', { path, file_text: text });

/** Edits in the first process of this start; answers its warnings. */
async function nextEdit(repo: Pick<Place, 'dir'>, boot: string): Promise<readonly string[]> {
  const workspace = await openAs(repo, { boot });
  const { data } = await workspace.session().edit('create', { path: 'z.txt', file_text: 'z\n' });
  await workspace.close();
  return data.warnings ?? [];
}

it('a file that a person committed with another mode, and then deleted, stays deleted', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  repo.git('update-index', '--chmod=+x', 'one.txt');
  repo.git('commit', '-qm', 'executable');
  rmSync(repo.path('one.txt'));
  expect(await nextEdit(repo, 'another')).toEqual([]);
  expect(existsSync(repo.path('one.txt'))).toBe(false);
});

it('a file that no commit of a person is about is made again, also when a person committed another one', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  repo.write('a.txt', 'by hand\n');
  repo.git('commit', '-qm', 'by hand', 'a.txt');
  rmSync(repo.path('one.txt'));
  expect(await nextEdit(repo, 'another')).toEqual([
    expect.stringMatching(/^one\.txt was missing and is made again/),
  ]);
  expect(repo.read('one.txt')).toBe('one.txt\n');
});

it('what the first process of a start repaired is not repaired again by the next one of that start', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  await inEndedProcess(repo, workspace => create(workspace, 'two.txt'), { boot: 'another' });
  rmSync(repo.path('one.txt'));
  expect(await nextEdit(repo, 'another')).toEqual([]);
  expect(existsSync(repo.path('one.txt'))).toBe(false);
});

it('edits in a shallow clone stay, and a commit on top of them, though git has no commit below the one that they began on', async () => {
  const origin = personRepo({ 'a.txt': 'a\n' });
  origin.write('a.txt', 'b\n');
  origin.git('commit', '-qam', 'second');
  origin.git('clone', '-q', '--depth=1', `file://${origin.dir}`, '../shallow');
  const repo = { dir: origin.path('../shallow') };
  const git = (...words: string[]): string => origin.git('-C', repo.dir, ...words);
  git('config', 'vedit.trail', 'HEAD');
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  git('commit', '-q', '--allow-empty', '-m', 'by hand');
  expect(await nextEdit(repo, 'another')).toEqual([]);
  expect(git('log', '--format=%s').split('\n')).toEqual([
    'create z.txt (+1 -0)',
    'by hand',
    'create one.txt (+1 -0)',
    'second',
  ]);
});

it('a file of the main work tree is made again by a process of a linked one, whatever core.bare says', async () => {
  for (const bare of ['false', null]) {
    const repo = personRepo({ 'a.txt': 'a\n' });
    if (bare === null) repo.git('config', '--unset', 'core.bare');
    repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
    await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
    rmSync(repo.path('one.txt'));
    await nextEdit({ dir: repo.path('../side') }, 'another');
    expect(existsSync(repo.path('one.txt')), `core.bare ${bare}`).toBe(true);
  }
});

it('of a bare repository a process of a linked work tree looks for no files', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('clone', '-q', '--bare', '.', '../bare.git');
  const bare = { dir: repo.path('../bare.git') };
  repo.git('-C', bare.dir, 'worktree', 'add', '-q', '-b', 'side', '../side');
  await inEndedProcess(bare, workspace => create(workspace, 'one.txt'));
  expect(await nextEdit({ dir: repo.path('../side') }, 'another')).toEqual([]);
  expect(readdirSync(repo.path('..')).sort()).toEqual(['bare.git', 'repo', 'side']);
  expect(repo.git('-C', bare.dir, 'ls-tree', '--name-only', 'main').split('\n')).toContain('one.txt');
});

it.each(['same', 'another'])('an index that was not reached follows the branch: %s start', async boot => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, async (workspace, end) => {
    end.at = (method, to) => method === 'rename' && to === repo.path('.git/index');
    await create(workspace, 'one.txt').catch(() => {});
    expect(end.hasCome).toBe(true);
  });
  expect(repo.git('status', '--porcelain', '--', 'one.txt')).not.toBe('');
  await nextEdit(repo, boot === 'same' ? 'first' : boot);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.git('ls-files').split('\n')).toEqual(['a.txt', 'one.txt', 'z.txt']);
});

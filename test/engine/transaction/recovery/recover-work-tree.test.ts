/** The files and the index of one work tree, brought to what the refs say when a process has ended in the middle. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import type { Workspace } from '../../../../src/index.ts';
import { ADA } from '../../../helpers/landing.ts';
import { overriding } from '../../../helpers/overriding.ts';
import { ownRepo, type Place, personRepo } from '../../../helpers/person-repo.ts';
import { type End, inEndedProcess, openAs } from '../ended-process.ts';

const replace = (workspace: Workspace): Promise<unknown> =>
  workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });

/** Ends the process when a file with this name would be replaced. */
function endsAt(end: End, path: string): void {
  end.at = (method, to) => method === 'rename' && to!.endsWith(path);
}

async function nextEdit(repo: Pick<Place, 'dir'>, boot: string, fs = nodeFs()): Promise<readonly string[]> {
  const workspace = await openAs(repo, { boot, fs });
  const { data } = await workspace.session().edit('create', { path: 'z.txt', file_text: 'z\n' });
  await workspace.close();
  return data.warnings ?? [];
}

it('a file that was not reached stays as it is where a person amended the commit', async () => {
  const repo = ownRepo({ 'a.txt': 'one\n' });
  await inEndedProcess(repo, async (workspace, end) => {
    endsAt(end, '/a.txt');
    await replace(workspace).catch(() => {});
    expect(end.hasCome).toBe(true);
  });
  for (const lock of ['index', 'HEAD', 'refs/heads/main']) rmSync(repo.path(`.git/${lock}.lock`));
  repo.git('reset', '-q');
  repo.git('commit', '-q', '--amend', '-m', 'better');
  expect(repo.git('show', 'HEAD:a.txt')).toBe('ONE');
  await nextEdit(repo, 'first');
  expect(repo.read('a.txt')).toBe('one\n');
});

it('a file that a power cut took is made again where a person amended no more than the message', async () => {
  const repo = ownRepo({ 'a.txt': 'one\n' });
  await inEndedProcess(repo, workspace =>
    workspace.session().edit('create', { path: 'new.txt', file_text: 'new\n' }),
  );
  repo.git('commit', '-q', '--amend', '-m', 'better');
  rmSync(repo.path('new.txt'));
  expect(await nextEdit(repo, 'another')).toContainEqual(
    expect.stringMatching(/^new\.txt was missing and is made again/),
  );
  expect(repo.read('new.txt')).toBe('new\n');
});

it('a file whose bytes only the journal has is made again after a power cut', async () => {
  const repo = personRepo({ '.gitattributes': '*.txt text eol=crlf\n' });
  await inEndedProcess(repo, workspace =>
    workspace.session().edit('create', { path: 'new.txt', file_text: 'one\r\ntwo\r\n' }),
  );
  rmSync(repo.path('new.txt'));
  await nextEdit(repo, 'another');
  expect(repo.read('new.txt')).toBe('one\r\ntwo\r\n');
});

it.each(['its file', 'its folder'])(
  'of a workspace in a folder of the repository a file is made again, the folder that a person deleted is not: %s',
  async lost => {
    const repo = personRepo({ 'sub/a.txt': 'a\n' });
    await inEndedProcess({ dir: repo.path('sub') }, workspace =>
      workspace.session().edit('create', { path: 'new.txt', file_text: 'new\n' }),
    );
    rmSync(repo.path(lost === 'its file' ? 'sub/new.txt' : 'sub'), { recursive: true });
    const told = await nextEdit(repo, 'another');
    expect(told.filter(line => line.includes('is made again'))).toHaveLength(lost === 'its file' ? 1 : 0);
    expect([existsSync(repo.path('sub/new.txt')), existsSync(repo.path('new.txt'))]).toEqual([
      lost === 'its file',
      false,
    ]);
  },
);

const land = async (workspace: Workspace): Promise<void> => {
  await replace(workspace);
  await workspace.land();
};

it.each(['same', 'another'])('an index that did not follow a landing does: %s start', async boot => {
  const repo = personRepo({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  repo.write('b.txt', 'staged\n');
  repo.git('add', 'b.txt');
  await inEndedProcess(
    repo,
    async (workspace, end) => {
      endsAt(end, '/.git/index');
      await land(workspace).catch(() => {});
      expect(end.hasCome).toBe(true);
    },
    { user: ADA },
  );
  expect(repo.git('show', 'HEAD:a.txt')).toBe('ONE');
  expect(repo.git('diff', '--cached', '--name-only').split('\n')).toEqual(['a.txt', 'b.txt']);
  // Nothing in this folder is synced.
  if (boot === 'another') rmSync(repo.path('.git/vedit/tmp'), { recursive: true });
  const disk = nodeFs();
  const isLocked: boolean[] = [];
  const rename = (from: string, to: string): Promise<void> => {
    if (to === repo.path('.git/index')) isLocked.push(existsSync(repo.path('.git/index.lock')));
    return disk.rename(from, to);
  };
  await nextEdit(repo, boot === 'same' ? 'first' : boot, overriding(disk, { rename }));
  expect(repo.git('diff', '--cached', '--name-only')).toBe('b.txt');
  expect([isLocked, existsSync(repo.path('.git/index.lock'))]).toEqual([[true], false]);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
});

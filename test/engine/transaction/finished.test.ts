/** What is finished is not done again by the next process, whatever a person did to it meanwhile. */

import { cpSync, linkSync, lstatSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Session, Workspace } from '../../../src/index.ts';
import { killedAt, type Point } from '../../crash/person.ts';
import { ADA } from '../../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from './ended-process.ts';

const FILES = { 'f.txt': 'one\ntwo\n', 'g.txt': 'g\n', 'a.txt': 'one\ntwo\n' };

/** The same file under a second name, as `cp -al` makes it. */
function snapshot(repo: Place, path: string): void {
  linkSync(repo.path(path), repo.path(`../${path}.copy`));
}

function putBack(repo: Place, path: string): void {
  rmSync(repo.path(path), { force: true });
  linkSync(repo.path(`../${path}.copy`), repo.path(path));
}

async function nextEdit(repo: Place, open: typeof openAs = openAs): Promise<void> {
  const workspace = await open(repo);
  await workspace.session().edit('create', { path: 'z.txt', file_text: 'z\n' });
  await workspace.close();
}

it.each<[string, (session: Session) => Promise<unknown>]>([
  ['replaced', session => session.edit('str_replace', { path: 'f.txt', old_str: 'one', new_str: 'ONE' })],
  ['deleted', session => session.edit('delete', { path: 'f.txt' })],
])('a file that was %s and that a person put back from a copy of hard links stays', async (_, edit) => {
  const repo = personRepo(FILES);
  snapshot(repo, 'f.txt');
  await inEndedProcess(repo, workspace => edit(workspace.session()));
  putBack(repo, 'f.txt');
  await nextEdit(repo);
  expect(repo.read('f.txt')).toBe('one\ntwo\n');
});

it.each<Point>(['after-file', 'acknowledged'])('and so it does after a kill, %s', async point => {
  const repo = personRepo(FILES);
  snapshot(repo, 'a.txt');
  killedAt(repo, point);
  expect(repo.read('a.txt')).toBe('one\nTWO\n');
  putBack(repo, 'a.txt');
  await nextEdit(repo, () => repo.open());
  expect(repo.read('a.txt')).toBe('one\ntwo\n');
});

it.each([personRepo, ownRepo])(
  'in a copy of a repository, too, the edit that was killed is finished',
  async make => {
    const repo = make(FILES);
    killedAt(repo, 'after-ref');
    const copy = personRepo({});
    rmSync(copy.dir, { recursive: true });
    // Sockets are left out by every program that copies.
    const filter = (from: string): boolean => !lstatSync(from).isSocket();
    cpSync(repo.dir, copy.dir, { recursive: true, verbatimSymlinks: true, filter });
    await nextEdit(copy, () => copy.open());
    expect(copy.read('a.txt')).toBe('one\nTWO\n');
    const trail = make === ownRepo ? 'main' : 'vedit/main';
    expect(copy.git('log', '--format=%s', trail)).not.toContain('outside');
    expect(copy.git('show', `${trail}:a.txt`)).toBe('one\nTWO');
  },
);

it('what a person staged after a landing stays staged', async () => {
  const repo = personRepo(FILES);
  const act = async (workspace: Workspace): Promise<void> => {
    await workspace.session().edit('str_replace', { path: 'f.txt', old_str: 'one', new_str: 'ONE' });
    await workspace.land();
  };
  await inEndedProcess(repo, act, { user: ADA });
  expect(repo.git('status', '--short')).toBe('');
  repo.git('restore', '--staged', '--source=HEAD~1', 'f.txt');
  repo.git('rm', '-q', '--cached', 'g.txt');
  const staged = repo.git('ls-files', '--stage');
  await nextEdit(repo);
  expect(repo.git('ls-files', '--stage')).toBe(staged);
});

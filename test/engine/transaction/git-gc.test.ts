/** Packs that add up are git's to join: when its gc is started, when it is not, and what is said where that does not help. */

import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { nodePlatform, startGit as realGit } from '../../../src/git/native/platform.ts';
import type { StartGit } from '../../../src/git/run-git.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

/** Each test is a day later: its starts are not those of another one. */
let days = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(++days * 86_400_000);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Git that notes what it is asked for and ends with a code. */
class Git {
  readonly asked: string[] = [];
  code: number | null = 0;
  readonly start: StartGit = async (args, cwd) => {
    this.asked.push(`${args.slice(-3).join(' ')} in ${cwd}`);
    return this.code;
  };
}

let edits = 0;

/** So many processes that make one edit each, long after one another. */
async function processes(repo: Place, count: number, start: StartGit, minutes = 2): Promise<void> {
  for (let n = 0; n < count; n++) {
    vi.advanceTimersByTime(minutes * 60_000);
    const { processes } = nodePlatform();
    const platform = { fs: nodeFs(), codec: nativeCodec, processes, startGit: start };
    const workspace = await openOn(platform, { root: repo.dir });
    await workspace.session().edit('create', { path: `${++edits}.txt`, file_text: `${edits}\n` });
    await workspace.close();
  }
}

const statusOf = async (repo: Place): Promise<string> => (await (await repo.session()).status()).message;

it('is started for every 20 packs', async () => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  await processes(repo, 19, git.start);
  expect(git.asked).toEqual([]);
  await processes(repo, 1, git.start);
  expect(git.asked).toEqual([`gc --auto --quiet in ${repo.path('.git')}`]);
  await processes(repo, 20, git.start);
  expect(git.asked).toHaveLength(2);
});

it('counts anew when packs were joined', async () => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  await processes(repo, 20, git.start);
  repo.git('gc', '-q');
  await processes(repo, 18, git.start);
  expect(git.asked).toHaveLength(1);
  await processes(repo, 3, git.start);
  expect(git.asked).toHaveLength(2);
});

it('is started once a minute at most', async () => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  await processes(repo, 20, git.start);
  rmSync(repo.path('.git/vedit/gc'));
  await processes(repo, 1, git.start, 0);
  expect(git.asked).toHaveLength(1);
  await processes(repo, 1, git.start);
  expect(git.asked).toHaveLength(2);
});

it.each([
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
])('is not started where %s is %s', async (key, value) => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  repo.git('config', key, value);
  await processes(repo, 21, git.start);
  expect(git.asked).toEqual([]);
});

it.each([
  [null, 'no git was found that would join them'],
  [128, 'git gc --auto, which would join them, ended with 128: run git gc and see what it says'],
])('status says it where it ended with %s, until packs are joined', async (code, words) => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  git.code = code;
  await processes(repo, 21, git.start);
  expect(await statusOf(repo)).toContain(words);
  repo.git('gc', '-q');
  await processes(repo, 1, git.start);
  expect(await statusOf(repo)).not.toContain(words);
});

it('status tells what a gc in the background said last', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.write('.git/gc.log', 'warning: There are too many unreachable loose objects\n');
  expect(await statusOf(repo)).toContain(
    'packs add up: git gc said: warning: There are too many unreachable loose objects',
  );
});

it('no more than 200 characters are told of a reason that is noted', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.write('.git/vedit/gc', JSON.stringify({ packs: 50, failure: 'x'.repeat(300) }));
  expect(await statusOf(repo)).toMatch(/(?<!x)x{200}(?!x)/);
});

it('a damaged note counts as none', async () => {
  const [repo, git] = [personRepo({ 'a.txt': 'a\n' }), new Git()];
  await processes(repo, 19, git.start);
  writeFileSync(repo.path('.git/vedit/gc'), '{"packs": -1');
  await processes(repo, 1, git.start);
  expect(git.asked).toHaveLength(1);
});

it('git itself joins them, beside edits', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('config', 'gc.autoPackLimit', '10');
  repo.git('config', 'gc.autoDetach', 'false');
  let ended: Promise<number | null> = Promise.resolve(null);
  const start: StartGit = (args, cwd) => {
    ended = realGit(args, cwd);
    return ended;
  };
  await processes(repo, 20, start);
  expect(await ended).toBe(0);
  expect(repo.git('count-objects', '-v')).toMatch(/^packs: 1$/m);
  await processes(repo, 1, start);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

it('a git that is not there is told from one that fails', async () => {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  expect(await realGit(['gc'], '/').finally(() => (process.env.PATH = path))).toBe(null);
  expect(await realGit(['no-such-command'], '/')).toBe(1);
});

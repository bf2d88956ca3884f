/** The work tree on another disk than the repository: no rename leads from one to the other. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWorkspace } from '../../../src/index.ts';
import { killedAt, POINTS, type Point } from '../../crash/person.ts';
import { at, type Sandbox } from '../../helpers/real-git.ts';
import { some } from '../../helpers/sampling.ts';

const SHM = '/dev/shm';
const hasTwo = existsSync(SHM) && statSync(SHM).dev !== statSync(tmpdir()).dev;

function folderOn(disk: string): string {
  const dir = realpathSync(mkdtempSync(join(disk, 'vedit-disk-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

interface Split {
  repo: Sandbox;
  common: string;
  trail: string;
}

function start(repo: Sandbox, ...options: string[]): void {
  repo.git('init', '-q', '-b', 'main', ...options);
  repo.write('a.txt', 'one\ntwo\n');
  repo.write('dir/b.txt', 'b\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'start');
}

const separate = (work: string, git: string) => (): Split => {
  const repo = at(folderOn(work));
  const common = join(folderOn(git), 'repo.git');
  start(repo, `--separate-git-dir=${common}`);
  return { repo, common, trail: 'vedit/main' };
};

function linkedTree(): Split {
  const main = at(folderOn(tmpdir()));
  start(main);
  const root = join(folderOn(SHM), 'side');
  main.git('worktree', 'add', '-q', '-b', 'side', root);
  return { repo: at(root), common: main.path('.git'), trail: 'vedit/side' };
}

const PLACES: [string, () => Split][] = [
  ['the files in memory', separate(SHM, tmpdir())],
  ['the repository in memory', separate(tmpdir(), SHM)],
  ['a linked work tree in memory', linkedTree],
];

/** Nothing of the engine's is in either place. */
function isClean({ repo, common }: Split): void {
  const files = readdirSync(repo.dir, { recursive: true, encoding: 'utf8' });
  expect(files.filter(path => path.includes('.vedit-'))).toEqual([]);
  const own = readdirSync(join(common, 'vedit'), { recursive: true, encoding: 'utf8' });
  expect(own.filter(path => /^(journal|lock|keep)|^(tmp|live)\//.test(path))).toEqual([]);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
}

const read = ({ repo }: Split, path: string): string | null =>
  existsSync(repo.path(path)) ? readFileSync(repo.path(path), 'utf8') : null;

it.runIf(hasTwo).each(PLACES)('every kind of edit works: %s', async (_, make) => {
  const split = make();
  const workspace = await openWorkspace({ root: split.repo.dir });
  const session = workspace.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
  await session.edit('create', { path: 'new/deep.txt', file_text: 'deep\n' });
  await session.edit('move', { path: 'dir/b.txt', new_path: 'moved/b.txt' });
  await session.edit('delete', { path: 'a.txt' });
  expect([read(split, 'a.txt'), read(split, 'new/deep.txt'), read(split, 'moved/b.txt')]).toEqual([
    null,
    'deep\n',
    'b\n',
  ]);
  expect(existsSync(split.repo.path('dir'))).toBe(false);
  await session.undo({ count: 3 });
  expect([read(split, 'a.txt'), read(split, 'new/deep.txt'), read(split, 'dir/b.txt')]).toEqual([
    'one\nTWO\n',
    null,
    'b\n',
  ]);
  const { data } = await session.edit('create', { path: 'a.txt', file_text: 'new\n', overwrite: true });
  expect(data.warnings).toBeUndefined();
  expect((await workspace.verify()).data).toMatchObject({ sound: true });
  await workspace.close();
  isClean(split);
});

it
  .runIf(hasTwo)
  .each(
    some(PLACES, 1).flatMap(([name, make]) =>
      [...POINTS, 'beside' as const].map((point): [string, Point, () => Split] => [name, point, make]),
    ),
  )('recovery works: %s, killed at %s', async (_, point, make) => {
  const split = make();
  killedAt(split.repo, point);
  const workspace = await openWorkspace({ root: split.repo.dir });
  await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
  const isMade = point !== 'recorded' && point !== 'before-ref';
  expect(read(split, 'a.txt')).toBe(isMade ? 'one\nTWO\n' : 'one\ntwo\n');
  expect(split.repo.git('rev-list', '--count', split.trail)).toBe(isMade ? '3' : '2');
  expect(split.repo.git('show', `${split.trail}:a.txt`)).toBe(isMade ? 'one\nTWO' : 'one\ntwo');
  isClean(split);
});

/** What a sync with a commit of the person keeps of the agents' changes. */

import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { syncTrail } from '../../../src/engine/change/sync.ts';
import { openTrail } from '../../../src/engine/trails/open-trail.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import type { GitObject } from '../../../src/git/objects/object.ts';
import { openContext } from '../../../src/workspace/opening/open-context.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots } from '../../helpers/random-work.ts';

const FOLDERS = ['', 'a/', 'a/deep/', 'b/', 'c/'];
const PATHS = FOLDERS.flatMap(folder => ['1', '2', '3'].map(name => `${folder}${name}.txt`));
const lines = (path: string): string => Array.from({ length: 9 }, (_, n) => `${path} line ${n}\n`).join('');

/** The tree that the sync makes, by path: `mode oid`. */
async function synced(repo: Place): Promise<Map<string, string>> {
  const context = await openContext(nodePlatform(), { root: repo.dir });
  const { trail, commit } = await syncTrail(context, await openTrail(context));
  put(repo, commit?.objects ?? []);
  await context.store.close?.();
  return filesOf(repo, trail.tree!);
}

function put(repo: Place, objects: readonly GitObject[]): void {
  for (const { type, content } of objects) repo.pipe(content, 'hash-object', '-w', '-t', type, '--stdin');
}

/** What a tree holds, by path: `mode oid`. */
function filesOf(repo: Place, tree: string): Map<string, string> {
  const listed = repo.git('ls-tree', '-r', tree).split('\n').filter(Boolean);
  return new Map(listed.map(line => [line.slice(53), `${line.slice(0, 6)} ${line.slice(12, 52)}`]));
}

type Draw = (below: number) => number;

async function agentsWork(repo: Place, draw: Draw): Promise<void> {
  const session = await repo.session();
  for (const path of PATHS) {
    const [folder, name] = [path.slice(0, -5), path.slice(-5)];
    const replace = { path, old_str: 'line 4', new_str: draw(2) ? 'LINE 4' : 'a longer line 4' };
    const steps: ReadonlyArray<() => unknown> = [
      () => session.edit('str_replace', replace),
      () => session.edit('str_replace', replace),
      () => session.edit('delete', { path }),
      () => session.edit('create', { path: `${folder}new-${name}`, file_text: 'new\n' }),
      () => session.edit('move', { path, new_path: `${folder}moved-${name}` }),
      () => {},
    ];
    await steps[draw(steps.length)]!();
  }
}

/** Some files as the agents left them, some with changes of their own, some other ones, some that are gone. */
function commitByHand(repo: Place, draw: Draw): void {
  repo.write('by-hand.txt', `${draw(100)}\n`);
  repo.git('add', 'by-hand.txt');
  for (const path of [...changedPaths(repo), ...PATHS].filter(() => draw(4) === 0)) {
    const full = contentOf(repo, path);
    if (full !== null && draw(3) === 0) repo.write(path, `${full}by hand\n`);
    repo.git('add', '-A', '--', ...(full === null && !isTracked(repo, path) ? [] : [path]));
    if (full !== null && draw(2)) repo.write(path, full);
  }
  repo.git('commit', '-qm', 'by hand');
}

/** Then they go on in files: as HEAD had them and has them, otherwise, away, executable. */
function goOn(repo: Place, draw: Draw): void {
  const commits = ['HEAD~1', 'HEAD'].map(commit => filesOf(repo, commit));
  for (const path of changedPaths(repo).filter(() => draw(3) === 0)) {
    const full = contentOf(repo, path);
    const old = commits[draw(2)]!.get(path)?.slice(7);
    const steps: ReadonlyArray<() => unknown> = [
      () => old && repo.write(path, repo.pipe('', 'cat-file', 'blob', old)),
      () => old && repo.write(path, repo.pipe('', 'cat-file', 'blob', old)),
      () => full !== null && repo.write(path, full.replaceAll('\n', '\r\n')),
      () => full !== null && repo.write(path, `${full}more\n`),
      () => rmSync(repo.path(path), { force: true }),
      () => full !== null && chmodSync(repo.path(path), 0o755),
    ];
    steps[draw(steps.length)]!();
  }
}

function changedPaths(repo: Place): string[] {
  return repo.git('diff', '--name-only', '--no-renames', 'main', 'vedit/main').split('\n').filter(Boolean);
}

function contentOf(repo: Place, path: string): string | null {
  try {
    return repo.read(path);
  } catch {
    return null;
  }
}

function isTracked(repo: Place, path: string): boolean {
  return repo.git('ls-files', '--', path) !== '';
}

/** The rule in words of git, for what needs no joining; `undefined` where it does. */
function expectedAt(
  repo: Place,
  path: string,
  sides: readonly (string | undefined)[],
): string | null | undefined {
  const [old, ours, theirs] = sides.map(side => side ?? null) as [
    string | null,
    string | null,
    string | null,
  ];
  if (ours === old || ours === theirs) return theirs;
  const isThere = existsSync(repo.path(path));
  const mode = isThere && statSync(repo.path(path)).mode & 0o100 ? '100755' : '100644';
  const disk = isThere ? `${mode} ${repo.git('hash-object', '--', path)}` : null;
  if (disk === theirs) return theirs;
  return disk === ours || old === theirs ? ours : undefined;
}

const ATTRIBUTES: ReadonlyArray<Record<string, string>> = [
  {},
  { 'a/.gitattributes': '*.txt text\n' },
  { '.gitattributes': '* -text\nb/* text eol=lf\n' },
];

describe('a sync with a commit of the person', () => {
  it.each([1, 2, 3, 5])('decides by what files hold (%s)', async seed => {
    const draw = lots(seed * 7919);
    const files = Object.fromEntries(PATHS.map(path => [path, lines(path)]));
    const repo = personRepo({ ...files, ...ATTRIBUTES[seed % 3] });
    const seen = repo.git('rev-parse', 'HEAD');
    await agentsWork(repo, draw);
    commitByHand(repo, draw);
    goOn(repo, draw);
    const made = await synced(repo);
    const trees = [seen, 'vedit/main', 'HEAD'].map(tree => filesOf(repo, tree));
    for (const path of new Set(trees.flatMap(tree => [...tree.keys()]))) {
      const sides = trees.map(tree => tree.get(path));
      const expected = expectedAt(repo, path, sides);
      if (expected !== undefined) expect([path, made.get(path) ?? null]).toEqual([path, expected]);
    }
  });

  it.each([
    ['* text', true],
    ['* -text', false],
  ])(
    'takes a file that has CRLF in place of LF for that of HEAD where git does: %s',
    async (said, isSame) => {
      const repo = personRepo({ 'a/1.txt': lines('1'), '.gitattributes': `${said}\n` });
      const session = await repo.session();
      await session.edit('str_replace', { path: 'a/1.txt', old_str: 'line 4', new_str: 'LINE 4' });
      repo.git('commit', '-q', '--allow-empty', '-m', 'by hand');
      repo.write('a/1.txt', lines('1').replaceAll('\n', '\r\n'));
      const made = (await synced(repo)).get('a/1.txt');
      expect(made).toBe(filesOf(repo, isSame ? 'HEAD' : 'vedit/main').get('a/1.txt'));
    },
  );
});

it('a file that lands under a name which another one had before is kept', async () => {
  const repo = personRepo({ 'a.txt': lines('a.txt'), 'b.txt': lines('b.txt') });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 4', new_str: 'LINE 4' });
  await session.edit('move', { path: 'b.txt', new_path: 'c.txt' });
  await session.edit('move', { path: 'c.txt', new_path: 'd.txt' });
  await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
  const landed = repo.read('c.txt');
  repo.write('c.txt', landed.replace('line 8', 'typed'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'by hand');
  repo.write('c.txt', landed);
  const tree = await synced(repo);
  expect([...tree.keys()].sort()).toEqual(['c.txt', 'd.txt']);
});

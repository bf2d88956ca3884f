/** Folders as a whole: deleted and moved in one change. */

import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import { runTool } from '../../../src/index.ts';
import { openWorkspace } from '../../../src/workspace/open.ts';
import { initRepository } from '../../../src/workspace/opening/init.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';
import { sandbox } from '../../helpers/real-git.ts';

const FILES = { 'd/a.txt': 'a\n', 'd/sub/b.sh': 'b\n', 'd/sub/c.txt': 'c\n', 'e.txt': 'e\n' };

const ALL = { path: 'd', recursive: true };

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error as EditError,
  );
}

/** What a refused call must leave as it is. */
function stateOf(repo: Place): string {
  return `${repo.git('status', '--porcelain', '--ignored')}\n${repo.git('for-each-ref')}`;
}

describe('delete of a folder', () => {
  it('is one change of all its files, recorded or not, which undo, redo and revert take as one', async () => {
    const repo = personRepo(FILES);
    repo.write('d/mine.txt', 'of a person\n');
    const session = await repo.session();
    const dry = await session.edit('delete', { ...ALL, dry_run: true });
    expect([dry.data.paths.length, dry.data.commit, repo.read('d/a.txt')]).toEqual([4, null, 'a\n']);
    const { data, message } = await session.edit('delete', ALL);
    expect(data.paths.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'delete d/a.txt',
      'delete d/mine.txt',
      'delete d/sub/b.sh',
      'delete d/sub/c.txt',
    ]);
    expect(message).toContain('Note: This is the folder d: 4 files');
    expect(existsSync(repo.path('d'))).toBe(false);
    expect(repo.git('show', `${data.outside!.commit}:d/mine.txt`)).toBe('of a person');
    await session.undo();
    expect(['a.txt', 'mine.txt', 'sub/b.sh'].map(name => repo.read(`d/${name}`))).toEqual([
      'a\n',
      'of a person\n',
      'b\n',
    ]);
    await session.redo();
    expect(existsSync(repo.path('d'))).toBe(false);
    await session.revert(data.commit!);
    expect(repo.read('d/sub/c.txt')).toBe('c\n');
    expect((await session.verify()).data).toMatchObject({ faults: [] });
  });

  it('is refused where nobody said that the whole folder is meant, with how much that is', async () => {
    const repo = personRepo(FILES);
    const before = stateOf(repo);
    const refused = await runTool(await repo.session(), 'delete', { path: 'd/' });
    expect(refused).toMatchObject({ ok: false, code: 'IS_DIRECTORY', data: { path: 'd', files: 3 } });
    expect(refused.message).toBe(
      'd is a folder with 3 files in it and below, so nothing was deleted. Name a file in it, or send recursive: true to delete all of them. d holds a.txt, sub/.',
    );
    expect(stateOf(repo)).toBe(before);
  });

  it('leaves what git ignores where it is, and says so', async () => {
    const repo = personRepo({ ...FILES, '.gitignore': '*.log\nbuild/\n' });
    repo.write('d/debug.log', 'x\n');
    repo.write('d/sub/build/out', 'y\n');
    const { data, message } = await (await repo.session()).edit('delete', ALL);
    expect([data.paths.length, repo.read('d/debug.log'), repo.read('d/sub/build/out')]).toEqual([
      3,
      'x\n',
      'y\n',
    ]);
    expect(message).toContain('Note: d/debug.log, d/sub/build/ stay where they are: git ignores them');
    expect(await codeOf((await repo.session()).edit('delete', ALL))).toBe('NO_CHANGE');
  });

  it('takes files along that are recorded although git ignores their folder', async () => {
    const repo = personRepo({ 'd/build/kept.txt': 'k\n' });
    repo.write('.gitignore', 'build/\n');
    repo.write('d/build/out', 'o\n');
    await (await repo.session()).edit('delete', ALL);
    expect(readdirSync(repo.path('d/build'))).toEqual(['out']);
  });

  it.each<[string, string, (repo: Place) => void]>([
    ['a link in it', 'SPECIAL_FILE', repo => symlinkSync('../e.txt', repo.path('d/link'))],
    ['a repository in it', 'NESTED_REPOSITORY', repo => repo.git('init', '-q', 'd/sub')],
    ['a submodule in it', 'NESTED_REPOSITORY', withSubmodule],
    [
      'an attribute that git filters by',
      'FILTERED_PATH',
      repo => repo.write('.gitattributes', '*.sh filter=lfs\n'),
    ],
  ])('is refused as a whole for %s', async (_, code, spoil) => {
    const repo = personRepo(FILES);
    spoil(repo);
    const session = await repo.session();
    const before = stateOf(repo);
    expect(await codeOf(session.edit('delete', ALL))).toBe(code);
    expect(stateOf(repo)).toBe(before);
  });

  it('is not that of a link to a folder, nor that of the workspace', async () => {
    const repo = personRepo(FILES);
    symlinkSync('d', repo.path('link'));
    const session = await repo.session();
    const error = await refusal(session.edit('delete', { path: 'link', recursive: true }));
    expect([error.code, error.data.target]).toEqual(['SPECIAL_FILE', 'd']);
    for (const path of ['.', './/', 'd/..'])
      expect(await codeOf(session.edit('delete', { path, recursive: true }))).toMatch(
        /IS_DIRECTORY|OUTSIDE_WORKSPACE|INVALID_INPUT/,
      );
    expect(repo.read('d/a.txt')).toBe('a\n');
  });

  it('holds each file to the base, and has no version', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    const base = repo.git('rev-parse', 'HEAD');
    await session.edit('str_replace', { path: 'd/sub/c.txt', old_str: 'c', new_str: 'C' });
    expect(await codeOf(session.edit('delete', { ...ALL, base }))).toBe('STALE');
    const version = repo.git('hash-object', 'd/a.txt');
    expect(await codeOf(session.edit('delete', { ...ALL, version }))).toBe('INVALID_INPUT');
    const { data } = await session.edit('delete', { ...ALL, base: '@' });
    expect(data.paths).toHaveLength(3);
  });

  it('sees what the edits before it in a change have made and taken away', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    const { data } = await session.change([
      { edit: 'create', path: 'd/new.txt', file_text: 'new\n' },
      { edit: 'move', path: 'd/a.txt', new_path: 'a.txt' },
      { edit: 'delete', path: 'd', recursive: true },
      { edit: 'create', path: 'd', file_text: 'a file\n' },
    ]);
    expect(data.paths.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'create d',
      'delete d/sub/b.sh',
      'delete d/sub/c.txt',
      'move a.txt',
    ]);
    expect(repo.read('d')).toBe('a file\n');
  });

  it('leaves folders without files, and is no change of such a one', async () => {
    const repo = personRepo(FILES);
    mkdirSync(repo.path('d/none'));
    const session = await repo.session();
    const { message } = await session.edit('delete', ALL);
    expect(message).toContain('Note: d/none/ has no file, and stays');
    const error = await refusal(session.edit('delete', ALL));
    expect([error.code, error.message]).toEqual([
      'NO_CHANGE',
      'There is no file in d, and history holds no empty folders: nothing would change.',
    ]);
  });

  it('works where the files are in the trail alone', async () => {
    const root = sandbox().path('bare.git');
    await initRepository({ root, bare: true });
    const workspace = await openWorkspace({ root });
    const session = workspace.session();
    for (const [path, file_text] of Object.entries(FILES)) await session.edit('create', { path, file_text });
    await session.edit('move', { path: 'd', new_path: 'x/y' });
    expect((await session.view({ path: 'x/y/sub/c.txt' })).message).toContain('c');
    const { data } = await session.edit('delete', { path: 'x', recursive: true });
    expect(data.paths).toHaveLength(3);
    expect((await session.verify()).data).toMatchObject({ faults: [] });
    await workspace.close();
  });
});

function withSubmodule(repo: Place): void {
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},d/sub/module`);
  repo.git('commit', '-qm', 'a submodule');
  mkdirSync(repo.path('d/sub/module'));
}

describe('move of a folder', () => {
  it('is one change of all its files with their modes, which undo and redo take as one', async () => {
    const repo = personRepo(FILES);
    repo.write('d/mine.txt', 'mine\n');
    const session = await repo.session();
    const { data, message } = await session.edit('move', { path: 'd/', new_path: 'other/place/' });
    expect(data.paths.map(({ path, from, kind }) => `${kind} ${from} ${path}`)).toEqual([
      'move d/a.txt other/place/a.txt',
      'move d/mine.txt other/place/mine.txt',
      'move d/sub/b.sh other/place/sub/b.sh',
      'move d/sub/c.txt other/place/sub/c.txt',
    ]);
    expect(message).toContain('Note: This is the folder d: 4 files');
    expect([existsSync(repo.path('d')), repo.read('other/place/sub/b.sh')]).toEqual([false, 'b\n']);
    expect(repo.git('show', '--format=', '--name-status', '-M', 'vedit/main').split('\n')).toHaveLength(4);
    await session.undo();
    expect([existsSync(repo.path('other')), repo.read('d/mine.txt')]).toEqual([false, 'mine\n']);
    await session.redo();
    expect(repo.read('other/place/a.txt')).toBe('a\n');
    expect((await session.verify()).data).toMatchObject({ faults: [] });
  });

  it('takes another spelling of the name, and an empty folder in the place', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    await session.edit('move', { path: 'd', new_path: 'D' });
    mkdirSync(repo.path('empty'));
    await session.edit('move', { path: 'D', new_path: 'empty' });
    expect(repo.read('empty/sub/c.txt')).toBe('c\n');
  });

  it('leaves what git ignores in the old place', async () => {
    const repo = personRepo({ ...FILES, '.gitignore': '*.log\n' });
    repo.write('d/debug.log', 'x\n');
    const { message } = await (await repo.session()).edit('move', { path: 'd', new_path: 'other' });
    expect([repo.read('d/debug.log'), repo.read('other/a.txt')]).toEqual(['x\n', 'a\n']);
    expect(message).toContain('Note: d/debug.log stays where it is: git ignores it');
  });

  it.each([
    ['d', 'NO_CHANGE', /it is where it is to go/],
    ['d/sub/x', 'INVALID_INPUT', /is in d itself/],
    ['e.txt', 'FILE_EXISTS', /e\.txt is a file that is there already/],
    ['taken', 'FILE_EXISTS', /To put it into that folder, give taken\/d as new_path/],
    ['.', 'FILE_EXISTS', /The workspace is a folder that is there already/],
    ['../out', 'OUTSIDE_WORKSPACE', /\.\.\/out/],
    ['.git/d', 'PROTECTED_PATH', /\.git/],
    ['ignored/d', 'IGNORED_PATH', /Git ignores/],
    ['e.txt/d', 'FILE_EXISTS', /e\.txt/],
  ])('to %s is refused: %s', async (new_path, code, words) => {
    const repo = personRepo({ ...FILES, 'taken/x': 'x\n', '.gitignore': 'ignored/\n' });
    const session = await repo.session();
    const before = stateOf(repo);
    for (const overwrite of [false, true]) {
      const error = await refusal(session.edit('move', { path: 'd', new_path, overwrite }));
      expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)]);
    }
    expect(stateOf(repo)).toBe(before);
  });
});

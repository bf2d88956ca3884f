/** The backend of a deep agent where the paths and texts are not the plain ones. */

import { symlinkSync } from 'node:fs';
import { FilesystemBackend } from 'deepagents';
import { describe, expect, it } from 'vitest';
import { type DeepAgentsBackend, deepAgentsBackend } from '../../../src/surfaces/langchain/index.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

async function backend(): Promise<{ repo: Place; files: DeepAgentsBackend }> {
  const repo = personRepo({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'crlf.txt': 'a\r\nb\r\na\r\nb\r\n' });
  return { repo, files: deepAgentsBackend(await repo.session()) };
}

type Ask = (files: DeepAgentsBackend) => Promise<{ error?: string }>;

/** In the words of the backend: its fields are no others than the path. */
const WORKSPACE = /^INVALID_INPUT: \/ is the workspace itself\. Name a file or folder in it\.$/;

describe('a wrong path', () => {
  const cases: ReadonlyArray<[string, Ask, RegExp]> = [
    [
      'ls of a file',
      files => files.ls('/a.txt'),
      /^FILE_NOT_FOUND: There is no folder \/a\.txt: it is a file/,
    ],
    ['glob in a file', files => files.glob('*', '/a.txt'), /^FILE_NOT_FOUND: There is no folder \/a\.txt/],
    ['read of a folder', files => files.read('/src'), /^IS_DIRECTORY: \/src is a folder/],
    ['readRaw of a folder', files => files.readRaw('/src'), /^IS_DIRECTORY: \/src is a folder/],
    ['read of the workspace', files => files.read('/'), /^IS_DIRECTORY: \/ is a folder/],
    ['read past the end', files => files.read('/a.txt', 9), /^LINE_OUT_OF_RANGE: offset 9 is past the end/],
    [
      'read before the beginning',
      files => files.read('/a.txt', -1),
      /^LINE_OUT_OF_RANGE: offset -1 is before/,
    ],
    ['read of no lines', files => files.read('/a.txt', 0, 0), /^INVALID_INPUT: limit 0 shows no lines/],
    [
      'ls of no path',
      files => files.ls(undefined as never),
      /^INVALID_INPUT: The path must be a text, not undefined/,
    ],
    [
      'glob by a number',
      files => files.glob(5 as never),
      /^INVALID_INPUT: The pattern must be a text, not 5/,
    ],
    ['delete of the workspace', files => files.delete('/'), WORKSPACE],
    ['write of the workspace', files => files.write('/', 'x'), WORKSPACE],
    ['edit of the workspace', files => files.edit('/', 'a', 'b'), WORKSPACE],
  ];
  it.each(cases)('%s is refused', async (_, ask, words) => {
    const { repo, files } = await backend();
    expect(await ask(files)).toEqual({ error: expect.stringMatching(words) });
    expect(repo.git('status', '--short')).toBe('');
  });
});

it('counts what it replaced in a file with CRLF', async () => {
  const { repo, files } = await backend();
  expect(await files.edit('/crlf.txt', 'a\nb', 'c\nd', true)).toMatchObject({ occurrences: 2 });
  expect(repo.read('crlf.txt')).toBe('c\r\nd\r\nc\r\nd\r\n');
});

it.each([
  ['/', '*.txt', ['/a.txt', '/crlf.txt', '/src/b.txt', '/src/deep/d.txt']],
  ['/', 'src/*.txt', ['/src/b.txt']],
  [undefined, '/a.txt', ['/a.txt']],
  ['/src', '/b.txt', ['/src/b.txt']],
  ['/src', '**/b.txt', ['/src/b.txt']],
  ['/src/', 'deep/*.txt', ['/src/deep/d.txt']],
  ['/src', 'src/*.txt', []],
])('glob in %j counts %j from there', async (folder, pattern, paths) => {
  const { repo, files } = await backend();
  repo.write('src/deep/d.txt', 'd\n');
  const found = (await files.glob(pattern, folder)).files!;
  expect(found.map(({ path }) => path).sort()).toEqual(paths);
});

it('knows a link to a folder from a file, and does not look for files behind it', async () => {
  const { repo, files } = await backend();
  symlinkSync('src', repo.path('folder'));
  symlinkSync('a.txt', repo.path('file.txt'));
  const paths = async (found: Promise<{ files?: Array<{ path: string }> }>): Promise<string[]> =>
    (await found).files!.map(({ path }) => path).sort();
  const listed = (await files.ls('/')).files!.filter(({ path }) => /folder|file/.test(path));
  expect(listed).toEqual([
    { path: '/file.txt', is_dir: false },
    { path: '/folder/', is_dir: true },
  ]);
  expect(await paths(files.glob('**'))).toEqual(['/a.txt', '/crlf.txt', '/file.txt', '/src/b.txt']);
  expect(await paths(files.glob('/*.txt'))).toEqual(['/a.txt', '/crlf.txt', '/file.txt']);
  expect((await files.grep('b')).matches!.map(({ path }) => path)).toEqual([
    '/crlf.txt',
    '/crlf.txt',
    '/src/b.txt',
  ]);
});

it('finds nothing by a pattern that fits nothing', async () => {
  const { files } = await backend();
  expect(await files.glob('[z-a]')).toEqual({ files: [] });
  expect(await files.glob('{a')).toEqual({ files: [] });
});

it('does not delete what a link in the folder leads to', async () => {
  const { repo, files } = await backend();
  symlinkSync('../a.txt', repo.path('src/l.txt'));
  expect(await files.delete('/src')).toEqual({ error: expect.stringContaining('SPECIAL_FILE') });
  expect([repo.read('a.txt'), repo.read('src/b.txt')]).toEqual(['a\n', 'b\n']);
});

it('stops with the signal of the run that it is made for', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const session = await repo.session();
  const stop = new AbortController();
  const files = deepAgentsBackend(session, { signal: stop.signal });
  expect(await files.write('/b.txt', 'b\n')).not.toHaveProperty('error');
  stop.abort(new Error('the user pressed escape'));
  for (const call of [() => files.write('/c.txt', 'c\n'), () => files.read('/a.txt'), () => files.ls('/')])
    await expect(call()).rejects.toThrow('the user pressed escape');
  expect(repo.git('status', '--short')).not.toContain('c.txt');
  expect(() => deepAgentsBackend(session, { signl: 1 } as never)).toThrow('there is no option `signl`');
});

it.each([
  ['a\nb\n', 0, 500],
  ['a\nb\n', 0, 2],
  ['a\nb\n', 1, 1],
  ['a\nb\n', 1, 2],
  ['a\nb', 0, 500],
  ['a\nb', 0, 1],
  ['a\r\nb\r\n', 0, 1],
  ['a\r\nb\r\n', 0, 500],
])('read of %j from %i, %i lines, gives what its own backend gives', async (text, offset, limit) => {
  const repo = personRepo({ 'a.txt': text });
  const files = deepAgentsBackend(await repo.session());
  const own = new FilesystemBackend({ rootDir: repo.dir, virtualMode: true });
  const { nextOffset, ...wanted } = await own.read('/a.txt', offset, limit);
  expect(await files.read('/a.txt', offset, limit)).toEqual(
    nextOffset === undefined ? wanted : { ...wanted, nextOffset },
  );
});

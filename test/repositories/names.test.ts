import { readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fs } from '../../src/fs/fs.ts';
import { onlyProcess } from '../../src/fs/lock/processes.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import type { Session } from '../../src/index.ts';
import { openOn } from '../../src/workspace/open.ts';
import { overriding } from '../helpers/overriding.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const fold = (name: string): string => name.normalize('NFC').toLowerCase();

/** The name on disk that a disk without case, or with another normal form, takes the given one for. */
function onDisk(given: string): string {
  const path = normalize(given).replace(/(?<=.)\/$/, '');
  if (path === '/' || path === '.') return path;
  const folder = onDisk(dirname(path));
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return join(folder, readdirSync(folder).find(one => fold(one) === fold(name)) ?? name);
  } catch {
    return join(folder, name);
  }
}

/** A session on a disk like those of macOS and Windows: names are kept, and compared without case. */
async function folding(repo: Place): Promise<Session> {
  repo.git('config', 'core.ignoreCase', 'true');
  const real = nodeFs();
  const fs = overriding<Fs>(Object.assign(Object.create(real), { descriptorPaths: false }), {
    lstat: path => real.lstat(onDisk(path)),
    open: (path, ...rest) => real.open(onDisk(path), ...rest),
    readFile: path => real.readFile(onDisk(path)),
    readdir: path => real.readdir(onDisk(path)),
    realpath: path => real.realpath(onDisk(path)),
    readlink: path => real.readlink(onDisk(path)),
    mkdir: path => real.mkdir(onDisk(path)),
    unlink: path => real.unlink(onDisk(path)),
    rmdir: path => real.rmdir(onDisk(path)),
    rename: (from, to) => real.rename(onDisk(from), onDisk(to)),
    link: (from, to) => real.link(onDisk(from), onDisk(to)),
  });
  const workspace = await openOn({ fs, codec: nativeCodec, processes: onlyProcess() }, { root: repo.dir });
  return workspace.session();
}

describe.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
] as const)('a disk that does not tell case, %s', (_where, make, trail) => {
  const files = { 'ReadMe.md': 'r\n', 'Src/Main.ts': 'm\n', '\u00e9.txt': 'e\n' };

  it('takes only the spelling that is on disk, so that no file is recorded twice', async () => {
    const repo = make(files);
    const session = await folding(repo);
    for (const [given, suggestion] of [
      ['readme.md', 'ReadMe.md'],
      ['README.MD', 'ReadMe.md'],
      ['src/Main.ts', 'Src'],
      ['Src/main.ts', 'Src/Main.ts'],
      ['src/new.ts', 'Src'],
      ['e\u0301.txt', '\u00e9.txt'],
    ]) {
      for (const call of [
        () => session.edit('str_replace', { path: given!, old_str: 'r', new_str: 'R' }),
        () => session.edit('create', { path: given!, file_text: 'x', overwrite: true }),
        () => session.edit('delete', { path: given! }),
        () => session.edit('move', { path: 'ReadMe.md', new_path: given!, overwrite: true }),
        () => session.view({ path: given! }),
      ]) {
        const error = await call().catch(error => error);
        expect([given, error.code, error.data?.suggestion]).toEqual([given, 'INVALID_INPUT', suggestion]);
      }
    }
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('edits, creates, moves and undoes with that spelling', async () => {
    const repo = make(files);
    const session = await folding(repo);
    await session.edit('str_replace', { path: 'Src/Main.ts', old_str: 'm', new_str: 'M' });
    await session.edit('create', { path: 'Src/New.ts', file_text: 'n\n' });
    await session.edit('move', { path: 'ReadMe.md', new_path: 'Docs/ReadMe.md' });
    await session.edit('create', { path: 'README', file_text: 'other\n' });
    const names = repo.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', trail).split('\n');
    expect(names).toEqual(['Docs/ReadMe.md', 'README', 'Src/Main.ts', 'Src/New.ts', '\u00e9.txt']);
    expect(new Set(names.map(fold)).size).toBe(names.length);
    await session.undo({ count: 4 });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('.git in other letters is git itself, also where the disk says so', async () => {
    const repo = make(files);
    const session = await folding(repo);
    const config = repo.read('.git/config');
    for (const path of ['.GIT/config', '.Git/hooks/x', 'Src/.giT/x', '.git\u200c/config'])
      expect(await codeOf(session.edit('create', { path, file_text: 'x', overwrite: true }))).toBe(
        'PROTECTED_PATH',
      );
    expect(repo.read('.git/config')).toBe(config);
  });

  it('ignore rules and attributes are those that git applies there', async () => {
    const repo = make({ ...files, '.gitignore': '*.LOG\n', '.gitattributes': '*.BIN filter=x\n' });
    const session = await folding(repo);
    expect(await codeOf(session.edit('create', { path: 'a.log', file_text: 'x' }))).toBe('IGNORED_PATH');
    expect(await codeOf(session.edit('create', { path: 'a.bin', file_text: 'x' }))).toBe('FILTERED_PATH');
  });
});

describe('two names that differ in case alone', () => {
  it('are two files where the disk tells them apart, and stay two', async () => {
    const repo = ownRepo({ 'a.txt': 'small\n', 'A.txt': 'large\n', 'dir/x': 'x\n', 'DIR/x': 'X\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'A.txt', old_str: 'large', new_str: 'LARGE' });
    await session.edit('str_replace', { path: 'dir/x', old_str: 'x', new_str: 'y' });
    expect([repo.read('a.txt'), repo.read('A.txt')]).toEqual(['small\n', 'LARGE\n']);
    expect([repo.read('dir/x'), repo.read('DIR/x')]).toEqual(['y\n', 'X\n']);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});

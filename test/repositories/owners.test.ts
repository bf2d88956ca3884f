import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onlyProcess } from '../../src/fs/lock/processes.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openOn } from '../../src/workspace/open.ts';
import { failing, overriding } from '../helpers/overriding.ts';
import { codeOf, ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';
import { BIN, type Ran } from '../helpers/vedit.ts';
import { everythingIn } from './folder-contents.ts';

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65534;

function giveTo(folder: string, uid: number): void {
  lchownSync(folder, uid, uid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, uid);
}

describe.runIf(isRoot)('a repository of another user', () => {
  const refused = async (repo: Place, options = {}): Promise<boolean> => {
    const error = await repo.open(options).then(
      () => null,
      error => error,
    );
    if (error !== null) expect(error).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    return error !== null;
  };

  it.each([
    ['its work tree', '.'],
    ['its .git', '.git'],
    ['both', ''],
  ])('is refused like git does, by the owner of %s', async (_what, path) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    if (path === '') giveTo(repo.dir, 12345);
    else chownSync(repo.path(path), 12345, 12345);
    const before = everythingIn(repo.dir);
    expect(() => repo.git('status')).toThrow(/dubious ownership/);
    const error = await repo.open().catch((error: Error) => error);
    expect(error).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    expect((error as Error).message).toContain(`git config --global --add safe.directory ${repo.dir}`);
    expect(await refused(repo, { trustOwners: [54321] })).toBe(true);
    expect(await refused(repo, { trustOwners: [12345] })).toBe(false);
    expect(await refused(repo, { userConfig: `[safe]\n\tdirectory = ${repo.dir}\n` })).toBe(false);
    expect(await refused(repo, { userConfig: '[safe]\n\tdirectory = /else\n\tdirectory = *\n' })).toBe(false);
    expect(await refused(repo, { userConfig: `[safe]\n\tdirectory = ${repo.dir}x\n` })).toBe(true);
    repo.write('.git/config', `${repo.read('.git/config')}[safe]\n\tdirectory = *\n`);
    expect(await refused(repo)).toBe(true);
    repo.write('.git/config', repo.read('.git/config').replace('[safe]\n\tdirectory = *\n', ''));
    expect(everythingIn(repo.dir)).toEqual(before);
  });

  it('that is linked here or bare is one, too; a file of another user in my repository is not', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
    const side = place(at(repo.path('..', 'side')));
    chownSync(repo.path('a.txt'), 12345, 12345);
    expect(await refused(repo)).toBe(false);
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    expect(statSync(repo.path('a.txt')).uid).toBe(12345);
    chownSync(side.path('.git'), 12345, 12345);
    expect(await refused(side)).toBe(true);
    repo.git('clone', '-q', '--bare', '.', '../bare.git');
    const bare = place(at(repo.path('..', 'bare.git')));
    expect(await refused(bare)).toBe(false);
    chownSync(bare.dir, 12345, 12345);
    expect(await refused(bare)).toBe(true);
  });

  it('is trusted by nobody else: another user opens his own, and not that of root', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const platform = { fs: nodeFs(), codec: nativeCodec, processes: onlyProcess(), euid: 12345 };
    expect(await codeOf(openOn(platform, { root: repo.dir }))).toBe('UNSUPPORTED_REPOSITORY');
    giveTo(repo.dir, 12345);
    expect(await codeOf(openOn(platform, { root: repo.dir }))).toBe(null);
    expect(await codeOf(openOn({ ...platform, euid: undefined }, { root: repo.dir }))).toBe(null);
  });
});

/** The command line as a user who may not do everything. */
function asNobody(repo: Place, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: repo.dir,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  return { code: status ?? -1, out: String(stdout), err: String(stderr) };
}

/** Folders that were made unwritable, to be writable again for the one who clears them away. */
const locked: string[] = [];
afterEach(() => {
  for (const folder of locked.splice(0)) chmodSync(folder, 0o755);
});

function lock(repo: Place, ...paths: string[]): void {
  for (const path of paths) {
    chmodSync(repo.path(path), 0o555);
    locked.push(repo.path(path));
  }
}

function ownedByNobody(make: typeof personRepo, files: Record<string, string>): Place {
  const repo = make(files);
  chmodSync(repo.path('..'), 0o755);
  if (isRoot) giveTo(repo.dir, NOBODY);
  return repo;
}

/** Another user must be able to read the program. */
const readable = !isRoot || asNobodyCanRun();
function asNobodyCanRun(): boolean {
  const { status } = spawnSync(process.execPath, [BIN, '--version'], { uid: NOBODY, gid: NOBODY });
  return status === 0;
}

describe.runIf(readable).each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('what cannot be written, %s', (_where, make) => {
  const files = { 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/c.txt': 'c\n' };

  it('a folder of the work tree: STORE_FAILED, nothing changed, no trace', async () => {
    const repo = ownedByNobody(make, files);
    expect(asNobody(repo, 'replace', 'a.txt', 'a', 'A')).toMatchObject({ code: 0 });
    lock(repo, 'd');
    const before = everythingIn(repo.dir);
    for (const args of [
      ['replace', 'd/b.txt', 'b', 'B'],
      ['create', 'd/new/x.txt', '--text', 'x'],
      ['rm', 'd/b.txt'],
      ['mv', 'd/b.txt', 'x.txt'],
      ['mv', 'a.txt', 'd/x.txt'],
    ]) {
      const { code, err } = asNobody(repo, ...args);
      expect([args, code, err]).toEqual([args, 128, expect.stringMatching(/STORE_FAILED.*EACCES/s)]);
      expect(everythingIn(repo.dir)).toEqual(before);
    }
    chmodSync(repo.path('d'), 0o755);
    expect(asNobody(repo, 'replace', 'd/b.txt', 'b', 'B')).toMatchObject({ code: 0 });
  });

  it('a file that is read-only is replaced all the same, and stays read-only', () => {
    const repo = ownedByNobody(make, files);
    chmodSync(repo.path('a.txt'), 0o444);
    expect(asNobody(repo, 'replace', 'a.txt', 'a', 'A')).toMatchObject({ code: 0 });
    expect(repo.read('a.txt')).toBe('A\n');
    expect(statSync(repo.path('a.txt')).mode & 0o777).toBe(0o444);
  });

  it('the repository: reading works, writing is STORE_FAILED with the cause', () => {
    const repo = ownedByNobody(make, files);
    lock(repo, '.git', '.git/objects', '.git/refs');
    const before = everythingIn(repo.dir);
    expect(asNobody(repo, 'view', 'a.txt')).toMatchObject({ code: 0, out: expect.stringContaining('a\n') });
    for (const args of [['log'], ['status'], ['diff'], ['replace', 'a.txt', 'a', 'A', '-n']])
      expect([args, asNobody(repo, ...args).code]).toEqual([args, 0]);
    const { code, err } = asNobody(repo, 'replace', 'a.txt', 'a', 'A');
    expect([code, err]).toEqual([
      128,
      expect.stringMatching(/STORE_FAILED.*permission denied \(EACCES\) at \.git/s),
    ]);
    expect(everythingIn(repo.dir)).toEqual(before);
  });

  it('its objects only, or its refs only: nothing is changed', () => {
    const repo = ownedByNobody(make, files);
    asNobody(repo, 'replace', 'a.txt', 'a', 'A');
    const refs = make === personRepo ? '.git/refs/vedit' : '.git/refs/heads';
    for (const path of [refs, '.git/objects']) {
      lock(repo, path);
      const before = everythingIn(repo.dir);
      const { code, err } = asNobody(repo, 'create', `${path.length}.txt`, '--text', `${path}`);
      expect([code, err]).toEqual([128, expect.stringContaining('EACCES')]);
      for (const [key, value] of Object.entries(before))
        expect([key, everythingIn(repo.dir)[key]]).toEqual([key, value]);
      expect(existsSync(repo.path(`${path.length}.txt`))).toBe(false);
      chmodSync(repo.path(path), 0o755);
      expect(asNobody(repo, 'create', `${path.length}.txt`, '--text', `${path}`).code).toBe(0);
    }
    expect(repo.git('-c', `safe.directory=${repo.dir}`, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('a file that cannot be read is a failure, never a file that is not there', () => {
    const repo = ownedByNobody(make, files);
    chmodSync(repo.path('a.txt'), 0o000);
    const before = everythingIn(repo.dir);
    for (const args of [
      ['view', 'a.txt'],
      ['replace', 'a.txt', 'a', 'A'],
      ['create', 'a.txt', '--text', 'x', '--overwrite'],
      ['rm', 'a.txt'],
    ])
      expect([args, asNobody(repo, ...args)]).toEqual([
        args,
        expect.objectContaining({ code: 128, err: expect.stringContaining('EACCES') }),
      ]);
    mkdirSync(repo.path('e'), { mode: 0o700 });
    expect(asNobody(repo, 'create', 'e/x', '--text', 'x').err).toContain(isRoot ? 'EACCES' : '');
    expect(everythingIn(repo.dir)).toMatchObject(before);
  });
});

it('a read-only file system is said to be one', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const fs = overriding(nodeFs(), { mkdir: failing('EROFS') });
  const workspace = await openOn({ fs, codec: nativeCodec, processes: onlyProcess() }, { root: repo.dir });
  const call = workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
  await expect(call).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('the file system is read-only'),
    data: { cause: 'EROFS' },
  });
  expect(repo.read('a.txt')).toBe('a\n');
});

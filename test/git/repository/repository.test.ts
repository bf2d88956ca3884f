import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { preflight } from '../../../src/git/repository/preflight.ts';
import { locate, type Repository } from '../../../src/git/repository/repository.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { at, repository, type Sandbox, sandbox } from '../../helpers/real-git.ts';

const fs = nodeFs();

function committed(box: Sandbox): Sandbox {
  box.git('commit', '-q', '--allow-empty', '-m', 'first');
  return box;
}

async function shape(dir: string): Promise<Partial<Repository>> {
  const { gitDir, commonDir, workDir, bare, worktree } = await locate(fs, dir);
  return { gitDir, commonDir, workDir, bare, worktree };
}

test('a repository is found from its folder and from below', async () => {
  const box = repository();
  mkdirSync(box.path('a/b'), { recursive: true });
  const gitDir = box.path('.git');
  for (const dir of [box.dir, box.path('a/b')]) {
    expect(await shape(dir)).toEqual({
      gitDir,
      commonDir: gitDir,
      workDir: box.dir,
      bare: false,
      worktree: null,
    });
  }
});

test('a link to the folder leads to the repository by its real path', async () => {
  const box = repository();
  symlinkSync(box.dir, box.path('../link'));
  expect(await shape(box.path('../link'))).toMatchObject({ workDir: box.dir });
});

test('a bare repository has no work tree', async () => {
  const box = repository('--bare');
  const bare = { gitDir: box.dir, commonDir: box.dir, workDir: null, bare: true, worktree: null };
  expect(await shape(box.dir)).toEqual(bare);
  const wrapped = sandbox();
  at(wrapped.dir).git('init', '-q', '--bare', '.git');
  expect(await shape(wrapped.dir)).toMatchObject({ bare: true, workDir: null });
});

test('a linked worktree has HEAD of its own and shares the rest', async () => {
  const box = committed(repository());
  box.git('worktree', 'add', '-q', '../side');
  const expected = {
    gitDir: box.path('.git/worktrees/side'),
    commonDir: box.path('.git'),
    workDir: box.path('../side'),
  };
  expect(await shape(box.path('../side'))).toEqual({ ...expected, bare: false, worktree: 'side' });
});

test('a worktree of a bare repository is not bare', async () => {
  const box = committed(repository());
  const bare = sandbox('bare.git');
  bare.git('clone', '-q', '--bare', box.dir, '.');
  bare.git('worktree', 'add', '-q', '../side', 'main');
  expect(await shape(bare.path('../side'))).toMatchObject({ bare: false, workDir: bare.path('../side') });
});

test('a submodule leads back by core.worktree', async () => {
  const [inner, outer] = [committed(repository()), committed(repository())];
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub');
  expect(await shape(outer.path('sub'))).toEqual({
    gitDir: outer.path('.git/modules/sub'),
    commonDir: outer.path('.git/modules/sub'),
    workDir: outer.path('sub'),
    bare: false,
    worktree: null,
  });
});

test('a repository that was made apart from its work tree is found from there', async () => {
  const box = sandbox();
  box.git('init', '-q', `--separate-git-dir=${box.path('../apart.git')}`);
  const gitDir = box.path('../apart.git');
  const expected = { gitDir, commonDir: gitDir, workDir: box.dir, bare: false, worktree: null };
  expect(await shape(box.dir)).toEqual(expected);
  box.git('config', 'core.worktree', box.dir);
  expect(await shape(box.dir)).toEqual(expected);
  const other = sandbox('other');
  other.write('.git', `gitdir: ${gitDir}\n`);
  await expect(locate(fs, other.dir)).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringContaining('git config core.worktree'),
  });
  box.git('config', '--unset', 'core.worktree');
  box.git('config', 'core.bare', 'true');
  await expect(locate(fs, other.dir)).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
});

test('a .git that leads to a repository which does not lead back is refused', async () => {
  const box = committed(repository());
  box.git('worktree', 'add', '-q', '../side');
  const refused = (dir: string) =>
    expect(locate(fs, dir)).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
  const fake = sandbox();
  for (const target of [box.path('.git'), box.path('.git/worktrees/side')]) {
    fake.write('.git', `gitdir: ${target}\n`);
    await refused(fake.dir);
  }
  fake.write('.git', 'nonsense');
  await refused(fake.dir);
  rmSync(fake.path('.git'));
  symlinkSync(box.path('.git'), fake.path('.git'));
  await refused(fake.dir);
  box.git('config', 'core.worktree', '/elsewhere');
  await refused(box.dir);
});

test('what is no repository is passed over or refused', async () => {
  const refused = (dir: string) =>
    expect(locate(fs, dir)).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      message: expect.stringContaining('vedit init'),
    });
  const box = committed(repository());
  mkdirSync(box.path('sub/.git'), { recursive: true });
  expect(await shape(box.path('sub'))).toMatchObject({ workDir: box.dir });
  await refused(box.path('.git'));
  await refused(box.path('.git/refs'));
  await refused(sandbox().dir);
  await refused(box.path('absent'));
  box.git('worktree', 'add', '-q', '../side');
  rmSync(box.path('.git'), { recursive: true });
  await refused(box.path('../side'));
});

test('an error of the disk is not taken for a missing repository', async () => {
  const box = repository();
  const broken = overriding(fs, { lstat: failing('EIO') });
  await expect(locate(broken, box.dir)).rejects.toMatchObject({
    code: 'STORE_FAILED',
    data: { cause: 'EIO' },
  });
});

test('the config of a worktree counts where the repository says so', async () => {
  const box = committed(repository());
  box.git('worktree', 'add', '-q', '../side');
  box.git('config', 'extensions.worktreeConfig', 'true');
  at(box.path('../side')).git('config', '--worktree', 'vedit.trail', 'HEAD');
  expect((await locate(fs, box.path('../side'))).config.get('vedit.trail')).toBe('HEAD');
  expect((await locate(fs, box.dir)).config.get('vedit.trail')).toBeUndefined();
});

test('pre-flight passes ordinary repositories and sees a changed config', async () => {
  const box = committed(repository());
  const repo = await locate(fs, box.dir);
  await preflight(repo);
  await preflight(repo);
  box.git('config', 'user.name', 'Grace');
  await preflight(repo);
  expect(repo.config.get('user.name')).toBe('Grace');
  box.git('config', 'core.repositoryFormatVersion', '1');
  box.git('config', 'extensions.preciousObjects', 'true');
  await preflight(repo);
  box.git('config', 'extensions.fancy', 'true');
  await expect(preflight(repo)).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringContaining('fancy'),
  });
});

test.each([
  ['sha256', ['extensions.objectFormat', 'sha256']],
  ['reftable', ['extensions.refStorage', 'reftable']],
  ['version 2', ['core.repositoryFormatVersion', '2']],
])('%s is refused', async (feature, [key, value]) => {
  const box = repository();
  writeFileSync(join(box.dir, '.git/config'), `[core]\nrepositoryFormatVersion = 1\n`);
  box.git('config', '-f', '.git/config', key!, value!);
  const repo = await locate(fs, box.dir);
  await expect(preflight(repo)).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringContaining(feature),
  });
});

test('a real SHA-256 repository is refused', async () => {
  const repo = await locate(fs, repository('--object-format=sha256').dir);
  await expect(preflight(repo)).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
});

test('HEAD as a symbolic link is refused', async () => {
  const box = committed(repository());
  rmSync(box.path('.git/HEAD'));
  symlinkSync('refs/heads/main', box.path('.git/HEAD'));
  await expect(preflight(await locate(fs, box.dir))).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
  });
});

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFsFromVolume, Volume } from 'memfs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  initRepository,
  openWorkspace,
  type Session,
  type Workspace,
  type WorkspaceOptions,
} from '../../src/index.ts';
import { at } from '../helpers/real-git.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-place-')));
  made.push(dir);
  return dir;
}

/** The same story wherever the files and the repository are. */
async function story(session: Session): Promise<string> {
  await session.edit('create', { path: 'src/a.ts', file_text: 'one\ntwo\nthree\n' });
  const view = await session.view({ path: 'src/a.ts' });
  expect(view.message).toContain('     2\ttwo\n');
  const version = view.data.version;
  await session.edit('replace_lines', {
    path: 'src/a.ts',
    start_line: 2,
    end_line: 2,
    new_content: 'TWO',
    version,
  });
  await session.edit('move', { path: 'src/a.ts', new_path: 'b.ts' });
  await session.undo({ count: 2 });
  expect((await session.view({ path: 'src/a.ts' })).message).toContain('     2\ttwo\n');
  await session.redo();
  expect((await session.view({ path: 'src' })).message).toContain('src/a.ts');
  const { data } = await session.log();
  const ops = (data.entries as { op: string }[]).map(entry => entry.op);
  expect(ops).toEqual(['redo', 'undo', 'move', 'replace_lines', 'create']);
  return String((await session.show('@')).data.commit);
}

async function openNew(
  options: Partial<WorkspaceOptions> & { root: string; bare?: boolean },
): Promise<Session> {
  return (await openOther(options)).session({ agent: 'claude' });
}

async function openOther({
  bare,
  ...options
}: Partial<WorkspaceOptions> & { root: string; bare?: boolean }): Promise<Workspace> {
  expect((await initRepository({ root: options.root, fs: options.fs, bare })).created).toBe(true);
  return openWorkspace(options);
}

describe('a workspace works in every place', () => {
  it('a new repository on disk', async () => {
    const root = folder();
    const head = await story(await openNew({ root }));
    const repo = at(root);
    expect(repo.git('rev-parse', 'main')).toBe(head);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict')).toBe('');
    expect((await initRepository({ root })).created).toBe(false);
  });

  it('a bare repository on disk', async () => {
    const root = join(folder(), 'bare.git');
    const head = await story(await openNew({ root, bare: true }));
    expect(at(root).git('rev-parse', 'main')).toBe(head);
    expect(at(root).git('show', 'main:src/a.ts')).toBe('one\nTWO\nthree');
    expect(at(root).git('fsck', '--strict')).toBe('');
  });

  it('memfs, with a work tree and bare', async () => {
    for (const bare of [false, true]) {
      const volume = new Volume();
      volume.mkdirSync('/repo');
      const fs = createFsFromVolume(volume) as unknown as NonNullable<WorkspaceOptions['fs']>;
      const workspace = await openOther({ root: '/repo', fs, bare });
      await story(workspace.session({ agent: 'claude' }));
      await workspace.close();
      const names = Object.keys(volume.toJSON());
      expect(
        names.filter(name => /\.lock$|vedit\/.+/.test(name) && !/vedit\/(tmp|live|events)$/.test(name)),
      ).toEqual([]);
      expect(names.includes('/repo/src/a.ts')).toBe(!bare);
      // The real git reads what was written in memory.
      const copy = folder();
      const json = volume.toJSON();
      const repo = at(copy);
      for (const name of names)
        if (json[name] !== null)
          repo.write(name.slice('/repo/'.length), volume.readFileSync(name) as Uint8Array);
      if (!bare) expect(repo.git('fsck', '--strict')).toBe('');
      else expect(repo.git('--git-dir', copy, 'fsck', '--strict')).toBe('');
    }
  });

  it('a linked work tree, a detached HEAD, an unborn branch', async () => {
    const main = at(folder());
    main.git('init', '-q', '-b', 'main');
    const unborn = (await openWorkspace({ root: main.dir })).session();
    await unborn.edit('create', { path: 'a.txt', file_text: 'a\n' });
    expect(main.git('log', '--format=%s', 'vedit/main')).toBe('create a.txt (+1 -0)');
    main.git('add', '-A');
    main.git('commit', '-qm', 'start');
    const linked = at(join(folder(), 'linked'));
    main.git('worktree', 'add', '-q', '-b', 'side', linked.dir);
    const side = (await openWorkspace({ root: linked.dir })).session();
    await side.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'side' });
    expect(main.git('show', 'vedit/worktree/linked:a.txt')).toBe('side');
    expect(main.git('rev-parse', 'side')).toBe(main.git('rev-parse', 'main'));
    linked.git('checkout', '-q', '--detach', '-f');
    await side.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'detached' });
    expect(main.git('show', 'vedit/worktree/linked:a.txt')).toBe('detached');
    expect(main.git('fsck', '--strict')).toBe('');
    expect(main.git('status', '--porcelain')).toBe('');
  });

  it('but not nowhere, and says how to begin', async () => {
    for (const open of [openWorkspace, initRepository])
      await expect(open({} as { root: string })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('process.cwd()'),
      });
    await expect(openWorkspace({ root: folder() })).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      message: expect.stringContaining('initRepository'),
    });
  });

  it('a folder inside the work tree is a workspace of its own', async () => {
    const repo = at(folder());
    repo.git('init', '-q', '-b', 'main');
    repo.write('top.txt', 'top\n');
    repo.write('packages/a/x.txt', 'x\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'start');
    const session = (await openWorkspace({ root: repo.path('packages/a') })).session();
    const { data } = await session.edit('str_replace', { path: 'x.txt', old_str: 'x', new_str: 'X' });
    expect(data.paths[0]!.path).toBe('x.txt');
    expect(repo.git('show', '--format=', '--name-only', 'vedit/main')).toBe('packages/a/x.txt');
    await expect(session.view({ path: '../../top.txt' })).rejects.toMatchObject({
      code: 'OUTSIDE_WORKSPACE',
    });
    await session.undo();
    expect(repo.git('show', 'vedit/main:packages/a/x.txt')).toBe('x');
  });
});

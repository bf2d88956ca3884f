import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunGit } from '../../../src/git/run-git.ts';
import { dirty, edited, git, hook, LINES } from '../../helpers/landing.ts';
import { codeOf } from '../../helpers/person-repo.ts';

describe('hooks', () => {
  it('run, see what lands and nothing else, and may change it', async () => {
    const repo = await edited();
    repo.write('b.txt', 'not staged\n');
    hook(
      repo,
      'pre-commit',
      'git diff --cached --name-only > seen; git show :a.txt | tr a-z A-Z > up; cp up a.txt; git add a.txt',
    );
    hook(repo, 'commit-msg', 'echo "Checked-by: hook" >> "$1"');
    hook(repo, 'post-commit', 'git log -1 --format=%s > after');
    const { data } = await (await repo.open()).land({ git });
    expect(repo.read('seen')).toBe('a.txt\nsrc/new.txt\n');
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.toUpperCase().trimEnd());
    expect(data.changed_by_hooks).toEqual(['a.txt']);
    expect(data.commits[0]!.message).toContain('Checked-by: hook');
    expect(repo.read('after')).toBe('3 edits by 2 agents: a.txt, src/new.txt\n');
    expect(dirty(repo)).toEqual([' M b.txt']);
  });

  it('that add another edit leave nothing of it, and the answer counts so', async () => {
    const repo = await edited();
    hook(repo, 'pre-commit', 'git add -A');
    const workspace = await repo.open();
    const { data } = await workspace.land({ git, paths: ['a.txt'] });
    expect([data.changed_by_hooks, data.left]).toEqual([['src/new.txt'], 0]);
    expect(data.notes.join()).not.toContain('not landed');
    expect((await (await repo.session()).status()).data.left).toBe(0);
  });

  it.each(['pre-commit', 'commit-msg', 'prepare-commit-msg'])(
    '%s that says no changes nothing',
    async name => {
      const repo = await edited();
      const state = (): string[] => [
        repo.git('rev-parse', 'HEAD'),
        repo.git('ls-files', '-s'),
        repo.git('status', '--porcelain'),
      ];
      const before = state();
      hook(repo, name, 'echo "no secrets, please" >&2; exit 7');
      const call = (await repo.open()).land({ git });
      await expect(call).rejects.toMatchObject({
        code: 'GIT_REFUSED',
        message: expect.stringContaining('no secrets, please'),
        data: { output: expect.stringContaining('no secrets') },
      });
      expect(state()).toEqual(before);
      expect(existsSync(repo.path('.git/index.lock'))).toBe(false);
    },
  );

  it('that refuse the second of several commits take back the first', async () => {
    const repo = await edited();
    const before = [repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')];
    hook(repo, 'pre-commit', 'test ! -e .git/once || exit 1; touch .git/once');
    expect(await codeOf((await repo.open()).land({ git, each: true }))).toBe('GIT_REFUSED');
    expect([repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')]).toEqual(before);
  });

  it('see the branch that they run on, and may move it: then all begins again', async () => {
    const repo = await edited();
    hook(
      repo,
      'pre-commit',
      'git symbolic-ref --short HEAD > branch; test -e .git/once && exit; touch .git/once; git update-ref refs/heads/main $(git commit-tree -p HEAD -m other HEAD^{tree})',
    );
    await (await repo.open()).land({ git, message: 'landed' });
    expect(repo.read('branch')).toBe('main\n');
    expect(repo.git('log', '--format=%s')).toBe('landed\nother\nstart');
  });

  it('that move it each time end the landing after three attempts', async () => {
    const repo = await edited();
    hook(
      repo,
      'commit-msg',
      'git update-ref refs/heads/main $(git commit-tree -p HEAD -m other HEAD^{tree}); echo ran >> .git/runs',
    );
    const call = (await repo.open()).land({ git });
    await expect(call).rejects.toMatchObject({ code: 'LOCKED', message: expect.stringContaining('3 times') });
    expect(repo.git('log', '--format=%s')).toBe('other\nother\nother\nstart');
    expect(repo.read('.git/runs')).toBe('ran\nran\nran\n');
    expect(existsSync(repo.path('.git/vedit/land'))).toBe(false);
  });

  it('that write to a file that lands each time they run are named, and one that does it once lands', async () => {
    const repo = await edited();
    hook(repo, 'pre-commit', 'echo x >> a.txt');
    const workspace = await repo.open();
    await expect(workspace.land({ git })).rejects.toMatchObject({
      code: 'GIT_REFUSED',
      message: expect.stringContaining('a.txt changed each of 3 times that the hooks ran'),
      data: { paths: ['a.txt'] },
    });
    expect(repo.git('log', '--format=%s')).toBe('start');
    hook(repo, 'pre-commit', 'tr a-z A-Z < a.txt > .git/up; cmp -s .git/up a.txt || cp .git/up a.txt');
    await workspace.land({ git, message: 'landed', outside: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(repo.read('a.txt').trimEnd());
    expect(repo.read('a.txt')).toContain('X\n');
  });

  it('may edit by the engine, and what they write to a file that lands is the person’s', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    hook(repo, 'pre-commit', 'touch .git/runs; echo more >> .git/runs');
    const editing: RunGit = async call => {
      if (call.args.includes('pre-commit'))
        await workspace
          .session({ id: 'hook' })
          .edit('create', { path: `h${Date.now()}.txt`, file_text: 'h\n' });
      return git(call);
    };
    expect((await workspace.land({ git: editing })).data.commits[0]!.edits).toHaveLength(3);
    expect(repo.read('.git/runs')).toBe('more\n');
    await repo
      .open()
      .then(next =>
        next.session({ id: 's3' }).edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' }),
      );
    hook(repo, 'pre-commit', 'grep -q mine a.txt || echo mine >> a.txt');
    await workspace.land({ git, paths: ['a.txt'] });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(
      LINES.replace('one', 'ONE').replace('two', 'TWO').replace('seven\n', 'SEVEN'),
    );
    expect(repo.read('a.txt')).toContain('mine');
  });

  it('pre-commit and commit-msg are left out on request, as by git commit --no-verify', async () => {
    const repo = await edited();
    for (const name of ['pre-commit', 'commit-msg']) hook(repo, name, 'exit 1');
    for (const name of ['prepare-commit-msg', 'post-commit']) hook(repo, name, `echo ${name} >> .git/runs`);
    expect(await codeOf((await repo.open()).land({ git }))).toBe('GIT_REFUSED');
    const { data } = await (await repo.open()).land({ git, verify: false });
    expect(data.hooks).toBe(true);
    expect(repo.read('.git/runs')).toBe('prepare-commit-msg\npost-commit\n');
  });

  it('of a git before 2.36 are found by their path, with quotes in it too', async () => {
    const repo = await edited();
    repo.write("my 'hooks'/pre-commit", '#!/bin/sh\necho "$GIT_INDEX_FILE" > .git/seen; exit 3\n');
    chmodSync(repo.path("my 'hooks'/pre-commit"), 0o755);
    repo.git('config', 'core.hooksPath', repo.path("my 'hooks'"));
    const old: RunGit = async call =>
      call.args.includes('version')
        ? { code: 0, stdout: 'git version 2.30.2', stderr: '' }
        : call.args.includes('hook')
          ? { code: 1, stdout: '', stderr: 'no such command' }
          : git(call);
    await expect((await repo.open()).land({ git: old })).rejects.toMatchObject({ data: { exit: 3 } });
    expect(repo.read('.git/seen')).toMatch(/\.git\/vedit\/land\/[0-9a-f]{24}\/index$/m);
    expect((await (await repo.open()).land({ git: old, verify: false })).data.hooks).toBe(true);
  });

  it('that empty the message end the landing', async () => {
    const repo = await edited();
    hook(repo, 'commit-msg', ': > "$1"');
    await expect((await repo.open()).land({ git })).rejects.toMatchObject({
      code: 'GIT_REFUSED',
      message: expect.stringContaining('empty commit message'),
    });
    expect(repo.git('log', '--format=%s')).toBe('start');
  });
});

describe('signing', () => {
  const signer = [
    '#!/bin/sh',
    'cat > /dev/null',
    'echo "[GNUPG:] SIG_CREATED D" >&2',
    'printf "%s\\n" "-----BEGIN PGP SIGNATURE-----" "" fake "-----END PGP SIGNATURE-----"',
  ];

  it('is git’s, also on a branch that is not checked out', async () => {
    const repo = await edited();
    repo.write('../signer', signer.join('\n'));
    chmodSync(repo.path('../signer'), 0o755);
    repo.git('config', 'gpg.program', repo.path('../signer'));
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('branch', 'other');
    const workspace = await repo.open();
    expect((await workspace.land({ git, onto: 'other' })).data).toMatchObject({ signed: true, hooks: false });
    const told: string[] = [];
    const onCommit = (count: number, of: number): unknown => told.push(`${count}/${of}`);
    const each = await workspace.land({ git, each: true, onCommit });
    expect(each.data).toMatchObject({ signed: true, hooks: true });
    expect(told).toEqual(['1/3', '2/3', '3/3']);
    for (const branch of ['other', 'main', 'main~1']) {
      expect(repo.git('cat-file', 'commit', branch)).toMatch(/^gpgsig -----BEGIN PGP SIGNATURE-----$/m);
    }
  });

  it('that hangs keeps nobody from editing', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    let signed = (): void => {};
    const asked = new Promise<void>(resolve => {
      signed = resolve;
    });
    let goOn = (): void => {};
    const waits = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const slow: RunGit = async call => {
      if (call.args.includes('commit-tree')) {
        signed();
        await waits;
      }
      return git(call);
    };
    const landing = workspace.land({ git: slow });
    await asked;
    const other = await repo.session('s9', { patience: { engine: 100 } });
    await other.edit('create', { path: 'beside.txt', file_text: 'beside\n' });
    goOn();
    expect((await landing).data.commits[0]!.edits).toHaveLength(3);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('beside.txt');
  });

  it('that fails refuses the landing', async () => {
    const repo = await edited();
    repo.git('config', 'gpg.program', '/bin/false');
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('branch', 'other');
    const workspace = await repo.open();
    expect(await codeOf(workspace.land({ git }))).toBe('GIT_REFUSED');
    expect(await codeOf(workspace.land({ git, onto: 'other' }))).toBe('GIT_REFUSED');
    expect(repo.git('rev-parse', 'other')).toBe(repo.git('rev-parse', 'main'));
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
  });
});

import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dirty, edited, git, hook, LINES } from '../../../helpers/landing.ts';
import { codeOf } from '../../../helpers/person-repo.ts';

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

  it('see the branch that they run on, and can keep it from moving', async () => {
    const repo = await edited();
    hook(
      repo,
      'pre-commit',
      'git symbolic-ref --short HEAD > branch; git commit-tree -p HEAD -m other HEAD^{tree} > other; git update-ref refs/heads/main $(cat other)',
    );
    const call = (await repo.open()).land({ git });
    expect(await codeOf(call)).not.toBe(null);
    expect(repo.read('branch')).toBe('main\n');
    expect(repo.git('log', '--format=%s', '-1')).toBe('other');
    expect(existsSync(repo.path('.git/index.lock'))).toBe(false);
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

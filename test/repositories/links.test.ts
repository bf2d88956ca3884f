import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, filesEqual, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { expectAgreement } from './git-agrees.ts';

const TRAILS = [
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
] as const;

function withLinks(make: typeof personRepo): Place {
  const repo = make({ 'AGENTS.md': 'rules\n', 'src/a.ts': 'a\n' });
  symlinkSync('AGENTS.md', repo.path('CLAUDE.md'));
  symlinkSync('src', repo.path('alias'));
  symlinkSync('../AGENTS.md', repo.path('src/up'));
  symlinkSync('/etc/passwd', repo.path('out'));
  symlinkSync('/etc', repo.path('etc'));
  symlinkSync('.git', repo.path('g'));
  symlinkSync('nowhere', repo.path('dangling'));
  symlinkSync('loop', repo.path('loop'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'links');
  return repo;
}

describe.each(TRAILS)('symlinks %s', (_where, make, trail) => {
  it('that stay inside lead to the real file, which is what is edited and recorded; they stay links', async () => {
    const repo = withLinks(make);
    const session = await repo.session();
    const { data } = await session.edit('str_replace', {
      path: 'CLAUDE.md',
      old_str: 'rules',
      new_str: 'RULES',
    });
    expect(data.paths[0]!.path).toBe('AGENTS.md');
    await session.edit('str_replace', { path: 'src/up', old_str: 'RULES', new_str: 'Rules' });
    await session.edit('str_replace', { path: 'alias/a.ts', old_str: 'a', new_str: 'A' });
    await session.edit('create', { path: 'alias/deep/new.ts', file_text: 'new\n' });
    expect(repo.read('src/deep/new.ts')).toBe('new\n');
    for (const link of ['CLAUDE.md', 'alias', 'src/up']) {
      expect(lstatSync(repo.path(link)).isSymbolicLink()).toBe(true);
      expect(repo.git('ls-tree', trail, link)).toBe(repo.git('ls-tree', 'HEAD', link));
      expect(repo.git('ls-tree', trail, link)).toMatch(/^120000 blob/);
    }
    await session.undo({ count: 4 });
    expectAgreement(repo, trail);
  });

  it('are not the files that they lead to, where a whole file would go', async () => {
    const repo = withLinks(make);
    repo.write('b.txt', 'b\n');
    const session = await repo.session();
    const patch = '*** Begin Patch\n*** Delete File: CLAUDE.md\n*** End Patch';
    const calls = [
      () => session.edit('delete', { path: 'CLAUDE.md' }),
      () => session.edit('delete', { path: 'src/up' }),
      () => session.edit('delete', { path: 'alias/up' }),
      () => session.edit('delete', { path: repo.path('CLAUDE.md') }),
      () => session.edit('move', { path: 'CLAUDE.md', new_path: 'moved' }),
      () => session.edit('move', { path: 'b.txt', new_path: 'CLAUDE.md', overwrite: true }),
      () => session.edit('apply_patch', { patch }),
    ];
    for (const call of calls) {
      const refusal = { code: 'SPECIAL_FILE', data: { target: 'AGENTS.md' } };
      await expect(call()).rejects.toMatchObject(refusal);
    }
    expect(repo.read('AGENTS.md')).toBe('rules\n');
    await session.edit('delete', { path: 'alias/a.ts' });
    expect(existsSync(repo.path('src/a.ts'))).toBe(false);
  });

  it('that lead out, nowhere, in circles or into .git are refused, for every kind of edit', async () => {
    const repo = withLinks(make);
    const session = await repo.session();
    const passwd = readFileSync('/etc/passwd', 'utf8');
    const head = repo.git('rev-parse', 'HEAD');
    for (const [path, code] of [
      ['out', 'OUTSIDE_WORKSPACE'],
      ['etc/hosts', 'OUTSIDE_WORKSPACE'],
      ['etc/new', 'OUTSIDE_WORKSPACE'],
      ['g/config', 'PROTECTED_PATH'],
      ['g/hooks/pre-commit', 'PROTECTED_PATH'],
      ['dangling', 'OUTSIDE_WORKSPACE'],
      ['loop', 'OUTSIDE_WORKSPACE'],
    ]) {
      const calls = [
        () => session.edit('str_replace', { path: path!, old_str: 'root', new_str: 'x' }),
        () => session.edit('create', { path: path!, file_text: 'x', overwrite: true }),
        () => session.edit('delete', { path: path! }),
        () => session.edit('move', { path: path!, new_path: 'moved' }),
        () => session.edit('move', { path: 'src/a.ts', new_path: path!, overwrite: true }),
        () => session.view({ path: path! }),
      ];
      for (const call of calls) {
        const error = await call().catch(error => error);
        expect([path, error.code]).toEqual([path, code]);
        expect(error.message).not.toContain(passwd.slice(0, 20));
      }
    }
    expect(readFileSync('/etc/passwd', 'utf8')).toBe(passwd);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('for-each-ref', '--format=%(objectname)').split('\n')).toEqual([head]);
  });

  it('a file that was edited and is now a link is not followed by an undo, and not replaced', async () => {
    const repo = make({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    repo.git('rm', '-q', '-f', '--cached', 'a.txt');
    const { unlinkSync } = await import('node:fs');
    unlinkSync(repo.path('a.txt'));
    symlinkSync('b.txt', repo.path('a.txt'));
    expect(await codeOf(session.undo())).not.toBe(null);
    expect(readlinkSync(repo.path('a.txt'))).toBe('b.txt');
    expect(repo.read('b.txt')).toBe('b\n');
  });
});

describe.each(TRAILS)('the execute bit %s', (_where, make, trail) => {
  const modeOf = (repo: Place, path: string): string => repo.git('ls-tree', trail, path).slice(0, 6);
  const permOf = (repo: Place, path: string): number => statSync(repo.path(path)).mode & 0o7777;

  it('is kept by edits, moves, deletions and their undoing; permissions of others are', async () => {
    const repo = make({ 'run.sh': '#!/bin/sh\n', 'a.txt': 'a\n' });
    chmodSync(repo.path('run.sh'), 0o750);
    repo.git('commit', '-qam', 'mode');
    chmodSync(repo.path('a.txt'), 0o600);
    const session = await repo.session();
    await session.edit('insert', {
      path: 'run.sh',
      insert_line: 0,
      insert_text: '# x',
      version: repo.git('hash-object', 'run.sh'),
    });
    expect([modeOf(repo, 'run.sh'), permOf(repo, 'run.sh')]).toEqual(['100755', 0o750]);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    expect([modeOf(repo, 'a.txt'), permOf(repo, 'a.txt')]).toEqual(['100644', 0o600]);
    await session.edit('move', { path: 'run.sh', new_path: 'bin/run.sh' });
    await session.edit('delete', { path: 'bin/run.sh' });
    await session.undo();
    expect([modeOf(repo, 'bin/run.sh'), permOf(repo, 'bin/run.sh') & 0o111]).toEqual(['100755', 0o111]);
    expect(filesEqual(repo, trail)).toBe(true);
    expectAgreement(repo, trail);
  });

  it('changed by a person is an outside change of its own', async () => {
    const repo = make({ 'a.sh': 'a\n' });
    chmodSync(repo.path('a.sh'), 0o755);
    const session = await repo.session();
    const { data } = await session.edit('str_replace', { path: 'a.sh', old_str: 'a', new_str: 'b' });
    expect(data.outside?.paths).toEqual(['a.sh']);
    expect(repo.git('diff', '--summary', `${trail}~2`, `${trail}~1`)).toContain(
      'mode change 100644 => 100755',
    );
    expect(repo.git('diff', '--summary', `${trail}~1`, trail)).toBe('');
    expectAgreement(repo, trail);
  });

  it('that the repository does not trust (core.fileMode=false) is neither recorded nor changed', async () => {
    const repo = make({ 'a.txt': 'a\n', 'run.sh': 'r\n' });
    repo.git('update-index', '--chmod=+x', 'run.sh');
    repo.git('commit', '-qm', 'mode');
    repo.git('config', 'core.fileMode', 'false');
    chmodSync(repo.path('a.txt'), 0o755);
    const session = await repo.session();
    for (const [path, old, put] of [
      ['a.txt', 'a', 'A'],
      ['run.sh', 'r', 'R'],
    ] as const) {
      const { data } = await session.edit('str_replace', { path, old_str: old, new_str: put });
      expect(data.outside).toBeUndefined();
    }
    await session.edit('move', { path: 'run.sh', new_path: 'go.sh' });
    await session.edit('create', { path: 'new.txt', file_text: 'n\n' });
    const modes = (): string[] => ['a.txt', 'go.sh', 'new.txt'].map(path => modeOf(repo, path));
    expect(modes()).toEqual(['100644', '100755', '100644']);
    expect(permOf(repo, 'a.txt')).toBe(0o755);
    await session.undo({ count: 4 });
    expect(permOf(repo, 'a.txt')).toBe(0o755);
    expect(repo.git('diff', 'HEAD~0', trail)).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

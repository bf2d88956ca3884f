import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../../helpers/real-git.ts';
import { cleanEnv, content, personRepo, vedit, veditJson } from '../../helpers/vedit.ts';

/** A repository of the engine's own, where the author of an edit is the person. */
async function ownRepo(): Promise<Sandbox> {
  const box = sandbox();
  await vedit(box, ['init']);
  return box;
}

async function authorOf(box: Sandbox, env: NodeJS.ProcessEnv = {}): Promise<string> {
  await vedit(box, ['create', 'a.txt', '--text', 'x\n'], { env });
  return box.git('log', '-1', '--format=%an <%ae>');
}

const GLOBAL = '[user]\n\tname = Global\n\temail = global@example.invalid\n';

describe('the author', () => {
  it('is the person of the environment first', async () => {
    const box = await ownRepo();
    box.git('config', 'user.name', 'Repo');
    box.git('config', 'user.email', 'repo@example.invalid');
    const env = { GIT_AUTHOR_NAME: 'Env', GIT_AUTHOR_EMAIL: 'env@example.invalid' };
    expect(await authorOf(box, env)).toBe('Env <env@example.invalid>');
  });

  it('has no control characters', async () => {
    const box = await ownRepo();
    box.git('config', 'user.name', 'A\u001b[31m\u0007da\u202e');
    box.git('config', 'user.email', 'a\u007fda@example.invalid');
    expect(await authorOf(box)).toBe('A[31mda <ada@example.invalid>');
  });

  it('then that of the repository, field by field', async () => {
    const box = await ownRepo();
    box.write('../home/.gitconfig', GLOBAL);
    box.git('config', 'user.email', 'repo@example.invalid');
    expect(await authorOf(box)).toBe('Global <repo@example.invalid>');
  });

  it('then that of ~/.gitconfig, over the one in ~/.config', async () => {
    const box = await ownRepo();
    box.write('../home/.gitconfig', GLOBAL);
    box.write('../home/.config/git/config', '[user]\n\tname = Xdg\n\temail = x@example.invalid\n');
    expect(await authorOf(box)).toBe('Global <global@example.invalid>');
  });

  it('or that of $XDG_CONFIG_HOME, or of the file that git is told to use', async () => {
    const box = await ownRepo();
    box.write('../xdg/git/config', '[user]\n\tname = Xdg\n\temail = x@example.invalid\n');
    expect(await authorOf(box, { XDG_CONFIG_HOME: box.path('..', 'xdg') })).toBe('Xdg <x@example.invalid>');
    box.write('../own', GLOBAL);
    const env = { GIT_CONFIG_GLOBAL: box.path('..', 'own'), XDG_CONFIG_HOME: box.path('..', 'xdg') };
    await vedit(box, ['replace', 'a.txt', 'x', 'y'], { env });
    expect(box.git('log', '-1', '--format=%an')).toBe('Global');
  });

  it('or the system’s, unless git is told not to read it', async () => {
    const box = await ownRepo();
    box.write('../system', '[user]\n\tname = System\n\temail = s@example.invalid\n');
    const system = box.path('..', 'system');
    const { GIT_CONFIG_NOSYSTEM: _, ...env } = cleanEnv(box, { GIT_CONFIG_SYSTEM: system });
    expect(await authorOf(box, { ...env, GIT_CONFIG_NOSYSTEM: '' })).toBe('System <s@example.invalid>');
    await vedit(box, ['replace', 'a.txt', 'x', 'y'], { env: { GIT_CONFIG_SYSTEM: system } });
    expect(box.git('log', '-1', '--format=%an')).toBe('agent');
  });

  it('is the agent on a trail beside the branch', async () => {
    const box = personRepo();
    box.write('../home/.gitconfig', GLOBAL);
    await vedit(box, ['replace', 'a.txt', 'two', 'x', '--agent', 'fixer']);
    expect(box.git('log', '-1', '--format=%an', 'vedit/main')).toBe('fixer');
  });
});

describe('a config that cannot be read', () => {
  it('is named with its line, and nothing is done', async () => {
    const box = await ownRepo();
    box.write('../home/.gitconfig', '[user]\nname = x\n[broken\n');
    const answer = await veditJson(box, ['create', 'a.txt', '--text', 'x']);
    expect(answer).toMatchObject({ exit: 128, code: 'CORRUPT', data: { line: 3 } });
    expect(answer.message).toContain('.gitconfig');
  });

  it.each([['../home/.gitconfig'], ['.git/config']])('fails as git does where %s is a folder', async name => {
    const box = await ownRepo();
    rmSync(join(box.dir, name), { force: true });
    mkdirSync(join(box.dir, name), { recursive: true });
    const env = { GIT_CONFIG_NOSYSTEM: '1' };
    const answer = await vedit(box, ['create', 'a.txt', '--text', 'x'], { env });
    expect(answer.code).toBe(128);
    expect(answer.err).toMatch(/config/);
    expect(existsSync(join(box.dir, 'a.txt'))).toBe(false);
  });
});

describe('ignore files of the user', () => {
  it.each<[string, string, string]>([
    ['the default place', '../home/.config/git/ignore', ''],
    ['core.excludesFile', '../home/mine', '[core]\n\texcludesFile = ~/mine\n'],
  ])('are obeyed: %s', async (_, path, config) => {
    const box = personRepo();
    box.write('../home/.gitconfig', config);
    box.write(path, '*.log\n');
    const args = ['create', 'x.log', '--text', 'x'];
    expect(await vedit(box, args)).toMatchObject({ code: 1, err: expect.stringContaining('IGNORED_PATH') });
    expect(await vedit(box, [...args, '--allow-ignored'])).toMatchObject({ code: 0 });
  });
});

describe('what git would record', () => {
  it.each<[string, string, string]>([
    ['core.autocrlf of ~/.gitconfig', '../home/.gitconfig', '[core]\n\tautocrlf = input\n'],
    ['attributes in the default place', '../home/.config/git/attributes', '*.txt text\n'],
  ])('depends on the settings of the user: %s', async (_, path, text) => {
    const box = await ownRepo();
    box.write(path, text);
    await vedit(box, ['create', 'a.txt', '--text', 'x\r\n']);
    expect(box.pipe('', 'cat-file', 'blob', 'main:a.txt').toString()).toBe('x\n');
    expect(content(box, 'a.txt')).toBe('x\r\n');
  });
});

describe.runIf(process.geteuid?.() === 0)('a repository of another user', () => {
  it('is refused, unless the user says that it is safe, or called sudo', async () => {
    const box = personRepo();
    chownSync(box.dir, 12345, 12345);
    const args = ['view', 'a.txt'];
    expect(await vedit(box, args)).toMatchObject({
      code: 128,
      err: expect.stringMatching(/UNSUPPORTED_REPOSITORY: .*another user.*safe\.directory/s),
    });
    expect(await vedit(box, args, { env: { SUDO_UID: '12345' } })).toMatchObject({ code: 0 });
    expect(await vedit(box, args, { env: { SUDO_UID: '12346' } })).toMatchObject({ code: 128 });
    box.write('../home/.gitconfig', `[safe]\n\tdirectory = ${box.dir}\n`);
    expect(await vedit(box, args)).toMatchObject({ code: 0 });
    box.write('../home/.gitconfig', `[safe]\n\tdirectory = *\n\tdirectory =\n`);
    expect(await vedit(box, args)).toMatchObject({ code: 128 });
  });
});

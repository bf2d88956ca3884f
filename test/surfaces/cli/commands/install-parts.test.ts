/** What `vedit install` asks before it writes, and that removal gives every file back byte for byte. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../../../src/surfaces/cli/install/clients.ts';
import { repository, type Sandbox } from '../../../helpers/real-git.ts';
import { BIN, content, home, personRepo, plainFolder, vedit, veditJson } from '../../../helpers/vedit.ts';

/** Settings of a user name the program that is run. */
const { argv } = process;
beforeAll(() => {
  process.argv = [argv[0]!, BIN];
});
afterAll(() => {
  process.argv = argv;
});

const ASKED = { tty: ['in', 'err'] as const };

/** All files below a folder, with their texts. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const kept = names.filter(name => !/^\.git\/(?!vedit)/.test(name));
  return Object.fromEntries(
    kept.map(name => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? '/' : readFileSync(path, 'utf8')];
    }),
  );
}

const both = (box: Sandbox): object => [filesOf(box.dir), filesOf(home(box))];

/** What may stand in a file of settings that vedit is put into. */
const PRESENT = [
  '{}',
  '{ }',
  '{\n}\n',
  '\n',
  '',
  '{\n  "a": 1\n}',
  '{"hooks":{},"mcpServers":{}}',
  '// x\n{}\r\n',
];
const TOML = ['', '\n', 'a = 1', '# x\r\na = 1\r\n', '[mcp_servers.own]\ncommand = "x"\n'];

describe.each(CLIENT_NAMES)('after vedit uninstall %s', client => {
  it.each(['for the project', '--user'])('all is as it was, %s', { timeout: 60_000 }, async where => {
    const user = where === '--user' ? [where] : [];
    const box = personRepo();
    box.git('config', 'user.name', 'Ada');
    const start = both(box);
    const install = () => vedit(box, ['install', client, ...user, '--instructions', '--skill']);
    await install();
    const made = (await veditJson<{ files: Array<{ file: string }> }>(box, ['install', client, ...user])).data
      .files;
    expect(made.length).toBeGreaterThan(0);
    await vedit(box, ['uninstall', client, ...user]);
    expect(both(box)).toEqual(start);
    for (const { file } of made) {
      const path = join(file.startsWith('~/') ? home(box) : box.dir, file.replace(/^~\//, ''));
      for (const text of file.endsWith('.toml') ? TOML : /json$/.test(file) ? PRESENT : []) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
        const before = both(box);
        expect((await install()).code).toBe(0);
        expect(readFileSync(path, 'utf8')).toContain('vedit');
        await vedit(box, ['uninstall', client, ...user]);
        expect(both(box)).toEqual(before);
      }
    }
  });
});

describe('each part', () => {
  it('is shown with its reason, and can be refused', async () => {
    const box = personRepo();
    const { out, err } = await vedit(box, ['install', 'claude-code'], { ...ASKED, input: 'n\ny\nno\n' });
    expect(err).toContain('server: the model is offered the tools of vedit, from the first turn on');
    expect(err).toContain('hooks: what its own tools and its shell change is recorded as its own');
    expect(err).toContain('rights: the tools of vedit have the rights of the client’s own');
    expect(out).toContain('"alwaysLoad": true');
    expect(existsSync(box.path('.mcp.json'))).toBe(false);
    expect(content(box, '.claude/settings.json')).toContain('vedit-hook claude-code');
    expect(content(box, '.claude/settings.json')).not.toContain('vedit-rights');
  });

  it('is written without a question with --yes, and left out where the input ends', async () => {
    const box = personRepo();
    await vedit(box, ['install', 'gemini'], { ...ASKED, input: '' });
    expect(existsSync(box.path('.gemini'))).toBe(false);
    expect((await vedit(box, ['install', 'gemini', '--yes'], { ...ASKED, input: '' })).err).not.toContain(
      '?',
    );
    expect(content(box, '.gemini/settings.json')).toContain('BeforeTool');
  });

  it('asks once in a repository what is kept of prompts, of which it keeps nothing unasked', async () => {
    const box = personRepo();
    const kept = (): string => box.git('config', '--default', 'not asked', 'vedit.prompts').trim();
    const hooks = ['install', 'claude-code', '--no-rights'];
    await vedit(box, hooks, { ...ASKED, input: 'y\ny\n' });
    expect(kept()).toBe('not asked');
    expect((await vedit(box, [...hooks, '--yes'])).err).not.toContain('prompts');
    const { err } = await vedit(box, hooks, { ...ASKED, input: 'f\n' });
    expect(err).toContain('in no commit. [o]ff, [f]irst lines, [w]hole: [o]');
    expect(err).toContain('/.git/vedit/prompts for 30 days (git config vedit.prompts first-line)');
    expect(kept()).toBe('first-line');
    expect((await vedit(box, hooks, { ...ASKED, input: 'w\n' })).err).not.toContain('[w]hole');
    await vedit(box, [...hooks, '--prompts', 'off']);
    expect(kept()).toBe('off');
    expect(await vedit(box, [...hooks, '--prompts', 'some'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--prompts must be one of off, first-line, whole'),
    });
    const other = personRepo();
    await vedit(other, hooks, { ...ASKED, input: 'y\ny\n\n' });
    expect(other.git('config', 'vedit.prompts').trim()).toBe('off');
  });

  it('for Gemini’s trust is written only when a person says so', async () => {
    const box = personRepo();
    const settings = (): { trust?: boolean; includeTools?: string[] } =>
      JSON.parse(readFileSync(`${home(box)}/.gemini/settings.json`, 'utf8')).mcpServers.vedit;
    await vedit(box, ['install', 'gemini', '--user', '--yes'], { ...ASKED });
    expect(settings().trust).toBe(undefined);
    await vedit(box, ['install', 'gemini', '--user'], { ...ASKED, input: '\n' });
    expect(settings().trust).toBe(undefined);
    await vedit(box, ['install', 'gemini', '--user', '--trust']);
    expect(settings()).toMatchObject({
      trust: true,
      includeTools: expect.arrayContaining(['view', 'create']),
    });
    expect(settings().includeTools).not.toContain('rollback');
    for (const args of [['gemini'], ['codex', '--user']])
      expect((await vedit(box, ['install', ...args, '--trust'])).err).toContain(
        'vedit install gemini --user --trust',
      );
  });

  it('of instructions is printed, and written with --instructions', async () => {
    const box = personRepo();
    box.write('AGENTS.md', '# Shop\n');
    expect((await vedit(box, ['install', 'codex'])).err).toContain('Do not put back what a person rejected');
    expect(content(box, 'AGENTS.md')).toBe('# Shop\n');
    await vedit(box, ['install', 'codex', '--instructions']);
    await vedit(box, ['install', 'codex', '--instructions']);
    expect(content(box, 'AGENTS.md').split('\n')).toHaveLength(5);
  });
});

describe('what is written', () => {
  it('requires the server in a user’s own settings of Codex alone', async () => {
    const box = personRepo();
    await vedit(box, ['install', 'codex']);
    await vedit(box, ['install', 'codex', '--user']);
    expect(content(box, '.codex/config.toml')).not.toContain('required');
    expect(readFileSync(`${home(box)}/.codex/config.toml`, 'utf8')).toContain('required = true');
  });

  it('keeps what a person put into the entry', async () => {
    const box = personRepo();
    const entry = { command: 'old', env: { A: '1' }, timeout: 5 };
    box.write('.mcp.json', JSON.stringify({ mcpServers: { vedit: entry } }));
    await vedit(box, ['install', 'claude-code']);
    expect(JSON.parse(content(box, '.mcp.json')).mcpServers.vedit).toEqual({
      ...entry,
      ...{ command: 'vedit', args: ['mcp'], alwaysLoad: true },
    });
  });

  it('can be run where the client runs it, and no file of a person is replaced', async () => {
    const box = personRepo();
    box.write('.clinerules/hooks/PreToolUse', '#!/bin/sh\necho mine\n');
    await vedit(box, ['install', 'cline']);
    expect(statSync(`${home(box)}/Documents/Cline/Hooks/PostToolUse`).mode & 0o111).not.toBe(0);
    expect(content(box, '.clinerules/hooks/PreToolUse')).toContain('mine');
  });

  it('stands beside a formatter’s hook, which stays', async () => {
    const box = personRepo();
    const format = { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'npx prettier -w' }] };
    const text = `${JSON.stringify({ hooks: { PostToolUse: [format] } }, null, 2)}\n`;
    box.write('.claude/settings.json', text);
    await vedit(box, ['install', 'claude-code']);
    expect(JSON.parse(content(box, '.claude/settings.json')).hooks.PostToolUse[0]).toEqual(format);
    await vedit(box, ['uninstall', 'claude-code']);
    expect(content(box, '.claude/settings.json')).toBe(text);
  });
});

describe('the place', () => {
  it('in a subfolder is the top of the work tree, and that is said', async () => {
    const box = personRepo();
    const { err } = await vedit(box, ['-C', 'src', 'install', 'claude-code']);
    expect(err).toContain(`only when it is started in ${box.dir}`);
    expect(err).toContain('vedit install claude-code --user');
    expect(existsSync(box.path('.claude/settings.json'))).toBe(true);
    expect((await vedit(box, ['install', 'claude-code'])).err).not.toContain('only when it is started');
  });

  it('in another work tree or a submodule is its own, and the engine’s folder that of the repository', async () => {
    const box = personRepo();
    box.git('worktree', 'add', '-q', '../tree');
    await vedit(box, ['-C', '../tree', 'install', 'claude-code']);
    expect(existsSync(box.path('../tree/.mcp.json'))).toBe(true);
    expect(existsSync(box.path('.mcp.json'))).toBe(false);
    expect(existsSync(box.path('.git/vedit'))).toBe(true);
    const other = personRepo();
    box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.dir, 'sub');
    await vedit(box, ['-C', 'sub', 'install', 'claude-code']);
    expect(existsSync(box.path('sub/.mcp.json'))).toBe(true);
    expect(existsSync(box.path('.git/modules/sub/vedit'))).toBe(true);
  });

  it('in a repository without a commit is its top', async () => {
    const box = repository();
    expect((await vedit(box, ['install', 'codex'])).code).toBe(0);
    expect(existsSync(box.path('.codex/hooks.json'))).toBe(true);
    expect(existsSync(box.path('.git/vedit'))).toBe(true);
  });

  it('outside a repository is the folder, and that nothing is recorded is said', async () => {
    const { err } = await vedit(plainFolder(), ['install', 'claude-code']);
    expect(err).toContain('in no git repository');
    expect((await vedit(personRepo(), ['install', 'claude-code'])).err).not.toContain('in no git repository');
  });
});

describe('vedit install alone', () => {
  function withClients(): { box: Sandbox; env: NodeJS.ProcessEnv } {
    const box = personRepo();
    box.write('../bin/codex', '');
    mkdirSync(`${home(box)}/.gemini`);
    return { box, env: { PATH: `${box.path('../bin')}` } };
  }

  it('finds the clients that are here, and asks for each', async () => {
    const { box, env } = withClients();
    const { err } = await vedit(box, ['install'], { ...ASKED, env, input: 'n\ny\ny\ny\n' });
    expect(err).toContain('codex is here (');
    expect(err).toContain('gemini is here (~/.gemini)');
    expect(err).not.toContain('claude-code is here');
    expect(existsSync(box.path('.codex'))).toBe(false);
    expect(existsSync(box.path('.gemini/settings.json'))).toBe(true);
  });

  it('where nobody can be asked names them, and with --yes takes all', async () => {
    const { box, env } = withClients();
    expect(await vedit(box, ['install'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('found here: codex, gemini'),
    });
    await vedit(box, ['install', '--yes'], { env });
    expect(existsSync(box.path('.codex/hooks.json'))).toBe(true);
    await vedit(box, ['uninstall'], { env });
    expect(box.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect((await vedit(box, ['install'], { env: { PATH: '/nowhere', HOME: '/nowhere' } })).err).toContain(
      'no client was found',
    );
  });
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { connectTo } from '../../../helpers/mcp-client.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { BIN, content, home, personRepo, plainFolder, vedit, veditJson } from '../../../helpers/vedit.ts';

/** The file of a project, and what a person may have in it. */
const OWN: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'claude-code': ['.mcp.json', '{\n  "mcpServers": {\n    "own": { "command": "x" }\n  }\n}\n'],
  cursor: [
    '.cursor/mcp.json',
    '{\n  // mine\n  "mcpServers": {\n    "own": { "command": "x" }, // it\n  },\n}\n',
  ],
  vscode: [
    '.vscode/mcp.json',
    '{\n\t"inputs": [],\n\t"servers": {\n\t\t"own": { "type": "stdio", "command": "x" }\n\t}\n}\n',
  ],
  codex: ['.codex/config.toml', '# mine\nmodel = "m1"\n\n[mcp_servers.own]\ncommand = "x"\n'],
  gemini: [
    '.gemini/settings.json',
    '{\n  "theme": "Dark", /* dark */\n  "mcpServers": { "own": { "command": "x" } }\n}\n',
  ],
  opencode: [
    'opencode.json',
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "own": { "type": "local", "command": ["x"] }\n  }\n}\n',
  ],
};

const CASES = Object.entries(OWN).map(([client, [file, text]]) => [client, file, text] as const);

describe.each(CASES)('vedit install %s', (client, file, text) => {
  it('puts the server beside what stands there, shows it, and takes it out again', async () => {
    const box = personRepo();
    box.write(file, text);
    const { code, out, err } = await vedit(box, ['-C', 'src', 'install', client, '--no-hooks']);
    expect(code).toBe(0);
    expect(err).toContain(`[${client}] put into ${file}`);
    const now = content(box, file);
    const own = text.split('\n').filter(line => /own|mine|dark|it$/.test(line));
    expect(own.filter(line => !now.includes(line.replace(/ \}$/, '')))).toEqual([]);
    const shown = out.split('\n').filter(line => /^[-+](?![-+])/.test(line));
    expect(shown.join('\n')).toMatch(/vedit/);
    expect(now).not.toContain(box.dir);
    expect(now).not.toContain(process.execPath);
    expect((await vedit(box, ['install', client, '--no-hooks'])).err).toContain(
      `vedit is in ${file} already`,
    );
    expect((await vedit(box, ['uninstall', client])).err).toContain(`taken out of ${file}`);
    expect(content(box, file)).toBe(text);
  });

  it('makes a file that is missing, and takes it away again', async () => {
    const box = personRepo();
    await vedit(box, ['install', client]);
    expect(content(box, file)).toContain('vedit');
    await vedit(box, ['uninstall', client]);
    expect(existsSync(box.path(file))).toBe(false);
    expect(box.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  it('writes nothing in a dry run', async () => {
    const box = personRepo();
    const { out, err } = await vedit(box, ['install', client, '-n']);
    expect(out).toContain('vedit');
    expect(err).toContain('nothing written');
    expect(box.git('status', '--porcelain')).toBe('');
  });
});

/** Settings of a person name the program that is run. */
async function asProgram<T>(work: () => Promise<T>): Promise<T> {
  const argv = process.argv[1];
  process.argv[1] = BIN;
  try {
    return await work();
  } finally {
    process.argv[1] = argv!;
  }
}

describe('what stands for vedit', () => {
  const json = (box: Sandbox, file: string): Record<string, unknown> => JSON.parse(content(box, file));

  it('in a project is its name, with the client’s word for the folder', async () => {
    const box = personRepo();
    await vedit(box, ['install', 'vscode', '--tools', 'minimal', '--read-only']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client's own placeholder
    const args = ['mcp', '--root', '${workspaceFolder}', '--tools', 'minimal', '--read-only'];
    expect(json(box, '.vscode/mcp.json')).toEqual({
      servers: { vedit: { type: 'stdio', command: 'vedit', args } },
    });
    await vedit(box, ['install', 'opencode']);
    expect(json(box, 'opencode.json')).toEqual({
      $schema: 'https://opencode.ai/config.json',
      mcp: { vedit: { type: 'local', command: ['vedit', 'mcp'], enabled: true } },
    });
  });

  it('for a user is the path of this vedit, and starts it', async () => {
    const box = personRepo();
    await asProgram(() => vedit(box, ['install', 'claude-desktop']));
    const place = process.platform === 'darwin' ? 'Library/Application Support/Claude' : '.config/Claude';
    const settings = JSON.parse(readFileSync(`${home(box)}/${place}/claude_desktop_config.json`, 'utf8'));
    const { command, args } = settings.mcpServers.vedit;
    expect([command, ...args]).toEqual([process.execPath, BIN, 'mcp', '--root', box.dir]);
    const { call } = await connectTo(box, { command, args });
    expect((await call('view', { path: 'a.txt' })).text).toContain('one');
  });

  it('is npx where that started it and there is no other vedit', async () => {
    const box = personRepo();
    const env = { npm_command: 'exec', PATH: '/x/_npx/1/node_modules/.bin:/nowhere' };
    mkdirSync(box.path('../bin'));
    const { err } = await vedit(box, ['install', 'claude-code'], { env });
    expect(err).toContain('start vedit by npx');
    expect(json(box, '.mcp.json')).toEqual({
      mcpServers: {
        vedit: { command: 'npx', args: ['-y', 'versioned-edit', 'mcp'], alwaysLoad: true },
      },
    });
    expect(content(box, '.claude/settings.json')).toContain(
      'npx -y -p versioned-edit vedit-hook claude-code',
    );
    await vedit(box, ['uninstall', 'claude-code']);
    expect(box.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    box.write('../bin/vedit', '');
    await vedit(box, ['install', 'claude-code'], {
      env: { ...env, PATH: `${env.PATH}:${box.path('../bin')}` },
    });
    expect(content(box, '.mcp.json')).not.toContain('npx');
  });

  it('of one person in a project is the path of this vedit, in files of that person', async () => {
    const box = personRepo();
    writeFileSync(`${home(box)}/.claude.json`, '{\n  "theme": "dark"\n}\n');
    const { err } = await asProgram(() => vedit(box, ['install', 'claude-code', '--local']));
    expect(err).toContain('.claude/settings.local.json is yours alone');
    expect(content(box, '.claude/settings.local.json')).toContain(process.execPath);
    const { projects } = JSON.parse(readFileSync(`${home(box)}/.claude.json`, 'utf8'));
    expect(projects[box.dir].mcpServers.vedit).toMatchObject({ command: process.execPath });
    expect(existsSync(box.path('.mcp.json'))).toBe(false);
    await vedit(box, ['uninstall', 'claude-code', '--local']);
    expect(readFileSync(`${home(box)}/.claude.json`, 'utf8')).toBe('{\n  "theme": "dark"\n}\n');
    expect(existsSync(box.path('.claude'))).toBe(false);
    expect(await vedit(box, ['install', 'codex', '--local'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('codex keeps no settings of one person for one project: give --user'),
    });
  });

  it('goes where Codex keeps its settings', async () => {
    const box = personRepo();
    await vedit(box, ['install', 'codex', '--user'], { env: { CODEX_HOME: box.path('..', 'codex') } });
    expect(content(box, '../codex/config.toml')).toMatch(/^\[mcp_servers\.vedit\]\ncommand = ".*node.*"\n/);
  });
});

describe('hooks of Claude Code', () => {
  it('stand beside those of others, once, and go again', async () => {
    const box = personRepo();
    const own =
      '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "x" }] }\n    ]\n  },\n  "model": "m1"\n}\n';
    box.write('.claude/settings.json', own);
    await vedit(box, ['install', 'claude-code']);
    await vedit(box, ['install', 'claude-code']);
    const { hooks, model } = JSON.parse(content(box, '.claude/settings.json'));
    expect(model).toBe('m1');
    expect(
      hooks.PreToolUse.map((one: { hooks: Array<{ command: string }> }) => one.hooks[0]!.command),
    ).toEqual([
      'x',
      'command -v vedit-hook >/dev/null 2>&1 && vedit-hook claude-code || :',
      'command -v vedit-rights >/dev/null 2>&1 && vedit-rights || :',
    ]);
    expect(hooks.PostToolUse).toEqual([hooks.PreToolUse[1]]);
    expect(hooks.Stop).toHaveLength(1);
    expect(existsSync(box.path('.git/vedit'))).toBe(true);
    await vedit(box, ['uninstall', 'claude-code']);
    expect(content(box, '.claude/settings.json')).toBe(own);
    expect(existsSync(box.path('.mcp.json'))).toBe(false);
  });
});

describe('hooks of an older version', () => {
  it('are replaced, and go with the others', async () => {
    const box = personRepo();
    const hook = { type: 'command', command: 'vedit hook claude-code', timeout: 20 };
    const old = { hooks: { PreToolUse: [{ matcher: 'Edit|Write', hooks: [hook] }] } };
    box.write('.claude/settings.json', JSON.stringify(old));
    await vedit(box, ['install', 'claude-code', '--no-rights']);
    const { hooks } = JSON.parse(content(box, '.claude/settings.json'));
    expect(hooks.PreToolUse).toEqual(hooks.PostToolUse);
    await vedit(box, ['uninstall', 'claude-code']);
    expect(JSON.parse(content(box, '.claude/settings.json'))).toEqual({});
  });
});

describe('settings', () => {
  it('that cannot be read are left, and named with the line', async () => {
    const box = personRepo();
    box.write('.mcp.json', '{\n  "mcpServers": {\n}\n');
    const { code, err } = await vedit(box, ['install', 'claude-code']);
    expect(code).toBe(1);
    expect(err).toContain('.mcp.json was left as it is: it is not JSON at line 4');
    expect(content(box, '.mcp.json')).toBe('{\n  "mcpServers": {\n}\n');
    expect(existsSync(box.path('.claude'))).toBe(false);
  });

  it('keep their mode, and the link that leads to them', async () => {
    const box = personRepo();
    box.write('config/mcp.json', '{}\n');
    chmodSync(box.path('config/mcp.json'), 0o666);
    symlinkSync('config/mcp.json', box.path('.mcp.json'));
    await vedit(box, ['install', 'claude-code', '--no-hooks', '--no-rights']);
    expect(content(box, 'config/mcp.json')).toContain('vedit');
    expect(statSync(box.path('config/mcp.json')).mode & 0o777).toBe(0o666);
    await vedit(box, ['uninstall', 'claude-code']);
    expect(content(box, 'config/mcp.json')).toBe('{}\n');
    expect(lstatSync(box.path('.mcp.json')).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['a link', (box: Sandbox) => symlinkSync(box.path('../dot/mcp.json'), box.path('.mcp.json'))],
    ['a link to nothing', (box: Sandbox) => symlinkSync('../none/x.json', box.path('.mcp.json'))],
    ['a link of the folder', (box: Sandbox) => symlinkSync(box.path('../dot'), box.path('.claude'))],
  ])('are not written where %s leaves the project', async (_, link) => {
    const box = personRepo();
    box.write('../dot/mcp.json', '{}\n');
    link(box);
    const { code, err } = await vedit(box, ['install', 'claude-code']);
    expect(code).toBe(1);
    expect(err).toContain('was left as it is: a link leads out of the project there');
    expect(content(box, '../dot/mcp.json')).toBe('{}\n');
    expect(readdirSync(box.path('../dot'))).toEqual(['mcp.json']);
    expect(existsSync(box.path('../none'))).toBe(false);
  });

  it('of a user may be kept elsewhere', async () => {
    const box = personRepo();
    box.write('../dot/settings.json', '{}\n');
    mkdirSync(`${home(box)}/.gemini`);
    symlinkSync(box.path('../dot/settings.json'), `${home(box)}/.gemini/settings.json`);
    await vedit(box, ['install', 'gemini', '--user']);
    expect(content(box, '../dot/settings.json')).toContain('vedit');
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is no regular file'],
    ['a folder', (path: string) => mkdirSync(path), 'it is no regular file'],
    ['read-only', (path: string) => writeFileSync(path, '{}\n', { mode: 0o444 }), 'it may only be read'],
  ])('that are %s are left, and nothing else is written', async (_, make, words) => {
    const box = personRepo();
    mkdirSync(box.path('.claude'));
    make(box.path('.claude/settings.json'));
    const { code, err } = await vedit(box, ['install', 'claude-code']);
    expect(code).toBe(1);
    expect(err).toContain(`.claude/settings.json was left as it is: ${words}`);
    expect(existsSync(box.path('.mcp.json'))).toBe(false);
  });

  it('that changed while a person was asked are left as they are now', async () => {
    const box = personRepo();
    box.write('.mcp.json', '{}\n');
    const answers = async function* () {
      box.write('.mcp.json', '{"mine":1}\n');
      yield 'y\n';
    };
    const stdin = Readable.from(answers());
    const asked = vedit(box, ['install', 'claude-code', '--no-hooks', '--no-rights'], {
      tty: ['in', 'err'],
      stdin,
    });
    expect((await asked).err).toContain('it changed meanwhile');
    expect(content(box, '.mcp.json')).toBe('{"mine":1}\n');
  });

  it('go into the folder where there is no repository', async () => {
    const box = plainFolder();
    expect((await vedit(box, ['install', 'gemini'])).code).toBe(0);
    expect(existsSync(box.path('.gemini/settings.json'))).toBe(true);
  });

  it('are told in JSON', async () => {
    const answer = await veditJson(personRepo(), ['install', 'claude-code', '-n']);
    expect(answer.data).toMatchObject({
      client: 'claude-code',
      removed: false,
      dry_run: true,
      files: [
        { file: '.mcp.json', changed: true },
        { file: '.claude/settings.json', changed: true },
      ],
    });
  });

  it.each([
    [['emacs'], 'there are settings for claude-code'],
    [['cursor', '--root', '/x'], 'leave --root out'],
  ])('are not known: %j', async (args, words) => {
    expect(await vedit(personRepo(), ['install', ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    });
  });

  it('of a project are told to need vedit on the PATH', async () => {
    const box = personRepo();
    expect((await vedit(box, ['install', 'cursor'], { env: { PATH: '/nonexistent' } })).err).toContain(
      'no vedit on the PATH',
    );
    box.write('../bin/vedit', '');
    expect(
      (await vedit(box, ['install', 'cursor'], { env: { PATH: box.path('..', 'bin') } })).err,
    ).not.toContain('PATH');
  });
});

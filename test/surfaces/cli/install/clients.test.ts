/** What is printed for a client starts a server when the client does with it what it says. */

import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../../../src/surfaces/cli/install/clients.ts';
import { connectTo, type Start } from '../../../helpers/mcp-client.ts';
import { repository } from '../../../helpers/real-git.ts';
import { bin } from '../../../helpers/vedit.ts';

describe.each(CLIENT_NAMES)('vedit mcp --print-config %s', client => {
  it('prints what starts the server, and says where it goes', async () => {
    const box = repository();
    box.write('a.txt', 'hello\n');
    const { code, out, err } = await bin(box, ['mcp', '--print-config', client, '--tools', 'minimal']);
    expect(code).toBe(0);
    expect(err).toMatch(/This goes into .*(json|toml)/);
    const start = startOf(client, out);
    const args = start.args.map(arg => arg.replace(WORKSPACE, box.dir));
    const { client: connected, call } = await connectTo(box, { command: start.command, args });
    expect((await connected.listTools()).tools).toHaveLength(5);
    expect((await call('view', { path: 'a.txt' })).text).toContain('hello');
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

/** Each client has a form of its own. */
function startOf(client: string, text: string): Start {
  if (client === 'codex') {
    const [, command, args] = /^\[mcp_servers\.vedit\]\ncommand = (".*")\nargs = (\[.*\])\n$/.exec(text)!;
    return { command: JSON.parse(command!), args: JSON.parse(args!) };
  }
  const config = JSON.parse(text);
  if (client === 'opencode') {
    const [command, ...args] = config.mcp.vedit.command;
    return { command, args };
  }
  return (client === 'vscode' ? config.servers : config.mcpServers).vedit;
}

describe('vedit mcp', () => {
  it('prints the options that the server is to be started with', async () => {
    const given = ['--agent', 'zed', '--model', 'm', '--session', 's1', '--trail', 'x'];
    const flags = ['--read-only', '--structured', '--allow-ignored', '--record-refusals'];
    const options = [...given, '--tools', 'all', ...flags];
    const { out } = await bin(repository(), ['mcp', '--print-config', 'cursor', ...options]);
    expect(startOf('cursor', out).args.slice(-options.length)).toEqual(options);
  });

  it.each([
    ['--agent', ''],
    ['--model', ' m'],
    ['--session', 'a\nb'],
  ])('refuses %s %j at the start, not at every edit', async (option, value) => {
    const { code, err } = await bin(repository(), ['mcp', option, value]);
    expect(code).toBe(2);
    expect(err).toContain(`${option} must be one line of plain text`);
  });

  it('refuses a client that it does not know', async () => {
    const box = repository();
    const { code, err } = await bin(box, ['mcp', '--print-config', 'emacs']);
    expect(code).toBe(2);
    expect(err).toContain('claude-code');
  });
});

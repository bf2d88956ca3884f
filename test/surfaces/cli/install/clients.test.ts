/** What is installed for a client starts a server when the client does with it what it says. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../../../src/surfaces/cli/install/clients.ts';
import { connectTo, type Start } from '../../../helpers/mcp-client.ts';
import { repository, type Sandbox } from '../../../helpers/real-git.ts';
import { bin, home } from '../../../helpers/vedit.ts';

/** Installs it for a user, and reads what stands for vedit then. */
async function started(box: Sandbox, client: string, ...options: string[]): Promise<Start> {
  const { code, out } = await bin(box, ['install', client, '--user', '--json', ...options]);
  expect(code).toBe(0);
  const { file } = JSON.parse(out).data.files[0] as { file: string };
  return startOf(client, readFileSync(join(home(box), file.replace('~/', '')), 'utf8'));
}

describe.each(CLIENT_NAMES)('vedit install %s', client => {
  it('writes what starts the server', async () => {
    const box = repository();
    box.write('a.txt', 'hello\n');
    const start = await started(box, client, '--tools', 'minimal');
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
    const [, command, args] = /^\[mcp_servers\.vedit\]\ncommand = (".*")\nargs = (\[.*\])\n/.exec(text)!;
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
  it('is started with the options that were given', async () => {
    const given = ['--agent', 'zed', '--model', 'm', '--session', 's1', '--trail', 'x'];
    const flags = ['--read-only', '--structured', '--allow-ignored', '--record-refusals'];
    const options = ['--tools', 'all', ...given, ...flags];
    const { args } = await started(repository(), 'cursor', ...options);
    expect(args.slice(-options.length)).toEqual(options);
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
});

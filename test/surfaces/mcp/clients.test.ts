/** What is printed for a client starts a server when the client does with it what it says. */

import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../../src/surfaces/mcp/clients.ts';
import { repository } from '../../git/real-git.ts';
import { bin } from '../cli/run.ts';
import { connectTo, type Start } from './client.ts';

describe.each(Object.keys(CLIENTS))('vedit mcp --print-config %s', client => {
  it('prints JSON that starts the server, and says where it goes', async () => {
    const box = repository();
    box.write('a.txt', 'hello\n');
    const { code, out, err } = await bin(box, ['mcp', '--print-config', client, '--tools', 'minimal']);
    expect(code).toBe(0);
    expect(err).toMatch(/This goes into .*json/);
    const start = startOf(JSON.parse(out));
    const args = start.args.map(arg => arg.replace(WORKSPACE, box.dir));
    const { client: connected, call } = await connectTo(box, { command: start.command, args });
    expect((await connected.listTools()).tools).toHaveLength(5);
    expect((await call('view', { path: 'a.txt' })).text).toContain('hello');
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

/** Under `servers` for VS Code, under `mcpServers` for all others. */
function startOf(config: Record<string, Record<string, Start>>): Start {
  expect(Object.keys(config)).toEqual([expect.stringMatching(/^(mcpServers|servers)$/)]);
  return Object.values(config)[0]!.vedit!;
}

describe('vedit mcp', () => {
  it('prints the options that the server is to be started with', async () => {
    const given = ['--agent', 'zed', '--model', 'm', '--session', 's1', '--trail', 'x'];
    const flags = ['--read-only', '--structured', '--allow-ignored', '--record-refusals'];
    const options = [...given, '--tools', 'all', ...flags];
    const { out } = await bin(repository(), ['mcp', '--print-config', 'cursor', ...options]);
    expect(startOf(JSON.parse(out)).args.slice(-options.length)).toEqual(options);
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

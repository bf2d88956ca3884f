import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { EDITS, MOMENTS, SHELLS } from '../../../../src/agents/hooks/agents.ts';
import { CLIENTS, type Client } from '../../../../src/surfaces/cli/install/clients.ts';
import { hookCommand, isHookOf, rightsCommand } from '../../../../src/surfaces/cli/install/start.ts';
import { BIN } from '../../../helpers/vedit.ts';

const HOOK_CLIENTS = CLIENTS.filter(one => one.hooks ?? one.hookFiles).map(({ name }) => name);

const clientNamed = (name: string): Client => CLIENTS.find(one => one.name === name)!;
const hookFiles = (name: string): NonNullable<Client['hookFiles']> => clientNamed(name).hookFiles ?? [];

const bare = { PATH: '/usr/bin:/bin' };

describe('what starts a hook', () => {
  it('of a user is quoted for a shell', () => {
    const program = "/home/o'hara/my tools/vedit.js";
    const command = hookCommand('path', 'claude-code', program);
    expect(execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })).toBe(
      `${[process.execPath, program, 'hook', 'claude-code'].join('\n')}\n`,
    );
  });

  it('names the front of this program, which needs no node for what changes nothing', () => {
    expect(hookCommand('path', 'codex', BIN)).toBe(
      `${BIN.replace('vedit.js', 'vedit-hook')} codex ${process.execPath}`,
    );
    expect(rightsCommand('path', BIN)).toBe(BIN.replace('vedit.js', 'vedit-rights'));
  });

  it.each(HOOK_CLIENTS)('for %s stops nobody who has no vedit, and is known again', client => {
    for (const command of [hookCommand('name', client), rightsCommand('name')])
      expect(execFileSync('sh', ['-c', command], { encoding: 'utf8', env: bare })).toBe('');
    for (const by of ['path', 'npx', 'name'] as const) {
      const command = hookCommand(by, client, BIN);
      for (const entry of [{ command }, { bash: command }, { hooks: [{ command }] }])
        expect(isHookOf(client, entry)).toBe(true);
      expect(isHookOf(client, { hooks: [{ command }, { command: 'prettier -w' }] })).toBe(false);
      expect(isHookOf(client === 'codex' ? 'gemini' : 'codex', { command })).toBe(false);
    }
    for (const other of [{}, null, { hooks: [] }, { command: 'vedit log' }])
      expect(isHookOf(client, other)).toBe(false);
  });
});

/** The tools that each client's own hooks are told of, and some that they are not. */
const TOLD = [
  [
    'claude-code',
    'PreToolUse',
    ['Edit', 'NotebookEdit', 'Bash', 'mcp__files__write'],
    ['mcp__vedit__create', 'TodoWrite', 'BashOutput'],
  ],
  ['codex', 'PostToolUse', ['Bash', 'apply_patch', 'mcp__files__write'], ['web_search']],
  [
    'gemini',
    'AfterTool',
    ['write_file', 'replace', 'run_shell_command', 'mcp_files_write'],
    ['mcp_vedit_create', 'read_file'],
  ],
  ['qwen', 'PostToolUse', ['write_file', 'edit', 'run_shell_command'], ['mcp__vedit__create', 'read_file']],
  ['cursor', 'postToolUse', ['Write', 'StrReplace', 'Shell'], ['Grep']],
] as const;

describe.each(TOLD)('hooks of %s', (client, event, told, passed) => {
  it(`are started at ${event} of the tools that may change files`, () => {
    const { events, entry: entryOf } = clientNamed(client).hooks!;
    const entry = entryOf('x', events[event]!) as { matcher: string };
    expect(told.filter(tool => !new RegExp(entry.matcher).test(tool))).toEqual([]);
    expect(passed.filter(tool => new RegExp(entry.matcher).test(tool))).toEqual([]);
  });
});

describe('what is installed', () => {
  it.each(HOOK_CLIENTS)('for %s is read: its events, and the tools that edit or run commands', client => {
    const listed = clientNamed(client).hooks;
    for (const [event, matcher] of Object.entries(listed?.events ?? {})) {
      expect([...MOMENTS.keys()]).toContain(event);
      if (matcher !== '') expect([...EDITS].some(tool => new RegExp(matcher).test(tool))).toBe(true);
      if (matcher !== '') expect([...SHELLS].some(tool => new RegExp(matcher).test(tool))).toBe(true);
    }
    for (const { project, text } of hookFiles(client)) {
      const events = [...MOMENTS.keys()].filter(
        event => project.endsWith(`/${event}`) || text('name').includes(event),
      );
      expect([project, events.length > 0]).toEqual([project, true]);
    }
  });
});

describe('a hook that is a file', () => {
  it('of Cline answers that the call may go on, where there is no vedit', () => {
    for (const { text } of hookFiles('cline'))
      expect(JSON.parse(execFileSync('sh', ['-c', text('name')], { encoding: 'utf8', env: bare }))).toEqual({
        cancel: false,
      });
  });

  it('of opencode does nothing where there is no vedit', async () => {
    const { text } = hookFiles('opencode')[0]!;
    const source = text('name').replace('"vedit-hook"', '"/nowhere/vedit-hook"');
    const { vedit } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const plugin = await vedit({ directory: '/' });
    await plugin['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: {} });
    await plugin['chat.message']({ sessionID: 's', agent: 'plan' });
    const call = (tool: string): Promise<void> =>
      plugin['tool.execute.before']({ tool, sessionID: 's', callID: 'c' }, { args: {} });
    await call('vedit_view');
    await expect(call('vedit_str_replace')).rejects.toThrow('the agent plan edits nothing');
  });

  it('is there for the clients without lists, and for no other', () => {
    for (const client of HOOK_CLIENTS)
      expect([client, hookFiles(client).length > 0]).toEqual([
        client,
        clientNamed(client).hooks === undefined,
      ]);
  });
});

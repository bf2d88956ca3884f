/** The session of a client: its hook and its server of the tools agree on it. */

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo } from '../../helpers/mcp-client.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
import { BIN, cleanEnv, vedit } from '../../helpers/vedit.ts';

const FRONT = join(dirname(BIN), 'vedit-hook');

function shop(): Sandbox {
  const box = repository();
  box.write('list.txt', 'one\ntwo\nthree\nfour\n');
  box.git('add', '-A');
  box.git('commit', '-q', '-m', 'start');
  mkdirSync(box.path('.git/vedit'));
  return box;
}

/** What Claude Code tells its hook; this process is its client, as it is the server's. */
function hook(box: Sandbox, hook_event_name: string, more: object = {}): void {
  const input = JSON.stringify({ session_id: 's1', cwd: box.dir, hook_event_name, ...more });
  const options = { cwd: box.dir, input, env: cleanEnv(box, {}) };
  const { status } = spawnSync('sh', ['-c', `${FRONT} claude-code ${process.execPath}`], options);
  expect(status).toBe(0);
}

const trailers = (box: Sandbox): string[] =>
  box
    .git(
      'log',
      '-1',
      '--format=%(trailers:key=Vedit-Session,key=Vedit-Agent,key=Vedit-Turn,valueonly)',
      'vedit/main',
    )
    .split('\n')
    .filter(Boolean);

const server = (box: Sandbox, name: string, env: NodeJS.ProcessEnv = {}) =>
  connectTo(box, { command: process.execPath, args: [BIN, 'mcp'] }, env, name);

it('is that of the hook, with the turn of each prompt, and another one after /clear', async () => {
  const box = shop();
  const { call } = await server(box, 'claude-code');
  const replace = async (old_str: string, new_str: string): Promise<string[]> => {
    expect(await call('str_replace', { path: 'list.txt', old_str, new_str })).toMatchObject({
      isError: false,
    });
    return trailers(box);
  };
  hook(box, 'SessionStart');
  hook(box, 'UserPromptSubmit', { prompt: 'first', prompt_id: 'p1' });
  expect(await replace('one', '1')).toEqual(['s1', 'claude-code', 'p1']);
  box.write('list.txt', '1\nTWO\nthree\nfour\n');
  const edit = { file_path: 'list.txt', old_string: 'two', new_string: 'TWO' };
  const about = { tool_name: 'Edit', tool_use_id: 'toolu_1', tool_input: edit, agent_id: 'a1' };
  hook(box, 'PostToolUse', { ...about, prompt_id: 'p1' });
  expect(trailers(box)).toEqual(['s1', 'claude-code', 'p1']);
  hook(box, 'UserPromptSubmit', { prompt: 'second' });
  const [, , turn] = await replace('three', '3');
  expect(turn).toMatch(/^\d+\.\d+-\d+$/);
  hook(box, 'SessionEnd', { reason: 'clear' });
  hook(box, 'SessionStart', { session_id: 's2', source: 'clear' });
  expect(await replace('four', '4')).toEqual(['s2', 'claude-code']);
});

it('is its own where another agent’s client is above it', async () => {
  const box = shop();
  hook(box, 'UserPromptSubmit', { prompt: 'run codex', prompt_id: 'p1' });
  const { call } = await server(box, 'codex-mcp-client', { CLAUDE_CODE_SESSION_ID: 's1' });
  await call('str_replace', { path: 'list.txt', old_str: 'one', new_str: '1' });
  expect(trailers(box)).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), 'codex']);
  expect(box.git('log', '-1', '--format=%(trailers)', 'vedit/main')).toContain(
    'Vedit-Client: codex-mcp-client',
  );
});

it('is that of the environment, and of what is said beside a call', async () => {
  const box = shop();
  const copilot = await server(box, 'github-copilot-developer', { COPILOT_AGENT_SESSION_ID: 'c7' });
  await copilot.call('str_replace', { path: 'list.txt', old_str: 'one', new_str: '1' });
  expect(trailers(box)).toEqual(['c7', 'copilot']);
  const { client } = await server(box, 'codex-mcp-client');
  const _meta = { 'x-codex-turn-metadata': { session_id: 'x1', turn_id: 'x2', model: 'gpt' } };
  const input = { path: 'list.txt', old_str: 'two', new_str: '2' };
  await client.callTool({ name: 'str_replace', arguments: input, _meta });
  expect(trailers(box)).toEqual(['x1', 'codex', 'x2']);
  expect(box.git('log', '-1', '--format=%(trailers)', 'vedit/main')).toContain('Vedit-Model: gpt');
});

it('names the turn of what a command did, and why tells of the command, where that is kept', async () => {
  const box = shop();
  box.git('config', 'vedit.prompts', 'first-line');
  hook(box, 'UserPromptSubmit', { prompt: 'Shout the first line\nsecret', prompt_id: 'p1' });
  const about = {
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_input: { command: 'sed -i s/one/ONE/ list.txt' },
  };
  hook(box, 'PreToolUse', about);
  box.write('list.txt', 'ONE\ntwo\nthree\nfour\n');
  hook(box, 'PostToolUse', about);
  expect(trailers(box)).toEqual(['s1', 'claude-code', 'p1']);
  const { out } = await vedit(box, ['why', 'list.txt:1']);
  expect(out).toMatch(/^asked {4}Shout the first line$/m);
  expect(out).toMatch(/^command {2}sed -i s\/one\/ONE\/ list.txt$/m);
  expect(out).toMatch(/^reason {3}sed$/m);
  expect(out).toMatch(/^certain {2}it changed while the call ran/m);
  expect((await vedit(box, ['why', 'list.txt'])).code).toBe(2);
});

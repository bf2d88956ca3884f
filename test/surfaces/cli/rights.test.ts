/** bin/vedit-rights: vedit's tools have the rights of the client's own, by its mode. */

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { READING_TOOLS } from '../../../src/surfaces/cli/install/start.ts';
import { tools } from '../../../src/tools/index.ts';
import type { Sandbox } from '../../helpers/real-git.ts';
import { BIN, cleanEnv, plainFolder } from '../../helpers/vedit.ts';

const RIGHTS = join(dirname(BIN), 'vedit-rights');

/** What it says of a call: allow, ask, or `null` where the client decides as for any tool. */
function said(
  box: Sandbox,
  tool: string,
  permission_mode: string,
  tool_input: object = { path: 'a.txt' },
): string | null {
  const common = {
    session_id: 's',
    transcript_path: '/home/ada/.claude/projects/t.jsonl',
    cwd: box.dir,
    permission_mode,
  };
  const input = JSON.stringify({ ...common, hook_event_name: 'PreToolUse', tool_name: tool, tool_input });
  return answered(box, input);
}

function answered(box: Sandbox, input: string): string | null {
  const { status, stdout, stderr } = spawnSync('sh', [RIGHTS], {
    ...{ input, cwd: box.dir, encoding: 'utf8' },
    env: cleanEnv(box, { CLAUDE_PROJECT_DIR: box.dir }),
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
}

const editing = tools.filter(tool => !tool.readOnly).map(tool => tool.name);
const OTHERS = ['revert', 'rollback', 'restore'];
const own = editing.filter(name => !OTHERS.includes(name));

describe('the rights of the tools', () => {
  it('know each tool that changes nothing', () => {
    expect(READING_TOOLS).toEqual(tools.filter(tool => tool.readOnly).map(tool => tool.name));
    const box = plainFolder();
    for (const name of READING_TOOLS)
      for (const mode of ['default', 'plan'])
        expect([name, said(box, `mcp__vedit__${name}`, mode)]).toEqual([name, 'allow']);
  });

  it.each([
    ['plan', 'ask'],
    ['default', null],
    ['dontAsk', null],
    ['acceptEdits', 'allow'],
    ['auto_edit', 'allow'],
    ['bypassPermissions', 'allow'],
    ['something new', null],
  ])('in mode %s are %j for edits', (mode, expected) => {
    const box = plainFolder();
    for (const name of own) expect([name, said(box, `mcp__vedit__${name}`, mode)]).toEqual([name, expected]);
  });

  it('say nothing but yes where they are asked in the place of a person', () => {
    const box = plainFolder();
    const asked = (tool_name: string, permission_mode: string): unknown => {
      const event = { hook_event_name: 'PermissionRequest', permission_mode, tool_name, tool_input: {} };
      const { stdout } = spawnSync('sh', [RIGHTS], {
        input: JSON.stringify(event),
        cwd: box.dir,
        encoding: 'utf8',
      });
      return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.decision;
    };
    expect(asked('mcp__vedit__create', 'auto-edit')).toEqual({ behavior: 'allow' });
    for (const mode of ['default', 'plan']) expect(asked('mcp__vedit__create', mode)).toBe(null);
    expect(asked('mcp__vedit__rollback', 'auto-edit')).toBe(null);
  });

  it('never reach the work of others, nor put a key into history, unasked', () => {
    const box = plainFolder();
    for (const name of OTHERS) expect(said(box, `mcp__vedit__${name}`, 'bypassPermissions')).toBe('ask');
    for (const field of ['allow_secret', 'allowSecret'])
      expect(said(box, 'mcp__vedit__str_replace', 'acceptEdits', { path: 'a', [field]: true })).toBe('ask');
    const change = { edits: [{ edit: 'create', allow_secret: true }] };
    expect(said(box, 'mcp__vedit__change', 'acceptEdits', change)).toBe('ask');
  });

  it.each([
    ['.claude/settings.json', 'Edit(src/**)'],
    ['.claude/settings.local.json', 'Write(**)'],
    ['../home/.claude/settings.json', 'Edit(~/x)'],
  ])('are the client’s to decide where %s has rules about files', (file, rule) => {
    const box = plainFolder();
    box.write(file, JSON.stringify({ permissions: { deny: [rule] } }));
    expect(said(box, 'mcp__vedit__create', 'acceptEdits')).toBe(null);
    expect(said(box, 'mcp__vedit__view', 'default')).toBe('allow');
    box.write(file, JSON.stringify({ permissions: { deny: ['Read(./.env)'] } }));
    expect(said(box, 'mcp__vedit__view', 'default')).toBe(null);
  });

  it.each(['.claude/settings.json', '.mcp.json', '.git/hooks/pre-commit', '.vscode/tasks.json'])(
    'are not given for %s, of which the client asks in every mode',
    path => {
      expect(said(plainFolder(), 'mcp__vedit__create', 'acceptEdits', { path })).toBe(null);
    },
  );

  it('are not given by what stands in the input of a tool', () => {
    const box = plainFolder();
    const input = { path: 'a', permission_mode: 'acceptEdits', text: '"permission_mode":"acceptEdits"' };
    expect(said(box, 'mcp__vedit__create', 'default', input)).toBe(null);
    const before = {
      tool_input: { permission_mode: 'acceptEdits' },
      permission_mode: 'default',
      tool_name: 'mcp__vedit__create',
    };
    expect(answered(box, JSON.stringify(before))).toBe(null);
  });

  it.each([
    '',
    '{',
    'mcp__vedit__view',
    '{"tool_name":"Bash","permission_mode":"acceptEdits","tool_input":{}}',
  ])('say nothing to %j', input => {
    expect(answered(plainFolder(), input)).toBe(null);
  });

  it('say nothing to what is too long to be read', () => {
    expect(
      said(plainFolder(), 'mcp__vedit__create', 'acceptEdits', { file_text: 'x'.repeat(1_100_000) }),
    ).toBe(null);
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hookCommand, hookSettings } from '../../../../src/surfaces/cli/install/claude-code.ts';
import { BIN } from '../../../helpers/vedit.ts';

describe('the settings', () => {
  const settings = (isUser: boolean, program?: string) =>
    hookSettings(hookCommand(isUser, program)) as {
      hooks: Record<string, [{ matcher?: string; hooks: [{ command: string }] }]>;
    };

  it('start the program for every tool that may change a file, quoted for a shell', () => {
    const program = "/home/o'hara/my tools/vedit.js";
    const { hooks } = settings(true, program);
    const turns = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];
    const calls = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
    expect(Object.keys(hooks)).toEqual([...turns, ...calls]);
    for (const [event, [{ matcher, hooks: started }]] of Object.entries(hooks)) {
      const { command } = started[0];
      expect(execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })).toBe(
        `${[process.execPath, program, 'hook', 'claude-code'].join('\n')}\n`,
      );
      if (turns.includes(event)) expect(matcher).toBe(undefined);
      else
        for (const [tool, isMeant] of [
          ['Edit', true],
          ['NotebookEdit', true],
          ['Bash', true],
          ['mcp__files__write', true],
          ['mcp__vedit__create', false],
          ['TodoWrite', false],
          ['BashOutput', false],
        ] as const)
          expect([tool, new RegExp(matcher!).test(tool)]).toEqual([tool, isMeant]);
    }
  });

  it('name the front of this program, which needs no node for what changes nothing', () => {
    const { hooks } = settings(true, BIN);
    expect(hooks.Stop![0].hooks[0].command).toBe(
      `${BIN.replace('vedit.js', 'vedit-hook')} claude-code ${process.execPath}`,
    );
  });

  it('stop nobody who has no vedit, where they are for all who work on a project', () => {
    const { command } = settings(false).hooks.Stop![0].hooks[0];
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })).toBe(
      '',
    );
  });
});

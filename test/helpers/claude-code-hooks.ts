/** Claude Code as its hooks see it: it tells them what a tool is about to do, does it, and tells them that it did. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Sandbox } from './real-git.ts';
import { type Ran, type RunOptions, vedit } from './vedit.ts';

export interface ClaudeCode {
  /** Replaces a text in a file, with a hook before and one after. */
  edit(path: string, from: string, to: string): Promise<Ran[]>;
  write(path: string, content: string): Promise<Ran[]>;
  /** One hook. */
  hook(event: string, tool: string, input: object, change?: object): Promise<Ran>;
}

export function claudeCode(
  box: Sandbox,
  session: string,
  run: (args: readonly string[], options: RunOptions) => Promise<Ran> = (args, options) =>
    vedit(box, args, options),
): ClaudeCode {
  let calls = 0;
  const hook: ClaudeCode['hook'] = (hook_event_name, tool_name, tool_input, change = {}) => {
    const common = {
      session_id: session,
      transcript_path: '/nowhere.jsonl',
      cwd: box.dir,
      permission_mode: 'default',
    };
    const input = {
      ...common,
      hook_event_name,
      tool_name,
      tool_input,
      tool_use_id: `toolu_${calls}`,
      ...change,
    };
    return run(['hook', 'claude-code'], { input: JSON.stringify(input) });
  };
  const around = async (tool: string, input: { file_path: string }, act: () => void): Promise<Ran[]> => {
    calls++;
    const before = await hook('PreToolUse', tool, input);
    mkdirSync(dirname(input.file_path), { recursive: true });
    act();
    return [before, await hook('PostToolUse', tool, input, { tool_response: { success: true } })];
  };
  return {
    hook,
    edit: (name, old_string, new_string) => {
      const file_path = box.path(name);
      return around('Edit', { file_path, old_string, new_string } as { file_path: string }, () =>
        writeFileSync(
          file_path,
          readFileSync(file_path, 'utf8').replace(old_string, () => new_string),
        ),
      );
    },
    write: (name, content) => {
      const file_path = box.path(name);
      return around('Write', { file_path, content } as { file_path: string }, () =>
        writeFileSync(file_path, content),
      );
    },
  };
}

/** What a hook owes to a session: it does not stop it, and prints nothing. */
export const QUIET: Ran = { code: 0, out: '', err: '' };

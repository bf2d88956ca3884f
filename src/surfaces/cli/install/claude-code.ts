/** The settings by which Claude Code runs the hook: https://docs.anthropic.com/en/docs/claude-code/hooks */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeCode } from '../../../workspace/agents/hooks/readers/claude-code.ts';

/** The tools whose calls are told of: those that change files, and commands and other servers, which may. */
const TOOLS = [...claudeCode.edits, ...claudeCode.shells, 'mcp__(?!vedit__).*'].join('|');

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** What goes into the settings. `command` starts this program. */
export function hookSettings(command: string): object {
  return { hooks: Object.fromEntries(HOOK_EVENTS.map(event => [event, [hookEntry(command, event)]])) };
}

export const HOOK_EVENTS: readonly string[] = Object.keys(claudeCode.events);

/** What stands under one of the events. */
export function hookEntry(command: string, event: string): object {
  const hook = { type: 'command', command, timeout: 20 };
  return event.includes('ToolUse') ? { matcher: `^(${TOOLS})$`, hooks: [hook] } : { hooks: [hook] };
}

/**
 * What starts the hook. In settings that all who work on a project have, it stops nobody who has no vedit; in those of a user it
 * names the front of this vedit, or this program itself where there is no shell for it.
 */
export function hookCommand(isUser: boolean, program: string = process.argv[1]!): string {
  if (!isUser) return 'command -v vedit-hook >/dev/null 2>&1 && vedit-hook claude-code || :';
  const front = join(dirname(existsSync(program) ? realpathSync(program) : program), 'vedit-hook');
  const words =
    process.platform !== 'win32' && existsSync(front)
      ? [front, 'claude-code', process.execPath]
      : [process.execPath, program, 'hook', 'claude-code'];
  return words.map(quoted).join(' ');
}

/** True for an entry that starts this program and nothing else, by whatever path. */
export function isOwnHook(entry: unknown): boolean {
  const hooks = asObject(entry)?.hooks;
  if (!Array.isArray(hooks) || hooks.length === 0) return false;
  return hooks.every(one =>
    /\bvedit((\.js)?'? hook|-hook'?) claude-code\b/.test(String(asObject(one)?.command)),
  );
}

/** For a POSIX shell, where it needs it. */
function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Settings of a user, of a project, and of a user in a project: https://docs.anthropic.com/en/docs/claude-code/settings */
export const SETTINGS_FILE: string = join('.claude', 'settings.local.json');

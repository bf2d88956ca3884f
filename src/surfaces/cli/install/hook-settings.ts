/** The hooks of clients that keep them in lists of JSON: for which events, and where. */

import type { HookClient } from './hook-command.ts';

/** Hooks that stand in JSON, as lists below `hooks.<event>`. */
interface ListedHooks {
  /** The file in a project, and that of a user below their home. */
  project: string;
  user: string;
  /** A variable that names the folder of the file of a user, in place of the one below the home. */
  userFolder?: string;
  /** The client's own names of its events, with the tools that they are wanted for; `''` for an event of no tool. */
  events: Readonly<Record<string, string>>;
  entry(command: string, matcher: string): object;
  /** Further members of a new file. */
  fresh?: object;
}

/** As Claude Code has it, and those that followed it: a matcher, and what is started. `timeout` in the client's unit. */
const group =
  (timeout: number) =>
  (command: string, matcher: string): object => ({
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command, timeout }],
  });

const SESSION = { SessionStart: '', UserPromptSubmit: '', Stop: '', SessionEnd: '' };

const calls = (matcher: string): Record<string, string> => ({
  PreToolUse: matcher,
  PostToolUse: matcher,
  PostToolUseFailure: matcher,
});

/** The tools that may change files: its own, its shell, and those of other servers. */
const CLAUDE_TOOLS = '^(Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|mcp__(?!vedit__|plugin_vedit_).*)$';

const LISTED: Readonly<Partial<Record<HookClient, ListedHooks>>> = {
  /** https://code.claude.com/docs/en/hooks */
  'claude-code': {
    project: '.claude/settings.json',
    user: '.claude/settings.json',
    userFolder: 'CLAUDE_CONFIG_DIR',
    events: { ...SESSION, ...calls(CLAUDE_TOOLS) },
    entry: group(20),
  },
  /** https://developers.openai.com/codex/hooks; its expressions look at nothing ahead. */
  codex: {
    project: '.codex/hooks.json',
    user: '.codex/hooks.json',
    userFolder: 'CODEX_HOME',
    events: {
      SessionStart: '',
      UserPromptSubmit: '',
      Stop: '',
      PreToolUse: '^(Bash|apply_patch|mcp__.*)$',
      PostToolUse: '^(Bash|apply_patch|mcp__.*)$',
    },
    entry: group(20),
  },
  /** https://geminicli.com/docs/hooks/reference; in milliseconds. */
  gemini: {
    project: '.gemini/settings.json',
    user: '.gemini/settings.json',
    events: {
      SessionStart: '',
      BeforeAgent: '',
      AfterAgent: '',
      SessionEnd: '',
      BeforeTool: '^(write_file|replace|run_shell_command|mcp_(?!vedit_).*)$',
      AfterTool: '^(write_file|replace|run_shell_command|mcp_(?!vedit_).*)$',
    },
    entry: group(20_000),
  },
  /** https://github.com/QwenLM/qwen-code, docs/users/features/hooks.md; in milliseconds. */
  qwen: {
    project: '.qwen/settings.json',
    user: '.qwen/settings.json',
    events: {
      ...SESSION,
      ...calls('^(write_file|edit|notebook_edit|run_shell_command|mcp__(?!vedit__).*)$'),
    },
    entry: group(20_000),
  },
  /** https://docs.github.com/en/copilot/reference/hooks-reference; the case of the names chooses the form of its events. */
  copilot: {
    project: '.github/hooks/vedit.json',
    user: '.copilot/hooks/vedit.json',
    events: { ...SESSION, ...calls('') },
    entry: command => ({ type: 'command', bash: command, timeoutSec: 20 }),
    fresh: { version: 1 },
  },
  /** https://cursor.com/docs/hooks */
  cursor: {
    project: '.cursor/hooks.json',
    user: '.cursor/hooks.json',
    events: {
      sessionStart: '',
      beforeSubmitPrompt: '',
      stop: '',
      sessionEnd: '',
      preToolUse: 'Write|StrReplace|Delete|ApplyPatch|Shell',
      postToolUse: 'Write|StrReplace|Delete|ApplyPatch|Shell',
      postToolUseFailure: 'Write|StrReplace|Delete|ApplyPatch|Shell',
    },
    entry: (command, matcher) => ({ command, ...(matcher && { matcher }), timeout: 20 }),
    fresh: { version: 1 },
  },
};

/** Where hooks of this client stand in a list; `undefined` where each is a file of its own. */
export function listedHooks(client: HookClient): ListedHooks | undefined {
  return LISTED[client];
}

/** The entries of each event in a list. */
export function hookEntries(client: HookClient, command: string): Record<string, object> {
  const { events, entry } = LISTED[client]!;
  return Object.fromEntries(
    Object.entries(events).map(([event, matcher]) => [event, entry(command, matcher)]),
  );
}

/** Returns the hook that answers by the client's mode which tools of vedit may be used; Qwen Code lets a hook say yes only where it would ask. */
export function rightsEntries(client: HookClient, command: string): Record<string, object> {
  const event = client === 'qwen' ? 'PermissionRequest' : 'PreToolUse';
  return { [event]: LISTED[client]!.entry(command, 'mcp__(plugin_vedit_)?vedit__.*') };
}

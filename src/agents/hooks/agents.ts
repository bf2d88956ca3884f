/** The agents whose hooks are read: their names of moments and tools, and where their events have the fields. Pure. */

import { objectOf } from '../../json.ts';
import type { HookMoment } from './event.ts';
import { anyOf, type Payload, textOf, unpacked } from './payload.ts';

interface HookedAgent {
  /** Returns the event with the fields where all others have them; default: as it is. */
  arranged?(payload: Payload): Payload;
  /** Returns the part of a tool's answer that has the texts of its file before and after. */
  texts?(response: unknown): unknown;
}

/** By their names in history. */
export const HOOKED: Readonly<Record<string, HookedAgent>> = {
  // https://code.claude.com/docs/en/hooks
  'claude-code': { texts: unpacked },
  // https://developers.openai.com/codex/hooks
  codex: {},
  // https://geminicli.com/docs/hooks/reference
  gemini: { texts: displayed },
  // https://docs.github.com/en/copilot/reference/hooks-reference
  copilot: { arranged: ofCopilot },
  // https://opencode.ai/docs/plugins: a plugin hands on what its hooks get, with the hook's name as `event`.
  opencode: {
    // The arguments are of the input after a call, and of the output before it.
    arranged: payload => ({ ...payload, args: payload.args ?? anyOf(payload.output, 'args') }),
  },
  // The names of Claude Code's events with the tools of Gemini CLI, from which it comes.
  qwen: { texts: displayed },
  // https://cursor.com/docs/hooks: it runs the hooks of Claude Code's settings too.
  cursor: { arranged: ofCursor },
  // https://code.visualstudio.com/docs/agent-customization/hooks: it runs hooks for every tool.
  vscode: {},
  // https://docs.cline.bot/features/hooks/hook-reference
  cline: { arranged: ofCline },
};

/** The tools that change files which they name, and those that run commands, of all agents: no two mean different things by one. */
export const EDITS: ReadonlySet<string> = new Set([
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'edit', 'multiedit', 'write', 'notebook_edit', 'patch'],
  ...['apply_patch', 'ApplyPatch', 'write_file', 'replace', 'create', 'str_replace_editor', 'StrReplace'],
  ...['Delete', 'afterFileEdit', 'create_file', 'replace_string_in_file', 'multi_replace_string_in_file'],
  ...[
    'insert_edit_into_file',
    'editFiles',
    'createFile',
    'write_to_file',
    'replace_in_file',
    'editor',
    'new_rule',
  ],
]);
export const SHELLS: ReadonlySet<string> = new Set([
  ...['Bash', 'PowerShell', 'Shell', 'bash', 'powershell', 'shell', 'exec_command', 'shell_command'],
  ...['multi_tool_use.parallel', 'run_shell_command', 'run_in_terminal', 'runTerminalCommand'],
  ...['execute_command', 'run_commands'],
]);

/** The names of the moments, of all agents: no two mean different moments by one. */
const EVENTS: Readonly<Record<HookMoment, string>> = {
  start: 'SessionStart sessionStart session.created TaskStart',
  prompt: 'UserPromptSubmit userPromptSubmitted beforeSubmitPrompt BeforeAgent chat.message',
  before: 'PreToolUse preToolUse BeforeTool beforeShellExecution tool.execute.before',
  after:
    'PostToolUse PostToolUseFailure postToolUse postToolUseFailure AfterTool afterFileEdit afterTabFileEdit afterShellExecution tool.execute.after',
  stop: 'Stop stop agentStop AfterAgent Interrupt TaskComplete session.idle',
  end: 'SessionEnd sessionEnd session.deleted TaskCancel',
};

export const MOMENTS: ReadonlyMap<string, HookMoment> = new Map(
  Object.entries(EVENTS).flatMap(([moment, names]) =>
    names.split(' ').map(name => [name, moment as HookMoment]),
  ),
);

function displayed(response: unknown): unknown {
  return unpacked(anyOf(unpacked(response), 'returnDisplay', 'resultDisplay'));
}

/** In camelCase, the event does not say its own name, and the input may be JSON in a text. */
function ofCopilot(payload: Payload): Payload {
  const name = textOf(payload, 'hook_event_name', 'hookEventName') ?? silentName(payload);
  return { ...payload, toolArgs: unpacked(payload.toolArgs), hook_event_name: name };
}

function silentName(payload: Payload): string {
  if (payload.toolName !== undefined) return payload.toolResult === undefined ? 'preToolUse' : 'postToolUse';
  if (payload.prompt !== undefined) return 'userPromptSubmitted';
  if (payload.stopReason !== undefined || payload.stop_reason !== undefined) return 'agentStop';
  if (payload.source !== undefined) return 'sessionStart';
  return payload.reason !== undefined ? 'sessionEnd' : '';
}

/** Its own events have the fields of the tool beside their names. */
function ofCursor(payload: Payload): Payload {
  if (payload.tool_name !== undefined) return payload;
  if (typeof payload.command === 'string') return { ...payload, tool_name: 'Shell', tool_input: payload };
  if (!Array.isArray(payload.edits)) return payload;
  return { hook_event_name: 'afterFileEdit', ...payload, tool_name: 'afterFileEdit', tool_input: payload };
}

/** The fields lie in one that has the event's name. */
function ofCline(payload: Payload): Payload {
  const hook_event_name = textOf(payload, 'hookName') ?? '';
  const field = hook_event_name.slice(0, 1).toLowerCase() + hook_event_name.slice(1);
  return { ...payload, hook_event_name, ...objectOf(payload[field]) };
}

/** A message for the agent: that it may not, or something besides. */
export interface HookSaid {
  denied?: string | undefined;
  told?: string | undefined;
}

type Words = (when: 'before' | 'after', said: HookSaid) => object;

/** Claude Code's form, which most others took over. */
const asClaude: Words = (when, { denied, told }) => ({
  hookSpecificOutput: {
    hookEventName: when === 'before' ? 'PreToolUse' : 'PostToolUse',
    ...(denied ? { permissionDecision: 'deny', permissionDecisionReason: denied } : {}),
    ...(told ? { additionalContext: told } : {}),
  },
});

const asGemini: Words = (_, { denied, told }) => ({
  ...(denied ? { decision: 'deny', reason: denied } : {}),
  ...(told ? { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: told } } : {}),
});

const WORDS: Readonly<Record<string, Words>> = {
  gemini: asGemini,
  copilot: (_, { denied, told }) => ({
    ...(denied ? { permissionDecision: 'deny', permissionDecisionReason: denied } : {}),
    ...(told ? { additionalContext: told } : {}),
  }),
  cursor: (_, { denied, told }) => ({
    ...(denied ? { permission: 'deny', agent_message: denied } : {}),
    ...(told ? { additional_context: told } : {}),
  }),
  cline: (_, { denied, told }) => ({
    ...(denied ? { cancel: true, errorMessage: denied } : {}),
    ...(told ? { contextModification: told } : {}),
  }),
  // Its plugin reads it.
  opencode: (_, said) => ({ ...said }),
};

/** True for an agent that shows its model what a hook adds to an event of this kind; Gemini CLI only after a call. */
export function showsHookOutput(agent: string, when: 'before' | 'after'): boolean {
  return when === 'after' || agent !== 'gemini';
}

/** Returns what the hook prints; `null`: nothing. */
export function hookAnswer(agent: string, when: 'before' | 'after', said: HookSaid): object | null {
  if (said.denied === undefined && said.told === undefined) return null;
  return (WORDS[agent] ?? asClaude)(when, said);
}

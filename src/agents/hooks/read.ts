/** From what an agent writes to its hook to one event, whichever agent it is. Pure. */

import { HOOKED, type HookedAgent, MOMENTS } from './agents.ts';
import { deedOf, type ToolCall } from './deed.ts';
import type { Deed, HookEvent } from './event.ts';
import { anyOf, objectOf, type Payload, parsePayload, textOf } from './payload.ts';
import { SESSION, type SenderFacts, senderOf } from './sender.ts';

export const HOOKED_AGENTS: readonly string[] = HOOKED.map(({ name }) => name);

/** Reads an event; `null` for a moment that says nothing of files, turns or sessions. Throws an Error that says what is wrong. */
export function readHook(bytes: Uint8Array, told: SenderFacts): HookEvent | null {
  const raw = parsePayload(bytes);
  const agent = senderOf(raw, told);
  const hooked = HOOKED.find(({ name }) => name === agent) ?? HOOKED[0]!;
  const payload = hooked.arranged?.(raw) ?? raw;
  const when = MOMENTS.get(eventName(payload));
  if (!when) return null;
  const isTool = when === 'before' || when === 'after';
  const tool = isTool ? (textOf(payload, 'tool_name', 'toolName', 'tool') ?? '') : '';
  const input = anyOf(payload, 'tool_input', 'toolArgs', 'toolInput', 'args', 'parameters');
  const response = anyOf(payload, 'tool_response', 'toolResult', 'tool_result', 'tool_output', 'output');
  return {
    agent,
    when,
    session: idOf(textOf(payload, ...SESSION)),
    turn: idOf(textOf(payload, 'turn_id', 'prompt_id', 'generation_id', 'execution_id', 'messageID')),
    call: idOf(textOf(payload, 'tool_use_id', 'toolUseId', 'toolUseID', 'callID', 'call_id')),
    subagent: idOf(textOf(payload, 'agent_id', 'subagent_id')),
    prompt: when === 'prompt' ? textOf(payload, 'prompt', 'user_prompt', 'initial_prompt') : undefined,
    model: modelOf(payload),
    folders: foldersOf(payload, input),
    tool,
    transcript: textOf(payload, 'transcript_path', 'transcriptPath'),
    deed: isTool ? deedDone(hooked, payload, { tool, input, response }) : null,
  };
}

/** A tool that failed changed none of its files; a command that failed may have. */
function deedDone(agent: HookedAgent, payload: Payload, call: ToolCall): Deed | null {
  const deed = deedOf(agent, call);
  return deed?.kind === 'files' && hasFailed(payload, call.response) ? null : deed;
}

function hasFailed(payload: Payload, response: unknown): boolean {
  const result = textOf(response, 'resultType', 'result_type') ?? textOf(payload, 'status');
  const isBad = result !== undefined && /^(failure|denied|error|cancelled)$/i.test(result);
  return isBad || payload.success === false || /Failure$/.test(eventName(payload));
}

function eventName(payload: Payload): string {
  return textOf(payload, 'hook_event_name', 'hookEventName', 'event') ?? '';
}

/** Cursor's ids may hold a line end, which no trailer may. */
function idOf(id: string | undefined): string | undefined {
  return (
    id
      ?.replace(/[\s\p{C}\u2028\u2029]+/gu, ' ')
      .trim()
      .slice(0, 200) || undefined
  );
}

function modelOf(payload: Payload): string | undefined {
  const given =
    textOf(payload, 'model_id', 'model', 'model_name') ?? textOf(payload.model, 'slug', 'modelID', 'id');
  return given !== undefined && /^[\w.:/@ -]{1,100}$/.test(given) ? given : undefined;
}

/** Lists the folders that are absolute, the nearest first. */
function foldersOf(payload: Payload, input: unknown): string[] {
  const roots = anyOf(payload, 'workspace_roots', 'workspaceRoots');
  const given = [
    textOf(payload, 'cwd', 'directory'),
    textOf(objectOf(input), 'cwd', 'working_directory', 'workdir', 'dir_path'),
    ...(Array.isArray(roots) ? roots : []),
  ];
  const plain = given.filter(one => typeof one === 'string').map(plainPath);
  return [...new Set(plain.filter(one => /^([/\\]|[A-Za-z]:[/\\])/.test(one)))];
}

/** Mends a path of Cursor, which writes `/c:/folder` on Windows. */
export function plainPath(path: string): string {
  return path.replace(/^\/([A-Za-z]:[/\\])/, '$1');
}

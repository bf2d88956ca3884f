/** From what an agent writes to its hook to one event, whichever agent it is. Pure. */

import { objectOf } from '../../json.ts';
import { HOOKED, MOMENTS } from './agents.ts';
import { deedOf } from './deed.ts';
import type { HookEvent } from './event.ts';
import { anyOf, type Payload, parsePayload, textOf } from './payload.ts';

export const HOOKED_AGENTS: readonly string[] = Object.keys(HOOKED);

/** Reads an event of the agent for which the hook was configured; `null` for a moment that says nothing of files, turns or sessions. Throws an Error that says what is wrong. */
export function readHook(bytes: Uint8Array, named: string): HookEvent | null {
  const raw = parsePayload(bytes);
  const agent = senderOf(raw, named);
  const payload = HOOKED[agent]?.arranged?.(raw) ?? raw;
  const when = MOMENTS.get(eventName(payload));
  if (!when) return null;
  const isTool = when === 'before' || when === 'after';
  const tool = isTool ? (textOf(payload, 'tool_name', 'toolName', 'tool') ?? '') : '';
  const input = anyOf(payload, 'tool_input', 'toolArgs', 'toolInput', 'args', 'parameters');
  const response = anyOf(payload, 'tool_response', 'toolResult', 'tool_result', 'tool_output', 'output');
  const deed = isTool ? deedOf(agent, { tool, input, response }) : null;
  return {
    agent,
    when,
    session: idOf(textOf(payload, ...SESSION)),
    turn: idOf(textOf(payload, 'turn_id', 'prompt_id', 'generation_id', 'messageID')),
    call: idOf(textOf(payload, 'tool_use_id', 'toolUseId', 'callID', 'call_id')),
    subagent: idOf(textOf(payload, 'agent_id', 'subagent_id')),
    prompt: when === 'prompt' ? textOf(payload, 'prompt', 'user_prompt', 'initial_prompt') : undefined,
    model: modelOf(payload),
    folders: foldersOf(payload, input),
    tool,
    transcript: textOf(payload, 'transcript_path', 'transcriptPath'),
    // A tool that failed changed none of its files, nor did one whose edit waits for its owner; a command that failed may have.
    deed: deed?.kind === 'files' && hasFailed(payload, response) ? null : deed,
  };
}

function hasFailed(payload: Payload, response: unknown): boolean {
  const result = textOf(response, 'resultType', 'result_type') ?? textOf(payload, 'status');
  const isBad = result !== undefined && /^(failure|denied|error|cancelled)$/i.test(result);
  if (anyOf(response, 'staged') === true) return true;
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

/** Those whose settings others read as well. */
const SHARED: ReadonlySet<string> = new Set(['claude-code', 'copilot']);

/** Tells the sender of an event: where several run one agent's hooks, by what only they send. */
function senderOf(payload: Payload, named: string): string {
  if (!SHARED.has(named)) return named;
  const { cursor_version, hookEventName, sessionId, timestamp } = payload;
  const kept = (textOf(payload, 'transcript_path') ?? '').replaceAll('\\', '/');
  if (cursor_version !== undefined || kept.includes('/.cursor/')) return 'cursor';
  const isCamel = sessionId !== undefined;
  if (kept.includes('copilot-chat/') || (isCamel && hookEventName !== undefined)) return 'vscode';
  const isBare = timestamp !== undefined && kept === '';
  return isCamel || isBare || kept.includes('/.copilot/') ? 'copilot' : named;
}

/** Fields that name the session, in all spellings. */
const SESSION: readonly string[] = [
  'session_id',
  'sessionId',
  'conversation_id',
  'sessionID',
  'taskId',
  'thread_id',
  'thread-id',
];

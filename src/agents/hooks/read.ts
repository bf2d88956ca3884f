/** From what an agent writes to its hook to one event, whichever agent it is. Pure. */

import { objectOf } from '../../json.ts';
import { HOOKED, MOMENTS } from './agents.ts';
import { deedOf } from './deed.ts';
import type { HookEvent } from './event.ts';
import { anyOf, type Payload, parsePayload, textOf } from './payload.ts';

export const HOOKED_AGENTS: readonly string[] = Object.keys(HOOKED);

/** Reads an event; `null` for a moment that says nothing of files, turns or sessions. Throws an Error that says what is wrong. */
export function readHook(bytes: Uint8Array, told: SenderFacts): HookEvent | null {
  const raw = parsePayload(bytes);
  const agent = senderOf(raw, told);
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

/** Facts that are known beside the event. */
export interface SenderFacts {
  /** The agent for which the command was configured. */
  named: string;
  /** The session that the environment of the hook proves; none where it proves nothing. */
  proven?: { agent: string; session: string } | undefined;
}

/**
 * Tells the sender of an event, as the engine calls it: by what only that agent sends; then by what the environment proves;
 * then by the command that was configured, which says little, since agents run the hooks of others.
 */
function senderOf(payload: Payload, { named, proven }: SenderFacts): string {
  const agent = SIGNS.find(([, test]) => test(payload))?.[0];
  if (agent) return agent;
  return proven && proven.session === textOf(payload, ...SESSION) ? proven.agent : named;
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

/** Where an agent keeps the conversation tells which it is. */
const inFolder =
  (name: string) =>
  (payload: Payload): boolean =>
    (textOf(payload, 'transcript_path', 'transcriptPath') ?? '').replaceAll('\\', '/').includes(`/${name}/`);

const has =
  (...names: readonly string[]) =>
  (payload: Payload): boolean =>
    names.every(name => payload[name] !== undefined);

const eventOf = (payload: Payload): string => textOf(payload, 'hook_event_name', 'hookEventName') ?? '';

const GEMINI = /^(Before|After)(Tool|Agent|Model)$|^BeforeToolSelection$/;

/** Tests of an event, by agent; the first that holds decides. */
const SIGNS: ReadonlyArray<readonly [agent: string, test: (payload: Payload) => boolean]> = [
  ['opencode', has('sessionID')],
  ['cursor', has('cursor_version')],
  ['cursor', has('conversation_id', 'generation_id')],
  ['cursor', has('conversation_id', 'workspace_roots')],
  ['cursor', inFolder('.cursor')],
  ['cline', has('hookName', 'taskId')],
  ['gemini', payload => GEMINI.test(eventOf(payload)) || inFolder('.gemini')(payload)],
  ['qwen', inFolder('.qwen')],
  ['vscode', payload => /copilot-chat[/\\]/.test(textOf(payload, 'transcript_path') ?? '')],
  ['vscode', has('hookEventName', 'sessionId')],
  ['copilot', has('sessionId')],
  ['copilot', has('toolName')],
  ['copilot', has('tool_result')],
  ['copilot', payload => has('stop_reason')(payload) || inFolder('.copilot')(payload)],
  ['codex', payload => has('turn_id')(payload) || inFolder('.codex')(payload)],
  ['claude-code', payload => has('prompt_id')(payload) || inFolder('.claude')(payload)],
  ['copilot', isBareCopilot],
];

/** Its events in the words of Claude Code name neither the call nor the conversation, and its tools have names of their own. */
function isBareCopilot(payload: Payload): boolean {
  if (payload.tool_name === undefined || payload.tool_use_id !== undefined) return false;
  if (payload.transcript_path !== undefined) return false;
  const isOwnTool = /^[a-z]/.test(textOf(payload, 'tool_name') ?? '');
  const { tool_input: input } = payload;
  const isOwnInput = typeof input === 'string' || textOf(input, 'path') !== undefined;
  return isOwnTool || isOwnInput || payload.timestamp !== undefined;
}

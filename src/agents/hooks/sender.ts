/**
 * Tells the sender of an event: by what only that agent sends; then by what the environment proves; then by the command that was
 * configured, which says little, since agents run the hooks of others. Pure.
 */

import { objectOf, type Payload, textOf } from './payload.ts';

/** Facts that are known beside the event. */
export interface SenderFacts {
  /** The agent for which the command was configured. */
  named: string;
  /** The session that the environment of the hook proves; none where it proves nothing. */
  proven?: { agent: string; session: string } | undefined;
}

/** Returns the name of the agent, as the engine calls it. */
export function senderOf(payload: Payload, { named, proven }: SenderFacts): string {
  const agent = SIGNS.find(([, test]) => test(payload))?.[0];
  if (agent) return agent;
  return proven && proven.session === textOf(payload, ...SESSION) ? proven.agent : named;
}

/** Fields that name the session, in all spellings. */
export const SESSION: readonly string[] = [
  'session_id',
  'sessionId',
  'conversation_id',
  'sessionID',
  'trajectory_id',
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
  ['amp', payload => has('toolUseID')(payload) || objectOf(payload.thread) !== undefined],
  ['cursor', has('cursor_version')],
  ['cursor', has('conversation_id', 'generation_id')],
  ['cursor', has('conversation_id', 'workspace_roots')],
  ['cursor', inFolder('.cursor')],
  ['windsurf', has('agent_action_name')],
  ['cline', has('hookName', 'taskId')],
  ['droid', inFolder('.factory')],
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
  ['kiro', payload => /^[a-z]/.test(eventOf(payload)) && textOf(payload, ...SESSION) === undefined],
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

/** Copilot CLI: https://docs.github.com/en/copilot/reference/hooks-reference. The case of an event's name picks the form. */

import { objectOf, type Payload } from '../payload.ts';
import { type Reader, unpacked } from '../reader.ts';

export const copilot: Reader = {
  name: 'copilot',
  events: {
    sessionStart: 'start',
    SessionStart: 'start',
    userPromptSubmitted: 'prompt',
    UserPromptSubmit: 'prompt',
    preToolUse: 'before',
    PreToolUse: 'before',
    postToolUse: 'after',
    PostToolUse: 'after',
    postToolUseFailure: 'after',
    PostToolUseFailure: 'after',
    agentStop: 'stop',
    Stop: 'stop',
    sessionEnd: 'end',
    SessionEnd: 'end',
  },
  edits: ['create', 'edit', 'str_replace_editor', 'apply_patch', 'Write', 'Edit'],
  shells: ['bash', 'powershell', 'Bash'],
  arranged,
};

/** In camelCase, the event does not say its own name, and the input may be JSON in a text. */
function arranged(payload: Payload): Payload {
  const toolArgs = unpacked(payload.toolArgs);
  const own = payload.toolArgs === undefined ? {} : { toolArgs };
  if (payload.hook_event_name !== undefined || payload.hookEventName !== undefined)
    return { ...payload, ...own };
  return { ...payload, ...own, hook_event_name: silentName(payload) };
}

function silentName(payload: Payload): string {
  if (payload.toolName !== undefined) return payload.toolResult === undefined ? 'preToolUse' : 'postToolUse';
  if (payload.prompt !== undefined) return 'userPromptSubmitted';
  if (payload.stopReason !== undefined || payload.stop_reason !== undefined) return 'agentStop';
  if (payload.source !== undefined) return 'sessionStart';
  return objectOf(payload) && payload.reason !== undefined ? 'sessionEnd' : '';
}

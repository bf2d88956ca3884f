/** Windsurf: https://docs.windsurf.com/windsurf/cascade/hooks. Each kind of tool has events of its own. */

import { objectOf, type Payload, textOf } from '../payload.ts';
import type { Reader } from '../reader.ts';

export const windsurf: Reader = {
  name: 'windsurf',
  events: {
    pre_user_prompt: 'prompt',
    pre_write_code: 'before',
    post_write_code: 'after',
    pre_run_command: 'before',
    post_run_command: 'after',
    post_cascade_response: 'stop',
  },
  edits: ['write_code'],
  shells: ['run_command'],
  arranged,
};

function arranged(payload: Payload): Payload {
  const event = textOf(payload, 'agent_action_name') ?? '';
  const tool_name = event.replace(/^(pre|post)_/, '');
  const tool_input = objectOf(payload.tool_info) ?? {};
  return { ...payload, hook_event_name: event, tool_name, tool_input };
}

/** Cline: https://docs.cline.bot/features/hooks/hook-reference. What an event is about lies in a field of its name. */

import { objectOf, type Payload, textOf } from '../payload.ts';
import type { Reader } from '../reader.ts';

export const cline: Reader = {
  name: 'cline',
  events: {
    TaskStart: 'start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before',
    PostToolUse: 'after',
    TaskComplete: 'stop',
    TaskCancel: 'end',
  },
  edits: ['write_to_file', 'replace_in_file', 'apply_patch', 'editor', 'new_rule'],
  shells: ['execute_command', 'run_commands'],
  arranged,
};

function arranged(payload: Payload): Payload {
  const hook_event_name = textOf(payload, 'hookName') ?? '';
  const field = hook_event_name.slice(0, 1).toLowerCase() + hook_event_name.slice(1);
  return { ...payload, hook_event_name, ...objectOf(payload[field]) };
}

/** Amp: https://ampcode.com/docs/plugin-api. A plugin hands on what it gets, with its name as `event`. */

import { type Payload, textOf } from '../payload.ts';
import type { Reader } from '../reader.ts';

export const amp: Reader = {
  name: 'amp',
  events: {
    'agent.start': 'prompt',
    'tool.call': 'before',
    'tool.result': 'after',
    'agent.end': 'stop',
  },
  edits: ['Write', 'Edit', 'create_file', 'edit_file', 'apply_patch', 'undo_edit'],
  shells: ['Bash', 'shell_command'],
  arranged: (payload: Payload): Payload => ({
    ...payload,
    session_id: textOf(payload.thread, 'id'),
    tool_input: payload.input,
  }),
};

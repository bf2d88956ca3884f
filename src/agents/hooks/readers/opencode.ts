/** opencode: https://opencode.ai/docs/plugins. A plugin hands on what its hooks get, with the hook's name as `event`. */

import { anyOf, objectOf, type Payload } from '../payload.ts';
import type { Reader, ToolCall } from '../reader.ts';

export const opencode: Reader = {
  name: 'opencode',
  events: {
    'session.created': 'start',
    'chat.message': 'prompt',
    'tool.execute.before': 'before',
    'tool.execute.after': 'after',
    'session.idle': 'stop',
    'session.deleted': 'end',
  },
  edits: ['edit', 'write', 'patch', 'apply_patch', 'multiedit'],
  shells: ['bash', 'shell'],
  arranged,
  texts,
};

/** The arguments are of the input after a call, and of the output before it. */
function arranged(payload: Payload): Payload {
  const args = payload.args ?? anyOf(payload.output, 'args');
  return { ...payload, ...(args === undefined ? {} : { args }) };
}

function texts({ response }: ToolCall): { original?: string; result?: string } {
  const diff = objectOf(anyOf(anyOf(response, 'metadata'), 'filediff'));
  const { before, after } = diff ?? {};
  return {
    ...(typeof before === 'string' ? { original: before } : {}),
    ...(typeof after === 'string' ? { result: after } : {}),
  };
}

/** Cursor: https://cursor.com/docs/hooks. It runs the hooks of Claude Code's settings too. */

import type { Reader } from '../reader.ts';
import { claudeCode } from './claude-code.ts';

export const cursor: Reader = {
  name: 'cursor',
  events: {
    ...claudeCode.events,
    sessionStart: 'start',
    beforeSubmitPrompt: 'prompt',
    preToolUse: 'before',
    postToolUse: 'after',
    postToolUseFailure: 'after',
    afterFileEdit: 'after',
    afterTabFileEdit: 'after',
    beforeShellExecution: 'before',
    afterShellExecution: 'after',
    stop: 'stop',
    sessionEnd: 'end',
  },
  edits: ['Write', 'Delete', 'StrReplace', 'ApplyPatch', 'Edit', 'MultiEdit', 'afterFileEdit'],
  shells: ['Shell', 'Bash'],
  arranged(payload) {
    const isEdit = payload.tool_name === undefined && Array.isArray(payload.edits);
    const isShell = payload.tool_name === undefined && typeof payload.command === 'string';
    if (isShell) return { ...payload, tool_name: 'Shell', tool_input: payload };
    if (!isEdit) return payload;
    return { hook_event_name: 'afterFileEdit', ...payload, tool_name: 'afterFileEdit', tool_input: payload };
  },
};

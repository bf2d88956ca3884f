/** Claude Code: https://code.claude.com/docs/en/hooks. Its answers hold the whole text before the edit. */

import type { Reader } from '../reader.ts';
import { originalTexts } from '../texts.ts';

export const claudeCode: Reader = {
  name: 'claude-code',
  events: {
    SessionStart: 'start',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    SessionEnd: 'end',
    PreToolUse: 'before',
    PostToolUse: 'after',
    PostToolUseFailure: 'after',
  },
  edits: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  shells: ['Bash', 'PowerShell'],
  texts: originalTexts,
};

/** Codex: https://developers.openai.com/codex/hooks. Its only tool that edits takes a patch. */

import type { Reader } from '../reader.ts';

export const codex: Reader = {
  name: 'codex',
  events: {
    SessionStart: 'start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before',
    PostToolUse: 'after',
    Stop: 'stop',
    Interrupt: 'stop',
    SessionEnd: 'end',
  },
  edits: ['apply_patch'],
  shells: ['Bash', 'exec_command', 'shell', 'shell_command', 'multi_tool_use.parallel'],
};

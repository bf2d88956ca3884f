/** Gemini CLI: https://geminicli.com/docs/hooks/reference. Its answers hold the whole text before and after. */

import type { Reader } from '../reader.ts';
import { displayedTexts } from '../texts.ts';

export const gemini: Reader = {
  name: 'gemini',
  events: {
    SessionStart: 'start',
    BeforeAgent: 'prompt',
    BeforeTool: 'before',
    AfterTool: 'after',
    AfterAgent: 'stop',
    SessionEnd: 'end',
  },
  edits: ['write_file', 'replace'],
  shells: ['run_shell_command'],
  texts: displayedTexts,
};

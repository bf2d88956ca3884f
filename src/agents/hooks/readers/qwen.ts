/** Qwen Code: the names of Claude Code's events with the tools of Gemini CLI, from which it comes. */

import type { Reader } from '../reader.ts';
import { displayedTexts } from '../texts.ts';
import { claudeCode } from './claude-code.ts';
import { gemini } from './gemini.ts';

export const qwen: Reader = {
  name: 'qwen',
  events: { ...gemini.events, ...claudeCode.events },
  edits: ['write_file', 'replace', 'edit', 'notebook_edit'],
  shells: ['run_shell_command'],
  texts: displayedTexts,
};

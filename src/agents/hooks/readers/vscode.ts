/** VS Code's own agent: https://code.visualstudio.com/docs/agent-customization/hooks. It runs hooks for every tool. */

import type { Reader } from '../reader.ts';
import { claudeCode } from './claude-code.ts';

export const vscode: Reader = {
  name: 'vscode',
  events: claudeCode.events,
  edits: [
    'create_file',
    'replace_string_in_file',
    'multi_replace_string_in_file',
    'insert_edit_into_file',
    'apply_patch',
    'editFiles',
    'createFile',
    'Edit',
    'Write',
  ],
  shells: ['run_in_terminal', 'runTerminalCommand', 'Bash'],
};

/** Kiro CLI: https://kiro.dev/docs/cli/hooks. Its events name no session. */

import type { Reader } from '../reader.ts';

export const kiro: Reader = {
  name: 'kiro',
  events: {
    agentSpawn: 'start',
    userPromptSubmit: 'prompt',
    preToolUse: 'before',
    postToolUse: 'after',
    stop: 'stop',
  },
  edits: ['fs_write', 'write'],
  shells: ['execute_bash', 'shell'],
};

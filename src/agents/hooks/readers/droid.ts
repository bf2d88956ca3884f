/** Factory Droid: https://docs.factory.ai/reference/hooks-reference. */

import type { Reader } from '../reader.ts';
import { claudeCode } from './claude-code.ts';

export const droid: Reader = {
  name: 'droid',
  events: claudeCode.events,
  edits: ['Create', 'Edit', 'MultiEdit', 'Write', 'ApplyPatch'],
  shells: ['Execute', 'Bash'],
};

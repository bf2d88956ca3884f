/** What each command of the memory tool takes, and the engine's tool that does it. */

import * as z from 'zod';
import { type InputSpec, parseInput } from '../../edits/input.ts';
import { toolNamed } from '../index.ts';
import type { Tool } from '../tool.ts';
import type { Fields } from './call.ts';

/** A call of one of the engine's tools. All paths in it are `path` and `new_path`. */
export interface MemoryCall {
  tool: string;
  input: Fields & { path: string; new_path?: string };
}

export const COMMANDS: readonly string[] = ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'];

/** The checked call: no field is left under a name that the engine would take for another. Throws INVALID_INPUT. */
export function memoryCall(command: string, fields: Fields): MemoryCall {
  const { old_path, ...input } = parseInput(specOf(command), fields) as Fields;
  if (command === 'rename') return { tool: 'move', input: { ...input, path: String(old_path) } };
  return { tool: command, input: input as MemoryCall['input'] };
}

const specs = new Map<string, InputSpec>();

function specOf(command: string): InputSpec {
  const spec = specs.get(command) ?? (command === 'rename' ? renameSpec() : sameSpec(command));
  specs.set(command, spec);
  return spec;
}

function sameSpec(command: string): InputSpec {
  const { input, aliases, example } = tool(command);
  return { name: command, input, aliases, example: { command, ...example, path: '/memories/notes.md' } };
}

/** The engine's move has `path` for what is called `old_path` here. */
function renameSpec(): InputSpec {
  const { input, aliases } = tool('move');
  const { path, ...rest } = input.shape;
  const { path: others = [], ...kept } = aliases;
  return {
    name: 'rename',
    input: z.strictObject({ old_path: path!, ...rest }),
    aliases: { ...kept, old_path: ['path', ...others] },
    example: { command: 'rename', old_path: '/memories/draft.md', new_path: '/memories/notes.md' },
  };
}

function tool(name: string): Tool {
  return toolNamed(name)!;
}

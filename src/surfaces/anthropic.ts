/**
 * Anthropic's client: its text editor and memory tools, and every tool of the engine, as objects for the SDK's tool
 * runner; and for a loop of one's own, `tool_use` blocks in and `tool_result` blocks out. The SDK is not imported.
 */

import { isFields } from '../tools/dialects/call.ts';
import { type MemoryOptions, runMemory } from '../tools/dialects/memory.ts';
import { runTextEditor } from '../tools/dialects/text-editor.ts';
import { type ToolResult, textOf } from '../tools/index.ts';
import type { JsonSchema } from '../tools/json-schema.ts';
import { type ToolsetOptions, toolset } from '../tools/toolset.ts';
import type { Session } from '../workspace/session.ts';

/** The versions of the text editor tool, each with the name that the model knows it by. */
interface TextEditors {
  text_editor_20241022: 'str_replace_editor';
  text_editor_20250124: 'str_replace_editor';
  text_editor_20250429: 'str_replace_based_edit_tool';
  text_editor_20250728: 'str_replace_based_edit_tool';
}

export type TextEditorType = keyof TextEditors;

/** What the tool runner calls. A refusal is thrown: the runner makes an error result of its message. */
interface Runnable {
  parse(content: unknown): unknown;
  run(input: unknown, context?: { toolUse?: { id: string } }): Promise<string>;
}

export interface TextEditorTool<Type extends TextEditorType = 'text_editor_20250728'> extends Runnable {
  type: Type;
  name: TextEditors[Type];
  max_characters?: number;
}

export interface MemoryTool extends Runnable {
  type: 'memory_20250818';
  name: 'memory';
}

/** A tool of the engine, described by a schema of its own. */
export interface CustomTool extends Runnable {
  name: string;
  description: string;
  input_schema: { type: 'object'; properties?: unknown; [key: string]: unknown };
}

/** The text editor tool; default: the newest version. `max_characters` only goes with that one. */
export function textEditorTool(
  session: Session,
  options?: { type?: undefined; max_characters?: number },
): TextEditorTool;
export function textEditorTool<Type extends TextEditorType>(
  session: Session,
  options: { type: Type; max_characters?: number },
): TextEditorTool<Type>;
export function textEditorTool(
  session: Session,
  options: { type?: TextEditorType | undefined; max_characters?: number } = {},
): TextEditorTool<TextEditorType> {
  const { type = 'text_editor_20250728', max_characters: maxCharacters } = options;
  const run = runnable((input, callId) => runTextEditor(session, input, { callId, maxCharacters }));
  const tool = { type, name: NAMES[type], ...run };
  return maxCharacters === undefined ? tool : { ...tool, max_characters: maxCharacters };
}

const NAMES: TextEditors = {
  text_editor_20241022: 'str_replace_editor',
  text_editor_20250124: 'str_replace_editor',
  text_editor_20250429: 'str_replace_based_edit_tool',
  text_editor_20250728: 'str_replace_based_edit_tool',
};

/** The memory tool, on a folder of the workspace. */
export function memoryTool(session: Session, options: MemoryOptions = {}): MemoryTool {
  const run = runnable((input, callId) => runMemory(session, input, { ...options, callId }));
  return { type: 'memory_20250818', name: 'memory', ...run };
}

/** The engine's own tools, for a model that is given their schemas. */
export function customTools(session: Session, options: ToolsetOptions = {}): CustomTool[] {
  return toolset(options).map(tool => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as JsonSchema & { type: 'object' },
    ...runnable((input, callId) => tool.run(session, input, callId)),
  }));
}

function runnable(call: (input: unknown, callId: string | undefined) => Promise<ToolResult>): Runnable {
  return {
    parse: content => content,
    run: async (input, context) => {
      const result = await call(input, context?.toolUse?.id);
      if (!result.ok) throw new Error(textOf(result));
      return result.message;
    },
  };
}

/** The block of a reply that asks for a tool. */
export interface ToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

/** The block that answers it, for the next message. */
export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}

/**
 * Answers the blocks of a reply that are for these tools: the text editor in any version, the memory tool, and the
 * engine's own by their names. Others are left to the caller. One is done after the other, in their order.
 */
export async function answerToolUses(
  session: Session,
  content: readonly unknown[],
  options: ToolsetOptions & { maxCharacters?: number; memory?: MemoryOptions } = {},
): Promise<ToolResultBlock[]> {
  const own = toolset({ ...options, tools: options.tools ?? 'all' });
  const answers: ToolResultBlock[] = [];
  for (const block of content) {
    if (!isToolUse(block)) continue;
    const { id: callId, name, input } = block;
    const tool = own.find(one => one.name === name);
    if (name === 'memory')
      answers.push(answer(block, await runMemory(session, input, { ...options.memory, callId })));
    else if (name === 'str_replace_editor' || name === 'str_replace_based_edit_tool')
      answers.push(answer(block, await runTextEditor(session, input, { ...options, callId })));
    else if (tool) answers.push(answer(block, await tool.run(session, input, callId)));
  }
  return answers;
}

function isToolUse(block: unknown): block is ToolUse {
  return isFields(block) && block.type === 'tool_use' && typeof block.id === 'string';
}

function answer(block: ToolUse, result: ToolResult): ToolResultBlock {
  const done: ToolResultBlock = { type: 'tool_result', tool_use_id: block.id, content: textOf(result) };
  return result.ok ? done : { ...done, is_error: true };
}

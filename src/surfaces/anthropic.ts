/**
 * Anthropic's client: its text editor and memory tools, and every tool of the engine, as objects for the SDK's tool
 * runner; and for a loop of one's own, `tool_use` blocks in and `tool_result` blocks out. The SDK is not imported.
 */

import type { CallOptions } from '../engine/calls/cancel.ts';
import {
  checkMemory,
  checkTextEditorTool,
  checkToolUses,
  type MemorySettings,
  runMemory,
  runTextEditor,
  TEXT_EDITORS,
  type TextEditorType,
  type ToolUseSettings,
} from '../tools/dialects/anthropic.ts';
import { answerAll, isFields } from '../tools/dialects/call.ts';
import { type ToolResult, textOf } from '../tools/run.ts';
import type { JsonSchema } from '../tools/toolset/json-schema.ts';
import { checkToolset, offeredTools, type ToolsetOptions } from '../tools/toolset/toolset.ts';
import type { Session } from '../workspace/session.ts';

export type { TextEditorType };

/** A tool as the runner calls it. A refusal is thrown: the runner makes an error result of its message. */
interface Runnable {
  parse(content: unknown): unknown;
  run(
    input: unknown,
    context?: { toolUse?: { id: string }; signal?: AbortSignal | null | undefined },
  ): Promise<string>;
}

export interface TextEditorTool<Type extends TextEditorType = 'text_editor_20250728'> extends Runnable {
  type: Type;
  name: (typeof TEXT_EDITORS)[Type];
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

/** The text editor tool; default: the newest version. `maxCharacters` only goes with that one. */
export function textEditorTool(
  session: Session,
  options?: { type?: undefined; maxCharacters?: number },
): TextEditorTool;
export function textEditorTool<Type extends TextEditorType>(
  session: Session,
  options: { type: Type; maxCharacters?: number },
): TextEditorTool<Type>;
export function textEditorTool(
  session: Session,
  options: { type?: TextEditorType | undefined; maxCharacters?: number } = {},
): TextEditorTool<TextEditorType> {
  const given = checkTextEditorTool('textEditorTool', options);
  const { type = 'text_editor_20250728', maxCharacters } = given;
  const run = runnable((input, call) => runTextEditor(session, input, { ...call, maxCharacters }));
  const cut = maxCharacters === undefined ? {} : { max_characters: maxCharacters };
  return { type, name: TEXT_EDITORS[type], ...cut, ...run };
}

/** The memory tool, on a folder of the workspace. */
export function memoryTool(session: Session, options: MemorySettings = {}): MemoryTool {
  const given = checkMemory('memoryTool', options);
  const run = runnable((input, call) => runMemory(session, input, { ...given, ...call }));
  return { type: 'memory_20250818', name: 'memory', ...run };
}

/** The engine's own tools, for a model that is given their schemas. */
export function customTools(session: Session, options: ToolsetOptions = {}): CustomTool[] {
  return offeredTools(checkToolset('customTools', options)).map(tool => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as JsonSchema & { type: 'object' },
    ...runnable((input, { callId, signal }) => tool.run(session, input, callId, { signal })),
  }));
}

function runnable(
  call: (input: unknown, about: { callId: string | undefined } & CallOptions) => Promise<ToolResult>,
): Runnable {
  return {
    parse: content => content,
    run: async (input, context) => {
      const about = { callId: context?.toolUse?.id, signal: context?.signal ?? undefined };
      const result = await call(input, about);
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
 * engine's own by their names. Others are left to the caller. One is done after the other, in their order. Those that the
 * signal stops are answered as errors that say so: each block gets its answer, as the next message must have it.
 */
export async function answerToolUses(
  session: Session,
  content: readonly unknown[],
  options: ToolUseSettings & CallOptions = {},
): Promise<ToolResultBlock[]> {
  const { signal, ...settings } = options;
  const { maxCharacters, memory, ...offered } = checkToolUses('answerToolUses', settings);
  const own = offeredTools({ ...offered, tools: offered.tools ?? 'all' });
  const run = ({ id: callId, name, input }: ToolUse): Promise<ToolResult> | undefined => {
    if (name === 'memory') return runMemory(session, input, { ...memory, callId, signal });
    if (Object.values<string>(TEXT_EDITORS).includes(name))
      return runTextEditor(session, input, { maxCharacters, callId, signal });
    return own.find(one => one.name === name)?.run(session, input, callId, { signal });
  };
  return answerAll(content.filter(isToolUse), signal, run, ({ id }, { ok, text }) => {
    const done: ToolResultBlock = { type: 'tool_result', tool_use_id: id, content: text };
    return ok ? done : { ...done, is_error: true };
  });
}

function isToolUse(block: unknown): block is ToolUse {
  return isFields(block) && block.type === 'tool_use' && typeof block.id === 'string';
}

/**
 * Vercel's AI SDK: the tools as it wants them, and the `execute` functions of its provider tools. The SDK is not
 * imported.
 */

import { ANSWER_LIMITS, type AnswerLimits, withinLimits } from '../tools/answer-size.ts';
import { type MemoryOptions, runMemory } from '../tools/dialects/memory.ts';
import { runPatchOperation } from '../tools/dialects/patch-operation.ts';
import { runTextEditor } from '../tools/dialects/text-editor.ts';
import { type ToolResult, textOf } from '../tools/index.ts';
import { type OpenSchema, openSchema } from '../tools/json-schema.ts';
import { type ToolsetOptions, toolset } from '../tools/toolset.ts';
import type { Session } from '../workspace/session.ts';

/** What the SDK passes beside the input. */
interface Execution {
  toolCallId?: string;
}

export interface AiTool {
  description: string;
  inputSchema: OpenSchema;
  execute(input: unknown, options?: Execution): Promise<ToolResult>;
  /** A page gets the result with its data, of which long texts are cut (`cut_fields`); the model the text. */
  toModelOutput(options: { output: ToolResult }): { type: 'text' | 'error-text'; value: string };
}

/**
 * Of what a page gets: `convertToModelMessages(messages)` hands it to the model as it is where it is not given the
 * tools, so it is no longer than a model may read.
 */
const PAGE_LIMITS: AnswerLimits = { ...ANSWER_LIMITS, text: 20_000, items: 100 };

/** For `generateText({ tools: aiTools(session) })`. */
export function aiTools(session: Session, options: ToolsetOptions = {}): Record<string, AiTool> {
  const tools = toolset(options).map((one): [string, AiTool] => [
    one.name,
    {
      description: one.description,
      inputSchema: openSchema(one.inputSchema),
      execute: async (input, execution) =>
        withinLimits(await one.run(session, input, execution?.toolCallId), true, PAGE_LIMITS),
      toModelOutput: ({ output }) => ({ type: output.ok ? 'text' : 'error-text', value: textOf(output) }),
    },
  ]);
  return Object.fromEntries(tools);
}

type Execute = (input: unknown, options?: Execution) => Promise<string>;

/** For `anthropic.tools.textEditor_20250728({ execute })` and the versions before it. */
export function textEditorExecute(session: Session, options: { maxCharacters?: number } = {}): Execute {
  return async (input, execution) =>
    textOrThrow(await runTextEditor(session, input, { ...options, callId: execution?.toolCallId }));
}

/** For `anthropic.tools.memory_20250818({ execute })`. */
export function memoryExecute(session: Session, options: MemoryOptions = {}): Execute {
  return async (input, execution) =>
    textOrThrow(await runMemory(session, input, { ...options, callId: execution?.toolCallId }));
}

/** The SDK makes an error result of what is thrown. */
function textOrThrow(result: ToolResult): string {
  if (result.ok) return result.message;
  throw new Error(textOf(result));
}

/** For `openai.tools.applyPatch({ execute })`. */
export function applyPatchExecute(
  session: Session,
): (input: {
  callId?: string;
  operation: unknown;
}) => Promise<{ status: 'completed' | 'failed'; output: string }> {
  return async ({ callId, operation }) => {
    const result = await runPatchOperation(session, operation, { callId });
    return { status: result.ok ? 'completed' : 'failed', output: textOf(result) };
  };
}

/**
 * Vercel's AI SDK, and Mastra, which takes the same: the tools as it wants them, and the `execute` functions of its provider tools. The SDK is not
 * imported.
 */

import type { Moment } from '../engine/views.ts';
import { ANSWER_LIMITS, type AnswerLimits, withinLimits } from '../tools/answer-size.ts';
import {
  checkMemory,
  checkTextEditor,
  type MemorySettings,
  runMemory,
  runTextEditor,
  type TextEditorSettings,
} from '../tools/dialects/anthropic.ts';
import type { CallOptions } from '../tools/dialects/call.ts';
import { runPatchOperation } from '../tools/dialects/patch-operation.ts';
import { type ToolResult, textOf } from '../tools/run.ts';
import { type OpenSchema, openSchema } from '../tools/toolset/json-schema.ts';
import {
  checkToolset,
  type OfferedName,
  type OfferedTools,
  offeredTools,
  type ToolsetOptions,
} from '../tools/toolset/toolset.ts';
import type { Session } from '../workspace/session.ts';

/** Options that the SDK passes beside the input. */
interface Execution {
  toolCallId?: string;
  /** The messages that the model had been sent when it asked: one list for all calls of a step. */
  messages?: readonly unknown[];
  /** Aborted when the caller of the SDK stops. */
  abortSignal?: AbortSignal | undefined;
}

export interface AiTool<Name extends string = string> {
  description: string;
  inputSchema: OpenSchema;
  /** Rejects only with the reason of the signal that stopped it. */
  execute(input: unknown, options?: Execution): Promise<ToolResult<Name>>;
  /**
   * A page gets the result with its data, of which long texts are cut (`cut_fields`); the model the text. The SDK hands the
   * result over in `output`, Mastra as it is.
   */
  toModelOutput(given: { output: ToolResult } | ToolResult): { type: 'text' | 'error-text'; value: string };
}

/**
 * The limits of what a page gets: `convertToModelMessages(messages)` hands it to the model as it is where it is not
 * given the tools, so it is no longer than a model may read.
 */
const PAGE_LIMITS: AnswerLimits = { ...ANSWER_LIMITS, text: 20_000, items: 100 };

/** Tools by the names under which they are offered; those of a set that `readOnly` leaves out are not there. */
export type AiTools<Options> = Options extends { readOnly: true }
  ? Partial<AiToolsOf<Options>>
  : AiToolsOf<Options>;

type AiToolsOf<Options> = {
  [Tool in OfferedTools<Options> as OfferedName<Options, Tool>]: AiTool<Tool>;
};

/** For `generateText({ tools: aiTools(session) })`. */
export function aiTools<const Options extends ToolsetOptions = Record<never, never>>(
  session: Session,
  options?: Options,
): AiTools<Options>;
export function aiTools(session: Session, options: ToolsetOptions = {}): Record<string, AiTool> {
  const tools = offeredTools(checkToolset('aiTools', options)).map((one): [string, AiTool] => [
    one.name,
    {
      description: one.description,
      inputSchema: openSchema(one.inputSchema),
      execute: async (input, execution) => {
        const { callId, ...turn } = callOf(session, execution);
        return withinLimits(await one.run(session, input, callId, turn), true, PAGE_LIMITS);
      },
      toModelOutput: given => {
        const result = 'output' in given ? given.output : given;
        return { type: result.ok ? 'text' : 'error-text', value: textOf(result) };
      },
    },
  ]);
  return Object.fromEntries(tools);
}

/** By session, and by what the model had been sent, what it knew when it asked for the first call of a step. */
const steps = new WeakMap<Session, WeakMap<object, Moment>>();

/** A stream runs a call of a step while the model still writes the next one, which it asks for without its answer. */
function askedAt(session: Session, { messages }: Execution = {}): Moment {
  const known = steps.get(session) ?? new WeakMap<object, Moment>();
  steps.set(session, known);
  const moment = (messages && known.get(messages)) ?? session.moment();
  if (messages) known.set(messages, moment);
  return moment;
}

/** Returns what the SDK says of a call. */
function callOf(session: Session, execution?: Execution): CallOptions {
  const { toolCallId: callId, abortSignal: signal } = execution ?? {};
  return { callId, signal, known: askedAt(session, execution) };
}

type Execute = (input: unknown, options?: Execution) => Promise<string>;

/** For `anthropic.tools.textEditor_20250728({ execute })` and the versions before it. */
export function textEditorExecute(session: Session, options: TextEditorSettings = {}): Execute {
  const given = checkTextEditor('textEditorExecute', options);
  return executed(session, (input, call) => runTextEditor(session, input, { ...given, ...call }));
}

/** For `anthropic.tools.memory_20250818({ execute })`. */
export function memoryExecute(session: Session, options: MemorySettings = {}): Execute {
  const given = checkMemory('memoryExecute', options);
  return executed(session, (input, call) => runMemory(session, input, { ...given, ...call }));
}

function executed(
  session: Session,
  run: (input: unknown, call: CallOptions) => Promise<ToolResult>,
): Execute {
  return async (input, execution) => textOrThrow(await run(input, callOf(session, execution)));
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

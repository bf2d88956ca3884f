/**
 * OpenAI's clients: the Agents SDK's `Editor` for its `applyPatchTool`, `apply_patch_call` items of the Responses API in
 * and their outputs out, and function tools. No SDK is imported.
 */

import { type CallOptions, checkCall } from '../engine/calls/cancel.ts';
import { parseJson } from '../json.ts';
import { type Answered, answerAll, type Fields, isFields } from '../tools/dialects/call.ts';
import { runPatchOperation } from '../tools/dialects/patch-operation.ts';
import { type ToolResult, textOf } from '../tools/run.ts';
import type { JsonSchema } from '../tools/toolset/json-schema.ts';
import { checkToolset, offeredTools, type ToolsetOptions } from '../tools/toolset/toolset.ts';
import type { Session } from '../workspace/session.ts';

/** The outcome of one operation, and what the model reads of it. */
export interface PatchResult {
  status: 'completed' | 'failed';
  output: string;
}

type Apply = (operation: object, context?: unknown) => Promise<PatchResult>;

/** The SDK's `Editor`: `applyPatchTool({ editor: patchEditor(session) })`. */
export interface PatchEditor {
  createFile: Apply;
  updateFile: Apply;
  deleteFile: Apply;
}

/** The SDK passes an editor no signal: `signal` is that of the run which the editor is made for. Throws INVALID_INPUT. */
export function patchEditor(session: Session, options: CallOptions = {}): PatchEditor {
  checkCall('patchEditor', options);
  const apply: Apply = async operation => {
    const result = await runPatchOperation(session, operation, options);
    return patchResult({ ok: result.ok, text: textOf(result) });
  };
  return { createFile: apply, updateFile: apply, deleteFile: apply };
}

function patchResult({ ok, text: output }: Answered): PatchResult {
  return { status: ok ? 'completed' : 'failed', output };
}

export interface ApplyPatchOutput extends PatchResult {
  type: 'apply_patch_call_output';
  call_id: string;
}

export interface FunctionOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/**
 * Answers the items of a response that are for these tools: `apply_patch_call`, and `function_call` of a tool of the
 * engine. Others are left to the caller. One is done after the other, in their order. Those that the signal stops are
 * answered as failed: each call gets its output, as the next request must have it.
 */
export async function answerItems(
  session: Session,
  items: readonly unknown[],
  options: ToolsetOptions & CallOptions = {},
): Promise<Array<ApplyPatchOutput | FunctionOutput>> {
  const { signal, ...settings } = options;
  const { tools = 'all', ...offered } = checkToolset('answerItems', settings);
  const own = offeredTools({ ...offered, tools });
  const run = (item: Fields): Promise<ToolResult> | undefined => {
    const callId = String(item.call_id);
    if (item.type === 'apply_patch_call')
      return runPatchOperation(session, item.operation, { callId, signal });
    const tool = item.type === 'function_call' ? own.find(one => one.name === item.name) : undefined;
    return tool?.run(session, argumentsOf(item.arguments), callId, { signal });
  };
  return answerAll(items.filter(isFields), signal, run, ({ type, call_id: id }, answer) => {
    const call_id = String(id);
    return type === 'apply_patch_call'
      ? { type: 'apply_patch_call_output', call_id, ...patchResult(answer) }
      : { type: 'function_call_output', call_id, output: answer.text };
  });
}

/** The arguments of a function call are JSON in a text. */
function argumentsOf(text: unknown): unknown {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  return value === undefined ? text : value;
}

/** A function tool of the Responses API. */
export interface FunctionDefinition {
  type: 'function';
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: false;
}

/** The tools for `responses.create({ tools })`. */
export function functionTools(options: ToolsetOptions = {}): FunctionDefinition[] {
  return definitions(checkToolset('functionTools', options));
}

function definitions(options: ToolsetOptions): FunctionDefinition[] {
  return offeredTools(options).map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));
}

/** The tools as the Chat Completions API has them. */
export function chatTools(
  options: ToolsetOptions = {},
): Array<{ type: 'function'; function: Omit<FunctionDefinition, 'type'> }> {
  return definitions(checkToolset('chatTools', options)).map(({ type, ...definition }) => ({
    type,
    function: definition,
  }));
}

/** Details that the Agents SDK passes beside the input. */
interface AgentDetails {
  toolCall?: { callId?: string };
  signal?: AbortSignal | undefined;
}

/** The options that the Agents SDK's `tool()` takes. */
export interface AgentToolOptions {
  name: string;
  description: string;
  parameters: {
    type: 'object';
    properties: Record<string, object>;
    required: string[];
    additionalProperties: true;
  };
  strict: false;
  execute(input: unknown, context?: unknown, details?: AgentDetails): Promise<string>;
}

/** The tools for an agent: `agentTools(session).map(tool)`. */
export function agentTools(session: Session, options: ToolsetOptions = {}): AgentToolOptions[] {
  return offeredTools(checkToolset('agentTools', options)).map(one => {
    const { properties = {}, required = [] } = one.inputSchema as Partial<AgentToolOptions['parameters']>;
    return {
      name: one.name,
      description: one.description,
      parameters: { type: 'object', properties, required, additionalProperties: true },
      strict: false,
      execute: async (input, _context, details) => {
        const { toolCall, signal } = details ?? {};
        return textOf(await one.run(session, input, toolCall?.callId, { signal }));
      },
    };
  });
}

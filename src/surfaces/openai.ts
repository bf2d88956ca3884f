/**
 * OpenAI's clients: the Agents SDK's `Editor` for its `applyPatchTool`, `apply_patch_call` items of the Responses API in
 * and their outputs out, and function tools. No SDK is imported.
 */

import { isFields } from '../tools/dialects/call.ts';
import { runPatchOperation } from '../tools/dialects/patch-operation.ts';
import { textOf } from '../tools/index.ts';
import type { JsonSchema } from '../tools/json-schema.ts';
import { type ToolsetOptions, toolset } from '../tools/toolset.ts';
import type { Session } from '../workspace/session.ts';

/** What came of one operation, and what the model reads of it. */
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

export function patchEditor(session: Session): PatchEditor {
  const apply: Apply = operation => applyOperation(session, operation);
  return { createFile: apply, updateFile: apply, deleteFile: apply };
}

async function applyOperation(session: Session, operation: unknown, callId?: string): Promise<PatchResult> {
  const result = await runPatchOperation(session, operation, { callId });
  return { status: result.ok ? 'completed' : 'failed', output: textOf(result) };
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
 * engine. Others are left to the caller. One is done after the other, in their order.
 */
export async function answerItems(
  session: Session,
  items: readonly unknown[],
  options: ToolsetOptions = {},
): Promise<Array<ApplyPatchOutput | FunctionOutput>> {
  const own = toolset({ ...options, tools: options.tools ?? 'all' });
  const outputs: Array<ApplyPatchOutput | FunctionOutput> = [];
  for (const item of items) {
    if (!isFields(item)) continue;
    const call_id = String(item.call_id);
    const tool = item.type === 'function_call' ? own.find(one => one.name === item.name) : undefined;
    if (item.type === 'apply_patch_call')
      outputs.push({
        type: 'apply_patch_call_output',
        call_id,
        ...(await applyOperation(session, item.operation, call_id)),
      });
    if (tool) {
      const result = await tool.run(session, parsed(item.arguments), call_id);
      outputs.push({ type: 'function_call_output', call_id, output: textOf(result) });
    }
  }
  return outputs;
}

/** The arguments of a function call are JSON in a text. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    return text;
  }
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
  return toolset(options).map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));
}

/** The same as the Chat Completions API has them. */
export function chatTools(
  options: ToolsetOptions = {},
): Array<{ type: 'function'; function: Omit<FunctionDefinition, 'type'> }> {
  return functionTools(options).map(({ type, ...definition }) => ({ type, function: definition }));
}

/** What the Agents SDK's `tool()` takes. */
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
  execute(input: unknown, context?: unknown, details?: { toolCall?: { callId?: string } }): Promise<string>;
}

/** The tools for an agent: `agentTools(session).map(tool)`. */
export function agentTools(session: Session, options: ToolsetOptions = {}): AgentToolOptions[] {
  return toolset(options).map(one => {
    const { properties = {}, required = [] } = one.inputSchema as Partial<AgentToolOptions['parameters']>;
    return {
      name: one.name,
      description: one.description,
      parameters: { type: 'object', properties, required, additionalProperties: true },
      strict: false,
      execute: async (input, _context, details) =>
        textOf(await one.run(session, input, details?.toolCall?.callId)),
    };
  });
}

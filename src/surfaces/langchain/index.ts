/** LangChain.js: the tools, and the file system of a deep agent. LangChain is not imported: its `tool` is handed in. */

import { textOf } from '../../tools/dialects/call.ts';
import type { ToolResult } from '../../tools/index.ts';
import type { JsonSchema } from '../../tools/json-schema.ts';
import { type OfferedTool, type ToolsetOptions, toolset } from '../../tools/toolset.ts';
import type { Session } from '../../workspace/session.ts';

export { type DeepAgentsBackend, deepAgentsBackend } from './backend.ts';

/** What `tool(function, fields)` of `@langchain/core/tools` is called with. */
export interface ToolFields {
  name: string;
  description: string;
  schema: JsonSchema;
  responseFormat: 'content_and_artifact';
  verboseParsingErrors: true;
}

type ToolFunction = (
  input: unknown,
  config?: { toolCall?: { id?: string } },
) => Promise<[text: string, artifact: ToolResult]>;

interface Invocable {
  invoke(input: never, config?: never): Promise<unknown>;
}

/**
 * The tools for an agent: `langchainTools(session, tool)`. The message of a call has the text for the model as content,
 * and the whole result as artifact; that of a refusal has the status `error`.
 */
export function langchainTools<Made extends Invocable>(
  session: Session,
  tool: (call: ToolFunction, fields: ToolFields) => Made,
  options: ToolsetOptions = {},
): Made[] {
  return toolset(options).map(offered => {
    const { name, description, inputSchema: schema } = offered;
    const call: ToolFunction = async (input, config) => {
      const result = await offered.run(session, input, config?.toolCall?.id);
      return [textOf(result), result];
    };
    const fields: ToolFields = {
      name,
      description,
      schema,
      responseFormat: 'content_and_artifact',
      verboseParsingErrors: true,
    };
    return withAliases(tool(call, fields), offered);
  });
}

/** LangChain checks the input by the schema before the tool sees it, so the names of fields are put right before that. */
function withAliases<Made extends Invocable>(made: Made, offered: OfferedTool): Made {
  const invoke = made.invoke.bind(made) as (input: unknown, config: unknown) => Promise<unknown>;
  const named = async (input: unknown, config: unknown): Promise<unknown> =>
    marked(
      await invoke(
        isToolCall(input) ? { ...input, args: offered.canonical(input.args) } : offered.canonical(input),
        config,
      ),
    );
  return Object.assign(made, { invoke: named });
}

interface ToolCall {
  type: 'tool_call';
  args: unknown;
}

function isToolCall(input: unknown): input is ToolCall {
  return (input as Partial<ToolCall> | null)?.type === 'tool_call';
}

/** A message about a refusal says so. */
function marked(answer: unknown): unknown {
  const message = answer as { artifact?: Partial<ToolResult>; status?: string } | null;
  if (message?.artifact?.ok === false) message.status = 'error';
  return answer;
}

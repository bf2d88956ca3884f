/** LangChain.js: the tools. LangChain is not imported: its `tool` is handed in. */

import { type ToolResult, textOf } from '../../tools/run.ts';
import type { JsonSchema } from '../../tools/toolset/json-schema.ts';
import { checkToolset, offeredTools, type ToolsetOptions } from '../../tools/toolset/toolset.ts';
import type { Session } from '../../workspace/session.ts';

/** The fields that `tool(function, fields)` of `@langchain/core/tools` is called with. */
export interface ToolFields {
  name: string;
  description: string;
  schema: JsonSchema;
  responseFormat: 'content_and_artifact';
}

type ToolFunction = (
  input: unknown,
  config?: { toolCall?: { id?: string }; signal?: AbortSignal | undefined },
) => Promise<[text: string, artifact: ToolResult]>;

interface Invocable {
  invoke(input: never, config?: never): Promise<unknown>;
}

/**
 * Makes the tools for an agent: `langchainTools(session, tool)`. The message of a call has the text for the model as content,
 * and the whole result as artifact; that of a refusal has the status `error`.
 */
export function langchainTools<Made extends Invocable>(
  session: Session,
  tool: (call: ToolFunction, fields: ToolFields) => Made,
  options: ToolsetOptions = {},
): Made[] {
  return offeredTools(checkToolset('langchainTools', options)).map(offered => {
    const { name, description, inputSchema: schema } = offered;
    const call: ToolFunction = async (input, config) => {
      const { toolCall, signal } = config ?? {};
      const result = await offered.run(session, input, toolCall?.id, { signal });
      return [textOf(result), result];
    };
    const fields: ToolFields = { name, description, schema, responseFormat: 'content_and_artifact' };
    return withEveryInput(tool(call, fields));
  });
}

/**
 * The model is told the schema; the check by it, which LangChain makes before the tool sees the input, lets everything
 * pass: the engine knows other names of fields, and refuses in words that a model can act on.
 */
function withEveryInput<Made extends Invocable>(made: Made): Made {
  const lenient: Made = Object.create(made, { schema: { value: {} } });
  const invoke = made.invoke.bind(lenient);
  return Object.assign(made, {
    invoke: async (input: never, config: never): Promise<unknown> => marked(await invoke(input, config)),
  });
}

/** Marks a message about a refusal as that. */
function marked(answer: unknown): unknown {
  const message = answer as { artifact?: Partial<ToolResult>; status?: string } | null;
  if (message?.artifact?.ok === false) message.status = 'error';
  return answer;
}

/** What each adapter puts before a model for its tools, and how many tokens that is. */

import { getEncoding } from 'js-tiktoken';
import { aiTools } from '../../src/surfaces/ai.ts';
import { customTools } from '../../src/surfaces/anthropic.ts';
import { langchainTools } from '../../src/surfaces/langchain/index.ts';
import { listing } from '../../src/surfaces/mcp/server.ts';
import { agentTools, chatTools, functionTools } from '../../src/surfaces/openai.ts';
import { toolInstructions, toolset } from '../../src/tools/toolset/toolset.ts';
import type { Session } from '../../src/workspace/session.ts';

/** No tool is run. */
const session = {} as Session;

/** The sets of tools, smallest first. */
export const SETS = ['minimal', 'standard', 'all'] as const;

type Set = (typeof SETS)[number];

const json = (schema: { '~standard': { jsonSchema: { input(): unknown } } }): unknown =>
  schema['~standard'].jsonSchema.input();

/** By adapter, what a set of tools comes to; a text stands for itself. */
export const LISTS: Readonly<Record<string, (tools: Set) => unknown>> = {
  'MCP (`vedit mcp`)': tools =>
    toolset({ tools }).map(tool => {
      const { description, inputSchema } = listing(tool);
      return { name: tool.name, description, input_schema: json(inputSchema) };
    }),
  '`customTools` (Anthropic)': tools => customTools(session, { tools }),
  '`functionTools` (OpenAI)': tools => functionTools({ tools }),
  '`chatTools` (OpenAI)': tools => chatTools({ tools }),
  '`agentTools` (OpenAI Agents)': tools => agentTools(session, { tools }),
  '`aiTools` (AI SDK, Mastra)': tools =>
    Object.entries(aiTools(session, { tools })).map(([name, { description, inputSchema }]) => {
      return { name, description, parameters: json(inputSchema) };
    }),
  '`langchainTools`': tools =>
    langchainTools(session, (_call, fields) => ({ invoke: async () => null, fields }), { tools }).map(
      ({ fields: { name, description, schema } }) => ({ name, description, schema }),
    ),
  '`toolInstructions`, once for all tools': tools => toolInstructions({ tools }),
};

/** Tokens of the standard set when each tool had every field with its description (2026-11-22). */
export const BEFORE: Readonly<Record<string, number>> = {
  'MCP (`vedit mcp`)': 1_050,
  '`customTools` (Anthropic)': 3_473,
  '`functionTools` (OpenAI)': 3_545,
  '`chatTools` (OpenAI)': 3_581,
  '`agentTools` (OpenAI Agents)': 3_569,
  '`aiTools` (AI SDK, Mastra)': 3_461,
  '`langchainTools`': 3_461,
};

const encoding = getEncoding('o200k_base');

/** Tokens of the list as JSON. */
export function tokensOf(list: unknown): number {
  return encoding.encode(typeof list === 'string' ? list : JSON.stringify(list)).length;
}

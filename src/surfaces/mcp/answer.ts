/**
 * Results as MCP clients get them. Several clients show the model `structuredContent` alone where there is any (Claude
 * Code, Codex), of a refusal the text all the same, others always the text: so there is text alone, or a structure that
 * holds the same text.
 */

import { type AnswerLimits, dataWithin } from '../../tools/answer-size.ts';
import { type ToolResult, textOf } from '../../tools/run.ts';
import type { JsonSchema } from '../../tools/toolset/json-schema.ts';

export interface CallResult {
  [key: string]: unknown;
  content: Array<{ type: 'text'; text: string }>;
  structuredContent?: Structured;
  isError?: boolean;
}

/** `structuredContent`: what OUTPUT_SCHEMA describes. */
export interface Structured {
  [key: string]: unknown;
  ok: boolean;
  text: string;
  code?: string;
  retryable?: boolean;
  data: unknown;
}

/** Ids, versions and counts. Diffs and long texts are left out: the text says what the model needs of them. */
const LIMITS: AnswerLimits = {
  message: 0,
  refusal: 0,
  text: 200,
  items: 20,
  without: new Set(['diff']),
  wholeTexts: true,
};

export function callResult(result: ToolResult, structured: boolean): CallResult {
  const text = textOf(result);
  const answer: CallResult = { content: [{ type: 'text', text }] };
  if (structured) answer.structuredContent = structureOf(result, text);
  if (!result.ok) answer.isError = true;
  return answer;
}

function structureOf(result: ToolResult, text: string): Structured {
  const data = dataWithin(result.data, LIMITS);
  return result.ok
    ? { ok: true, text, data }
    : { ok: false, text, code: result.code, retryable: result.retryable, data };
}

/** The schema of the output of every tool, refusals too. */
export const OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    text: { type: 'string', description: 'What the model is to read.' },
    code: { type: 'string', description: 'Of a refusal.' },
    retryable: { type: 'boolean' },
    data: { type: 'object', description: 'Ids, versions and counts; cut_fields names what is left out.' },
  },
  required: ['ok', 'text', 'data'],
  additionalProperties: false,
};

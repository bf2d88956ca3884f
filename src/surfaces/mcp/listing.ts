/** The tools as an MCP client lists them: short, because the list rides along with every turn of a model. */

import { briefSchema, type OpenSchema, openSchema } from '../../tools/json-schema.ts';
import type { OfferedTool } from '../../tools/toolset.ts';
import { OUTPUT_SCHEMA } from './answer.ts';

/** https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface Listing {
  title: string;
  description: string;
  inputSchema: OpenSchema;
  /** Only where results have a structure. */
  outputSchema?: OpenSchema;
  annotations: Annotations;
}

export function listing(tool: OfferedTool, { structured = false }: { structured?: boolean } = {}): Listing {
  return {
    title: tool.title,
    description: brief(tool.description),
    inputSchema: openSchema(briefSchema(tool.inputSchema, UNLISTED)),
    ...(structured ? { outputSchema: openSchema(OUTPUT_SCHEMA) } : {}),
    annotations: annotationsOf(tool),
  };
}

/** Fields of every edit that the instructions name once, for all tools. */
const UNLISTED: ReadonlySet<string> = new Set(['base', 'on_stale', 'dry_run', 'edit_id', 'call_id']);

/** What all tools have in common; a client puts it before the model once. */
export const INSTRUCTIONS: string = [
  'Every edit is one git commit; undo and rollback add commits, so nothing is ever lost.',
  'View a file before you give line numbers; lines count from 1; -1 as the end of view_range is the last line.',
  'An edit that is not certain is refused and nothing is done: the refusal says what to send next, after its code;',
  '(retryable) after the code: the same call can succeed, as it is or with the values that are named.',
  'Where a commit is asked for, give an id, @ (the newest) or ~N (N before it).',
  'Edits also take: version (as view answered it) or base (a commit), refused as STALE if the file changed since;',
  'on_stale: "rebase" to merge instead; dry_run: true to write nothing; edit_id, your own id, so that a call sent',
  'twice is done once; reason, why, for the history; call_id, the id of the tool call.',
].join('\n');

/**
 * Nothing is destructive where every earlier state is kept; but that a file is gone is what a person wants to be asked
 * about all the same.
 */
const ASKED_ABOUT: ReadonlySet<string> = new Set(['delete']);

function annotationsOf({ readOnly, tool }: OfferedTool): Annotations {
  return {
    readOnlyHint: readOnly,
    destructiveHint: ASKED_ABOUT.has(tool),
    idempotentHint: readOnly,
    openWorldHint: false,
  };
}

const LONGEST = 130;

/** The first sentence, and further whole ones while they fit. */
function brief(description: string): string {
  let text = '';
  for (const sentence of description.split(/(?<=\.) (?=[A-Z])/)) {
    if (text !== '' && text.length + sentence.length > LONGEST) break;
    text += text === '' ? sentence : ` ${sentence}`;
  }
  return text;
}

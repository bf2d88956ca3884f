/** The tools as an MCP client lists them: short, because the list rides along with every turn of a model. */

import { type OpenSchema, openSchema } from '../../tools/toolset/json-schema.ts';
import type { OfferedTool } from '../../tools/toolset/toolset.ts';
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
    description: tool.description,
    inputSchema: openSchema(tool.inputSchema),
    ...(structured ? { outputSchema: openSchema(OUTPUT_SCHEMA) } : {}),
    annotations: annotationsOf(tool),
  };
}

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

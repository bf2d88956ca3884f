/** The list of all tools, and the one way to run any of them with JSON in and out. */

import * as z from 'zod';
import type { EditError, ErrorCode, ErrorData } from '../errors.ts';
import { type CheckOptions, optionsCheck } from '../workspace/calls/call-options.ts';
import type { CallOptions } from '../workspace/calls/cancel.ts';
import type { Session } from '../workspace/session.ts';
import { withinLimits } from './answer-size.ts';
import { blameTool } from './blame.ts';
import { changeTool } from './change.ts';
import type { ToolData, ToolName } from './data.ts';
import { diffTool } from './diff.ts';
import { editTools, lift } from './edits.ts';
import { logTool } from './log.ts';
import { previewTool } from './preview.ts';
import { redoTool } from './redo.ts';
import { restoreTool } from './restore.ts';
import { revertTool } from './revert.ts';
import { rollbackTool } from './rollback.ts';
import { showTool } from './show.ts';
import { statusTool } from './status.ts';
import type { Tool } from './tool.ts';
import { trailsTool } from './trails.ts';
import { undoTool } from './undo.ts';
import { unknownTool } from './unknown-tool.ts';
import { verifyTool } from './verify.ts';
import { viewTool } from './view.ts';

export const tools: readonly Tool[] = [
  viewTool,
  ...editTools,
  changeTool,
  previewTool,
  undoTool,
  redoTool,
  revertTool,
  rollbackTool,
  restoreTool,
  logTool,
  showTool,
  diffTool,
  blameTool,
  statusTool,
  trailsTool,
  verifyTool,
];

export function toolNamed(name: string): Tool | undefined {
  return tools.find(tool => tool.name === name);
}

/** A refusal or failure as plain JSON: which data there is, the code tells. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  [C in Code]: { ok: false; code: C; message: string; data: ErrorData<C>; retryable: boolean };
}[Code];

/** What a call of the tool `Name` comes to, as plain JSON. */
export type ToolResult<Name extends string = string> =
  | { ok: true; message: string; data: Name extends ToolName ? ToolData[Name] : unknown }
  | Refusal;

export interface RunOptions extends CallOptions {
  /** Answer everything, however long; default: within ANSWER_LIMITS. */
  whole?: boolean | undefined;
}

const checkRun: CheckOptions<Pick<RunOptions, 'whole'>> = optionsCheck(
  { whole: z.boolean().optional() },
  { whole: true },
);

/**
 * Runs the tool called `name`, which may be an edit of your own. A refusal or failure is a result with a code; it rejects
 * only with the reason of the signal that stopped it.
 */
export async function runTool<Name extends string>(
  session: Session,
  name: Name,
  input: unknown,
  options: RunOptions = {},
): Promise<ToolResult<Name>> {
  const { signal, ...own } = Object(options) as RunOptions;
  const tool = toolNamed(name) ?? ownTool(session, name);
  const run = (within: Session): Promise<ToolResult> => resultOf(tool, within, name, input, own);
  const result = await (signal ? session.inTurn(run, { signal }) : run(session));
  return (own.whole === true ? result : withinLimits(result, tool?.ownLimit)) as ToolResult<Name>;
}

function ownTool(session: Session, name: unknown): Tool | undefined {
  const edit = session.edits.find(one => one.name === name);
  return edit && lift(edit);
}

async function resultOf(
  tool: Tool | undefined,
  session: Session,
  name: string,
  input: unknown,
  options: RunOptions,
): Promise<ToolResult> {
  try {
    checkRun('runTool', options);
    if (!tool)
      throw unknownTool(
        name,
        tools.map(one => ({ name: one.name, tool: one.name })),
      );
    const { message, data } = await tool.run(session, input);
    return { ok: true, message, data };
  } catch (error) {
    return refusal(await session.refused(typeof name === 'string' ? name.slice(0, 80) : '', error, input));
  }
}

/**
 * What a model reads of a result, on every surface: the message, and of a refusal its code before it, with a word where
 * the same call, or the same call with values that the message names, can succeed.
 */
export function textOf(result: ToolResult): string {
  if (result.ok) return result.message;
  return `${result.code}${result.retryable ? ' (retryable)' : ''}: ${result.message}`;
}

/** An error as the result of a tool call. */
export function refusal({ code, message, data, retryable }: EditError): Refusal {
  return { ok: false, code, message, data, retryable } as Refusal;
}

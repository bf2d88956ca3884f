/** The one way in which a call of a tool is run: its answer, or its refusal that is told of once, as plain JSON. */

import type { Answer } from '../engine/answer.ts';
import type { ToolScope } from '../engine/calls/scope.ts';
import type { EditError, ErrorCode, ErrorData } from '../errors.ts';
import type { ToolData, ToolName } from '../table/command.ts';
import type { Session } from '../workspace/session.ts';
import { withinLimits } from './answer-size.ts';

/** A refusal or failure as plain JSON: which data there is, the code tells. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  [C in Code]: { ok: false; code: C; message: string; data: ErrorData<C>; retryable: boolean };
}[Code];

/** The result of a call of the tool `Name`, as plain JSON. */
export type ToolResult<Name extends string = string> =
  | { ok: true; message: string; data: Name extends ToolName ? ToolData[Name] : unknown }
  | Refusal;

/** Options of a call of a tool: its scope in the session, and what is told of it. */
export interface Run extends Omit<ToolScope, 'cut' | 'tells'> {
  /** `whole`: the answer is not cut. `own`: the tool cuts its message itself. Default: within ANSWER_LIMITS. */
  limit?: 'whole' | 'own' | undefined;
}

/**
 * Runs `work`, which makes a call of the session. A refusal or failure is a result with a code, and told of once. Rejects only
 * with the reason of the signal that stopped it.
 */
export async function run(
  session: Session,
  { limit, ...scope }: Run,
  work: (own: Session) => Promise<ToolResult>,
): Promise<ToolResult> {
  const own = session.scoped({
    ...scope,
    cut: (answer, ok) => (limit === 'whole' ? answer : withinLimits({ ...answer, ok }, limit === 'own')),
  });
  scope.signal?.throwIfAborted();
  try {
    return await work(own);
  } catch (error) {
    return refusal(await own.refused(scope.op, error, scope.input));
  }
}

/** Makes the result of a call that was done. */
export function done({ message, data }: Answer<unknown>): ToolResult {
  return { ok: true, message, data };
}

/** Makes the result of a call that was refused or failed. */
export function refusal({ code, message, data, retryable }: EditError): Refusal {
  return { ok: false, code, message, data, retryable } as Refusal;
}

/**
 * Returns the text of a result that a model reads, on every surface: the message, and of a refusal its code before it,
 * with a word where the same call, or the same call with values that the message names, can succeed.
 */
export function textOf(result: ToolResult): string {
  if (result.ok) return result.message;
  return `${result.code}${result.retryable ? ' (retryable)' : ''}: ${result.message}`;
}

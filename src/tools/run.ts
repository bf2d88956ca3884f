/** The one way in which a call of a tool is run: its answer, or its refusal that is told of once, as plain JSON. */

import type { Answer } from '../engine/answer.ts';
import { withRejections } from '../engine/calls/localize.ts';
import type { TurnOptions } from '../engine/calls/scope.ts';
import { EditError, type ErrorCode, type ErrorData } from '../errors.ts';
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

/** Options of a call of a tool: its turn in the session, and what is told of it. */
export interface Run extends Omit<TurnOptions, 'shown' | 'tells'> {
  /** The operation's name in the event of a refusal. */
  op: string;
  /** The input of the call, for the ids in its events. */
  input?: unknown;
  /** `whole`: the answer is not cut. `own`: the tool cuts its message itself. Default: within ANSWER_LIMITS. */
  limit?: 'whole' | 'own' | undefined;
}

/**
 * Runs `work` as one call of the session, in a turn of its own. A refusal or failure is a result with a code; it is told
 * of here and not by the calls that `work` makes. Rejects only with the reason of the signal that stopped it.
 */
export async function run(
  session: Session,
  { op, input, limit, ...turn }: Run,
  work: (own: Session) => Promise<ToolResult>,
): Promise<ToolResult> {
  const refuse = async (within: Session, error: unknown): Promise<ToolResult> =>
    refusal(await within.refused(op, error, input));
  const attempt = (own: Session): Promise<ToolResult> => work(own).catch(error => refuse(own, error));
  const known = turn.known ?? session.moment();
  const result = await session.inTurn(attempt, { ...turn, tells: false }).catch(error => {
    // A refused turn did not begin, as in a workspace that is closed; anything else is the reason of a signal.
    if (error instanceof EditError && error !== turn.signal?.reason) return refuse(session, error);
    throw error;
  });
  const within = limit === 'whole' ? result : withinLimits(result, limit === 'own');
  return withRejections(within, await session.rejections(known, input, result.data, turn.vocabulary));
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

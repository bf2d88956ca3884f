/** A call in the words of somebody else's tool, on its way to one of ours. */

import { shortened } from '../../edits/input-problems.ts';
import type { TurnOptions } from '../../engine/calls/scope.ts';
import { EditError } from '../../errors.ts';
import type { Session } from '../../workspace/session.ts';
import { runTool } from '../index.ts';
import { refusal, type ToolResult, textOf } from '../run.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Options that a caller may add to what the model sent. */
export interface CallOptions extends Pick<TurnOptions, 'signal' | 'known'> {
  /** The id of the tool call, for the history. */
  callId?: string | undefined;
}

/** Runs one of our tools, with the id of the call where it makes a commit. Never throws. */
export function runAs(
  session: Session,
  tool: string,
  input: object,
  { callId }: Pick<CallOptions, 'callId'> = {},
): Promise<ToolResult> {
  return runTool(session, tool, callId === undefined ? input : { ...input, call_id: callId });
}

/** A call of several that are answered together: what the model reads of it. */
export interface Answered {
  ok: boolean;
  text: string;
}

/**
 * Answers several calls that were asked for at once, in their order; what `run` runs nothing for is left to the caller. All
 * are begun before any is answered: the model has not seen the answer of one when it asked for the next. Those that `signal`
 * stops are answered too, as not done, since the model has to know of the others. Rejects only with what is not its reason.
 */
export async function answerAll<Asked, Said>(
  asked: readonly Asked[],
  signal: AbortSignal | null | undefined,
  run: (one: Asked) => Promise<ToolResult> | undefined,
  say: (one: Asked, answer: Answered) => Said,
): Promise<Said[]> {
  const answers = asked.flatMap(one => {
    const call = run(one);
    return call ? [answered(call, signal).then(answer => say(one, answer))] : [];
  });
  return Promise.all(answers);
}

async function answered(
  call: Promise<ToolResult>,
  signal: AbortSignal | null | undefined,
): Promise<Answered> {
  try {
    const result = await call;
    return { ok: result.ok, text: textOf(result) };
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
    return { ok: false, text: STOPPED };
  }
}

const STOPPED =
  'Not done: the run was stopped before this call was carried out, and it changed nothing. Send it again if it is still wanted.';

/** Leaves out fields that are `null`: one tool with many commands is sent the fields of all of them. */
export function given(input: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Parts a call of a tool with commands, or returns its refusal where it is none of them. */
export function commandOf(
  input: unknown,
  commands: readonly string[],
): { command: string; fields: Fields } | ToolResult {
  if (!isFields(input)) return invalid('The input must be an object with a command and a path.');
  const { command, ...fields } = given(input);
  if (typeof command === 'string' && commands.includes(command)) return { command, fields };
  const known = `The commands are ${commands.join(', ')}.`;
  return invalid(`There is no command ${shortened(command)}. ${known}`, { commands });
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function invalid(message: string, data: Fields = {}): ToolResult {
  return refusal(new EditError('INVALID_INPUT', `${message} Nothing was done.`, data));
}

/** Answers of commands: one line of JSON for programs, a refusal as `vedit: CODE: message` for people, else what the command shows. */

import type { Answer } from '../../engine/answer.ts';
import type { EditError } from '../../errors.ts';
import { UsageError } from '../../table/use.ts';
import type { Refusal } from '../../tools/run.ts';
import type { Call } from './command.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { inFlags } from './flags.ts';
import { styled } from './terminal/style.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The outcome of a call of the library that is no tool, like those of tools. */
export type Attempt<Data = unknown> = ({ ok: true } & Answer<Data>) | Refusal;

/** Makes the call; a failure is a result with a code. Throws UsageError alone. */
export async function attempt<Data>(call: () => Promise<Answer<Data>>): Promise<Attempt<Data>> {
  try {
    return { ok: true, ...(await call()) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { asEditError } = await import('../../engine/calls/failure.ts');
    return refusal(inFlags(asEditError(error)));
  }
}

/** Answers with JSON where it is asked for, a refusal as such, anything else by `show`; default: its message, as data. */
export async function answer<Data>(
  { terminal, options }: Call,
  result: Attempt<Data>,
  show: (done: Answer<Data>) => Promise<unknown> = ({ message }) => terminal.print(`${message}\n`),
): Promise<number> {
  if (!result.ok) return answerRefusal(result, terminal, options.json ?? false);
  if (options.json) await terminal.print(jsonLine(result));
  else await show(result);
  return EXIT.done;
}

/** Tells what would be done, and asks whether to. Throws UsageError with the words of `nobody` where nobody can answer. */
export async function isWanted(
  { terminal, options }: Call,
  plan: string,
  question: string,
  nobody: string,
): Promise<boolean> {
  if (options.json || !terminal.canAsk) throw new UsageError(nobody);
  for (const line of plan.split('\n')) await terminal.tell(line);
  return terminal.confirm(question);
}

/** As that of the tools, which are loaded when one is run. */
export function refusal({ code, message, data, retryable }: EditError): Refusal {
  return { ok: false, code, message, data, retryable } as Refusal;
}

/** Tells a refusal and answers the exit code that goes with it. */
export async function answerRefusal(refused: Refusal, terminal: Terminal, json: boolean): Promise<number> {
  const { code, message } = refused;
  if (json) await terminal.print(jsonLine(refused));
  else await terminal.tell('vedit: ', styled('red', code), ': ', message);
  return exitCodeOf(code);
}

// JSON.stringify escapes C0; these too may be escaped in JSON, and the value stays the same.
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The value on one line, with the line end. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${text.replace(CONTROLS, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

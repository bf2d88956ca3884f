/** Runs what a command asks of the engine, and answers it: as JSON, as a refusal, or as the command shows it. */

import type { Answer } from '../../engine/answer.ts';
import { UsageError } from '../../table/usage.ts';
import type { Refusal } from '../../tools/run.ts';
import type { Call } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { inFlags } from './flags.ts';
import { answerRefusal, jsonLine, refusal } from './views/answer.ts';

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

/** Tells a refusal: one line of JSON for programs, or `vedit: CODE: message` for people. */

import type { EditError } from '../../../errors.ts';
import type { Refusal } from '../../../tools/run.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { jsonLine } from './json.ts';

export function asRefusal({ code, message, data, retryable }: EditError): Refusal {
  return { ok: false, code, message, data, retryable } as Refusal;
}

/** Tells a refusal and answers the exit code that goes with it. */
export async function answerRefusal(refusal: Refusal, terminal: Terminal, json: boolean): Promise<number> {
  const { code, message } = refusal;
  if (json) await terminal.print(jsonLine(refusal));
  else await terminal.tell('vedit: ', styled('red', code), ': ', message);
  return exitCodeOf(code);
}

/** Answers: one line of JSON for programs, a refusal as `vedit: CODE: message` for people. */

import type { EditError } from '../../../errors.ts';
import type { Refusal } from '../../../tools/run.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';

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

/** Tells a refusal: one line of JSON for programs, or `vedit: CODE: message` and a hint for people. */

import type { EditError, ErrorCode } from '../../../errors.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { jsonLine } from './json.ts';

/** The result of a refused tool call; see ToolResult. */
export interface Refusal {
  ok: false;
  code: ErrorCode;
  message: string;
  data: unknown;
  retryable: boolean;
}

export function asRefusal({ code, message, data, retryable }: EditError): Refusal {
  return { ok: false, code, message, data, retryable };
}

/** Where the command line calls something else than the tools do, which the message speaks for: `when` tells that it does. */
const HINTS: Partial<Record<ErrorCode, { when?: (data: Record<string, unknown>) => boolean; hint: string }>> =
  {
    NOT_VIEWED: { hint: 'on the command line that is --version-of <id>; vedit view prints the version' },
    STALE: {
      when: data => !('peer_head' in data),
      hint: 'the version to cite is given with --version-of <id>, a base with --base <rev>',
    },
    IS_DIRECTORY: { when: data => 'files' in data, hint: 'on the command line that is vedit rm -r' },
    FILE_EXISTS: {
      when: data => data.can_overwrite === true,
      hint: 'on the command line that is --overwrite',
    },
    AMBIGUOUS: {
      when: data => !('hunk' in data),
      hint: 'give more of the text around the place, or --all for every place',
    },
  };

/** Tells it and answers the exit code that goes with it. */
export async function answerRefusal(refusal: Refusal, terminal: Terminal, json: boolean): Promise<number> {
  const { code, message, data } = refusal;
  if (json) await terminal.print(jsonLine(refusal));
  else {
    await terminal.tell('vedit: ', styled('red', code), ': ', message);
    const known = HINTS[code];
    if (known && (known.when?.(Object(data)) ?? true))
      await terminal.tell(styled('yellow', 'hint: '), known.hint);
  }
  return exitCodeOf(code);
}

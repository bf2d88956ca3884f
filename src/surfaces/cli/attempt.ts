/** A call of the library that is no tool, with an answer or a refusal like those of tools. */

import type { ToolResult } from '../../tools/run.ts';
import type { Answer } from '../../workspace/answer.ts';
import { inFlags } from './flags.ts';

/** Never throws: a failure is a result with a code. */
export async function attempt(call: () => Promise<Answer<unknown>>): Promise<ToolResult> {
  try {
    return { ok: true, ...(await call()) };
  } catch (error) {
    const { refusal } = await import('../../tools/run.ts');
    const { asEditError } = await import('../../workspace/calls/failure.ts');
    return refusal(inFlags(asEditError(error)));
  }
}

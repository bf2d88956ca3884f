/** Runs commands that go back in history. */

import type { Call } from './command.ts';
import type { SessionUse } from './editor.ts';
import type { Engine } from './engine.ts';
import { type BackOptions, baseInput } from './input/options.ts';
import { wholeNumber } from './input/usage.ts';
import { runWriter } from './views/done.ts';

/** Goes back by the tool of that name. `fields` are its own. */
export function runBack(
  call: Call<BackOptions>,
  tool: string,
  fields: (engine: Engine) => object,
  session: SessionUse = 'edits',
): Promise<number> {
  const input = (engine: Engine): object => ({ ...fields(engine), ...baseInput(call.options) });
  return runWriter(call, tool, input, session);
}

/** Returns how many edits undo and redo take. Throws UsageError. */
export function countInput({ args }: Call<BackOptions>): { count: number } {
  return { count: args[0] === undefined ? 1 : wholeNumber('N', args[0], 1) };
}

/** A person means the whole history; one who names a session means that session's edits. */
export function meansAll({ options }: Call<BackOptions>): boolean {
  return options.session === undefined;
}

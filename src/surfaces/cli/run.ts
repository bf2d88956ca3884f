/** Runs what a command asks of the engine, and answers it: as JSON, as a refusal, or as the command shows it. */

import type { Answer } from '../../engine/answer.ts';
import type { Refusal, ToolResult } from '../../tools/run.ts';
import type { Call } from './command.ts';
import { type Engine, type SessionUse, withEngine } from './engine.ts';
import { EXIT } from './exit-codes.ts';
import { inFlags } from './flags.ts';
import type { BackOptions, EditOptions, EditorOptions, WriterOptions } from './input/options.ts';
import type { Place } from './input/place.ts';
import { UsageError, wholeNumber } from './input/usage.ts';
import { tellDone } from './views/done.ts';
import { jsonLine } from './views/json.ts';
import { answerRefusal } from './views/refusal.ts';

/** The outcome of a call of the library that is no tool, like those of tools. */
export type Attempt<Data = unknown> = ({ ok: true } & Answer<Data>) | Refusal;

/** A failure is a result with a code. Throws UsageError alone. */
export async function attempt<Data>(call: () => Promise<Answer<Data>>): Promise<Attempt<Data>> {
  try {
    return { ok: true, ...(await call()) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { refusal } = await import('../../tools/run.ts');
    const { asEditError } = await import('../../engine/calls/failure.ts');
    return refusal(inFlags(asEditError(error)));
  }
}

/** Answers with JSON where it is asked for, a refusal as such, anything else by `show`; default: its message, as data. */
export async function answer<Data>(
  { terminal, options }: Call,
  result: Attempt<Data>,
  show: (done: Answer<Data>) => Promise<void> = ({ message }) => terminal.print(`${message}\n`),
): Promise<number> {
  if (!result.ok) return answerRefusal(result, terminal, options.json ?? false);
  if (options.json) await terminal.print(jsonLine(result));
  else await show(result);
  return EXIT.done;
}

/** Runs a call of the library in the work tree, and answers it. */
export function runCall<Data>(
  call: Call<EditorOptions>,
  work: (engine: Engine) => Promise<Answer<Data>>,
  show?: (done: Answer<Data>) => Promise<void>,
): Promise<number> {
  return withEngine(call, async engine => answer(call, await attempt(() => work(engine)), show));
}

/** Runs one tool that writes, and tells what came of it. `input` is made once the place of paths is known. */
function runWriter(
  call: Call<WriterOptions>,
  tool: string,
  input: (engine: Engine) => object,
  session: SessionUse = 'edits',
): Promise<number> {
  return runWork(
    call,
    engine => engine.run(tool, { ...input(engine), ...writerInput(call.options) }),
    session,
  );
}

/** As `runWriter`, by a call of the library. */
export function runWork(
  call: Call<WriterOptions>,
  run: (engine: Engine) => Promise<ToolResult>,
  session: SessionUse = 'edits',
): Promise<number> {
  const work = async (engine: Engine): Promise<number> => {
    const result = await run(engine);
    return answer(call, result, () => tellDone(call, result));
  };
  return withEngine(call, work, { workspace: { brief: true }, session });
}

/** The options of a command as a tool takes them, and the library too. */
export function writerInput({ dryRun, reason, editId, allowSecret }: WriterOptions): object {
  return { dry_run: dryRun, reason, edit_id: editId, allow_secret: allowSecret };
}

/** Makes the edit called `name`. `fields` are its own, with paths from the top of the work tree. */
export function runEdit(
  call: Call<EditOptions>,
  name: string,
  fields: (place: Place) => object,
): Promise<number> {
  const { base, versionOf: version, onStale: on_stale } = call.options;
  return runWriter(call, name, ({ place }) => ({ ...fields(place), base, version, on_stale }));
}

/** Goes back in history by the tool of that name. `fields` are its own. */
export function runBack(
  call: Call<BackOptions>,
  tool: string,
  fields: (engine: Engine) => object,
  session: SessionUse = 'edits',
): Promise<number> {
  const { base, versionOf: version } = call.options;
  return runWriter(call, tool, engine => ({ ...fields(engine), base, version }), session);
}

/** Returns how many edits undo and redo take. Throws UsageError. */
export function countInput({ args }: Call<BackOptions>): { count: number } {
  return { count: args[0] === undefined ? 1 : wholeNumber('N', args[0], 1) };
}

/** A person means the whole history; one who names a session means that session's edits. */
export function meansAll({ options }: Call<BackOptions>): boolean {
  return options.session === undefined;
}

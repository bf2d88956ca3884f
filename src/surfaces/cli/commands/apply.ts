import type { Moment } from '../../../engine/views.ts';
import { EditError } from '../../../errors.ts';
import { UsageError } from '../../../table/usage.ts';
import type { ToolResult } from '../../../tools/run.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { readCalls, type ToolCall } from '../input/json-calls.ts';
import { answerRefusal, jsonLine, refusal } from '../views/answer.ts';

export async function run(call: Call): Promise<number> {
  const source = call.args[0] ?? '-';
  if (source !== '-')
    throw new UsageError(`calls are read from standard input only: vedit apply < ${JSON.stringify(source)}`);
  const input = call.terminal.input();
  try {
    return await withEngine(call, engine => answerAll(call, engine, input), { session: 'agent' });
  } catch (error) {
    if (error instanceof EditError) return answerRefusal(refusal(error), call.terminal, true);
    throw error;
  }
}

async function answerAll(
  call: Call,
  engine: Engine,
  input: AsyncIterable<Uint8Array | string>,
): Promise<number> {
  let exitCode: number = EXIT.done;
  // Who sent a call before there was an answer to the one before it had not read that answer.
  let known = engine.session.moment();
  async function* chunks(): AsyncGenerator<Uint8Array | string> {
    for await (const { chunk, at } of readAhead(input, () => engine.session.moment())) {
      known = at;
      yield chunk;
    }
  }
  for await (const one of readCalls(chunks())) {
    const { id, result } = await answerOne(engine, one, known);
    if (!result.ok) exitCode = exitCodeOf(result.code);
    await call.terminal.print(jsonLine(id === undefined ? result : { id, ...result }));
  }
  return exitCode;
}

async function answerOne(
  engine: Engine,
  one: ToolCall | EditError,
  known: Moment,
): Promise<{ id?: unknown; result: ToolResult }> {
  if (!(one instanceof EditError))
    return { id: one.id, result: await engine.call(one.tool, one.input, known) };
  const { id, ...data } = one.data;
  return { id, result: { ...refusal(one), data } as ToolResult };
}

type Chunk = Uint8Array | string;

/** Bytes or characters that wait at most; what is longer still comes as one chunk. */
const AHEAD = 1024 * 1024;

/** Each chunk of the stream with what `stamp` answered when it came. A stream that is left before its end is destroyed. */
export async function* readAhead<Stamp>(
  stream: AsyncIterable<Chunk> & { destroy?(): unknown },
  stamp: () => Stamp,
): AsyncGenerator<{ chunk: Chunk; at: Stamp }> {
  const source = stream[Symbol.asyncIterator]();
  const ahead: Array<Promise<{ isEnd: boolean; chunk: Chunk; at: Stamp }>> = [];
  let [size, isReading] = [0, false];
  const read = (): void => {
    isReading = true;
    const next = source.next().then(({ done: isEnd = false, value: chunk = '' }) => {
      isReading = isEnd;
      const at = stamp();
      size += chunk.length;
      if (!isReading && size <= AHEAD) read();
      return { isEnd, chunk, at };
    });
    // What went wrong is told when all that came before is given.
    next.catch(() => {});
    ahead.push(next);
  };
  read();
  let hasEnded = false;
  try {
    for (;;) {
      const { isEnd, ...next } = await ahead.shift()!;
      hasEnded = isEnd;
      if (isEnd) return;
      size -= next.chunk.length;
      if (!isReading && size <= AHEAD) read();
      yield next;
    }
  } finally {
    if (!hasEnded) stream.destroy?.();
  }
}

import type { Readable } from 'node:stream';
import type { Moment } from '../../../engine/views.ts';
import { EditError } from '../../../errors.ts';
import { parseJson } from '../../../json.ts';
import { UsageError } from '../../../table/use.ts';
import type { ToolResult } from '../../../tools/run.ts';
import type { Session } from '../../../workspace/session.ts';
import { answerRefusal, jsonLine, refusal } from '../answer.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { byteLines, decode } from '../input/text-source.ts';

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

async function answerAll(call: Call, engine: Engine, input: Readable): Promise<number> {
  let exitCode: number = EXIT.done;
  // Who sent a call before there was an answer to the one before it had not read that answer.
  let known = engine.session.moment();
  async function* chunks(): AsyncGenerator<Uint8Array | string> {
    for await (const { chunk, at } of readAhead(input, () => engine.session.moment())) {
      known = at;
      yield chunk;
    }
  }
  try {
    for await (const one of readCalls(chunks())) {
      const { id, result } = await answerOne(engine.session, one, known);
      if (!result.ok) exitCode = exitCodeOf(result.code);
      await call.terminal.print(jsonLine(id === undefined ? result : { id, ...result }));
    }
    return exitCode;
  } finally {
    input.destroy();
  }
}

async function answerOne(
  session: Session,
  one: ToolCall | EditError,
  known: Moment,
): Promise<{ id?: unknown; result: ToolResult }> {
  if (!(one instanceof EditError)) {
    const { runTool } = await import('../../../tools/index.ts');
    const run = (own: Session): Promise<ToolResult> => runTool(own, one.tool, one.input);
    return { id: one.id, result: await session.inTurn(run, { known, vocabulary: {} }) };
  }
  const { id, ...data } = one.data;
  return { id, result: { ...refusal(one), data } as ToolResult };
}

/** About half of the chunks that wait at most. */
const AHEAD = 8;

/** Each chunk of the stream, read ahead, with what `stamp` answered when it came. */
export function readAhead<Stamp>(
  stream: Readable,
  stamp: () => Stamp,
): AsyncIterable<{ chunk: Uint8Array | string; at: Stamp }> {
  return stream.map(chunk => ({ chunk, at: stamp() }), { concurrency: AHEAD });
}

export interface ToolCall {
  tool: string;
  input: unknown;
  /** Given back with the answer. */
  id?: unknown;
}

/** Larger than any input that the engine takes. */
const LONGEST = 256 * 1024 * 1024;

/** Each value of the stream: a call, or the EditError that says what is wrong with it. */
export async function* readCalls(
  stream: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<ToolCall | EditError> {
  // The lines of a value that has begun, and how many brackets are open in it.
  let begun = '';
  let depth = 0;
  for await (const line of textLines(stream)) {
    const isNew = begun === '';
    if (line instanceof EditError) {
      if (!isNew) yield notJson(begun);
      yield line;
      begun = '';
      continue;
    }
    if (isNew && line.trim() === '') continue;
    const alone = isNew || line.startsWith('{') ? parseJson(line) : undefined;
    if (isNew ? alone !== undefined : isCall(alone)) {
      // A whole call at the start of a line: the one before it was cut off.
      if (!isNew) yield notJson(begun);
      yield toCall(alone);
      begun = '';
      continue;
    }
    depth = opened(line) + (isNew ? 0 : depth);
    begun += `${line}\n`;
    if (depth > 0 && (!isNew || /[{[,:]\s*$/.test(line))) continue;
    const whole = parseJson(begun);
    yield whole === undefined ? notJson(begun) : toCall(whole);
    begun = '';
  }
  if (begun !== '') yield notJson(begun);
}

/** Counts the brackets that are opened and not closed, outside of strings; no string runs over a line. */
function opened(line: string): number {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return depth;
}

function isCall(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && ('tool' in value || 'name' in value);
}

/** Beside those that are used, a field that models send with a call and that says nothing here. */
const FIELDS = ['tool', 'name', 'input', 'arguments', 'id', 'type'];

function toCall(value: unknown): ToolCall | EditError {
  if (!isCall(value)) return invalid('A call is an object with the name of a tool in "tool".', value);
  const unknown = Object.keys(value).find(key => !FIELDS.includes(key));
  if (unknown !== undefined)
    return invalid(
      `There is no field ${JSON.stringify(unknown.slice(0, 60))} beside "input": what the tool is given belongs into "input".`,
      value,
    );
  const given = value.input ?? value.arguments ?? {};
  const input = typeof given === 'string' ? (parseJson(given || '{}') ?? given) : given;
  const { id, tool = value.name } = value;
  if (typeof tool !== 'string') return invalid('The name of a tool is a text.', value);
  if (!isId(id)) return invalid('An id is a text or a number, not lists in lists.', value);
  return { tool, input, ...(id === undefined ? {} : { id }) };
}

/** Whatever it is, it can be given back; but not what is too deep to be written. */
function isId(id: unknown): boolean {
  try {
    JSON.stringify(id);
    return true;
  } catch {
    return false;
  }
}

function notJson(text: string): EditError {
  return invalid(
    `This is not JSON: ${JSON.stringify(text.trim().slice(0, 80))}. One call is one line.`,
    null,
  );
}

const EXAMPLE = { tool: 'str_replace', input: { path: 'a.txt', old_str: 'x', new_str: 'y' } };

function invalid(words: string, value: unknown): EditError {
  const id =
    typeof value === 'object' && value !== null && 'id' in value && isId(value.id) ? { id: value.id } : {};
  return new EditError('INVALID_INPUT', `${words} Nothing was done. Example: ${JSON.stringify(EXAMPLE)}`, {
    example: EXAMPLE,
    ...id,
  });
}

/** Lines as text, or why one is none. Only a line feed ends a line: JSON may hold U+2028. */
async function* textLines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string | EditError> {
  for await (const bytes of byteLines(stream, LONGEST)) {
    try {
      yield decode(bytes, 'A line').replace(/^\ufeff|\n$/g, '');
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      yield error;
    }
  }
}

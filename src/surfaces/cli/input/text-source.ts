/** A text given on the command line: as an argument, as an option, in a file, or on standard input. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { EditError } from '../../../errors.ts';
import { type TextOptions, UsageError } from '../../../table/use.ts';
import type { Call } from '../command.ts';

/**
 * The text, exactly as given, or `undefined` when no source is: an argument, where `-` is standard input, or one of the
 * options. `name` is that of the text in messages. Throws UsageError for several sources, for a standard input that
 * cannot be read, and with the words of `missing` for none; FILE_NOT_FOUND, NOT_UTF8.
 */
export async function readText(
  call: Call,
  name: string,
  argument: string | undefined,
  { text, file }: TextOptions,
  missing?: string,
): Promise<string | undefined> {
  const given = [argument, text, file].filter(one => one !== undefined);
  if (given.length > 1) throw new UsageError(`${name} is given ${given.length} times; give it once`);
  if (text !== undefined) return text;
  if (argument === '-' || file === '-') return decode(await readAll(call.terminal.input()), 'Standard input');
  if (missing !== undefined && given.length === 0) throw new UsageError(missing);
  return file === undefined ? argument : decode(readNamed(call, file), file);
}

function readNamed(call: Call, file: string): Uint8Array {
  try {
    return readFileSync(resolve(call.folder, file));
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new EditError('FILE_NOT_FOUND', `The file ${file} with the text cannot be read (${cause}).`, {
      path: file,
      cause,
    });
  }
}

/** Reads a stream to its end. Throws an Error for more bytes than `most`: what has no end is not read to it. */
export async function readAll(
  stream: Readable,
  most: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    length += chunks.at(-1)!.length;
    if (length > most) throw new Error(`what was sent is longer than ${most / MEGABYTE} MB`);
  }
  return Buffer.concat(chunks);
}

const MEGABYTE = 1024 * 1024;

/** Yields lines as they came, each with its end; the last one may have none. `most`: throws TOO_LARGE for more bytes than these. */
export async function* byteLines(
  stream: AsyncIterable<Uint8Array | string>,
  most: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    let rest =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let end = rest.indexOf(10) + 1; end > 0; end = rest.indexOf(10) + 1) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, size, rest] = [[], 0, rest.subarray(end)];
    }
    size += rest.length;
    if (size > most)
      throw new EditError('TOO_LARGE', `A line of more than ${most} bytes is no tool call.`, { limit: most });
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** A byte order mark is part of the text. */
export function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError('NOT_UTF8', `${what} is not valid UTF-8, so it is no text. Convert it first.`, {
      path: what,
    });
  }
}

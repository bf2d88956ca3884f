/**
 * Encodes and decodes the bytes of a journal file; journal.ts describes the layout. A journal may come with a repository that
 * somebody else made, so a frame with the right sum is no proof: what it says is checked before anybody relies on it.
 */

import { latin1, toHex, uint32, utf8 } from '../../../bytes.ts';
import { EditError } from '../../../errors.ts';
import { corrupt } from '../../../fs/failures.ts';
import type { LooseObject } from '../../../git/objects/loose.ts';
import { type Codec, fromHex, isOid } from '../../../git/objects/object.ts';
import { parseJson } from '../../../json.ts';

export const JOURNAL_FORMAT = 3;

const MAGIC = /^vedit journal (\d+)\n/;
/** The bytes of length and sequence. */
const HEAD = 8;
export const SUM = 20;
/** Stands for the sum before the first frame, which has none. */
export const ZERO_SUM: Uint8Array = new Uint8Array(SUM);

/** Marks the end of a journal file: bytes past it are void. */
export interface Seal {
  file: number;
  /** In bytes. */
  length: number;
  sum: string;
}

export interface JournalHeader {
  format: number;
  /** The boot id of the machine when the file was begun; `null` where it cannot be read. */
  boot: string | null;
  salt: string;
  /** The process that began the file. */
  token: string;
  /** Where the file before ended, if there was one. */
  seal: Seal | null;
}

/** One record, or the header, with the objects that it carries. */
export interface Frame<T> {
  data: T;
  objects: readonly LooseObject[];
}

/** A frame that was read, and where it begins. */
export interface PlacedFrame<T> extends Frame<T> {
  start: Seal;
}

export interface JournalFile<T> {
  number: number;
  header: JournalHeader;
  records: PlacedFrame<T>[];
  /** The end of the last whole frame. */
  end: Seal;
  /** True when half a frame follows the last whole one. */
  torn: boolean;
}

/** A frame as it is written: its bytes in parts, how many they are, and the sum at their end. */
export interface FrameBytes {
  parts: readonly Uint8Array[];
  length: number;
  sum: Uint8Array;
}

/** Encodes a frame that comes after one whose sum is `before`. */
export async function frameOf(
  codec: Codec,
  before: Uint8Array,
  sequence: number,
  { data, objects }: Frame<unknown>,
): Promise<FrameBytes> {
  const listed: [oid: string, length: number][] = [];
  const blocks: Uint8Array[] = [];
  let size = 4;
  for (const { oid, deflated } of objects) {
    listed.push([oid, deflated.length]);
    blocks.push(deflated);
    size += deflated.length;
  }
  const json = utf8(JSON.stringify({ data, objects: listed }));
  size += json.length;
  const head = new Uint8Array(HEAD + 4);
  for (const [i, number] of [size, sequence, json.length].entries())
    new DataView(head.buffer).setUint32(i * 4, number);
  const parts = [head, json, ...blocks];
  const sum = fromHex(await codec.sha1(before, ...parts));
  return { parts: [...parts, sum], length: HEAD + size + SUM, sum };
}

/** Reads the frames up to the first that is not whole; `null` without a whole header. Throws CORRUPT when a whole one follows. */
export async function parseFile<T>(
  codec: Codec,
  number: number,
  bytes: Uint8Array,
): Promise<JournalFile<T> | null> {
  const format = MAGIC.exec(latin1(bytes.subarray(0, 40)));
  if (!format) return null;
  if (Number(format[1]) !== JOURNAL_FORMAT) {
    const message = `another version of vedit has unfinished work here (journal format ${format[1]}, this one knows ${JOURNAL_FORMAT}); nothing was touched: let that version finish it, or install it here`;
    throw new EditError('UNSUPPORTED_REPOSITORY', message, { feature: `journal format ${format[1]}` });
  }
  const start = { file: number, length: format[0].length, sum: toHex(ZERO_SUM) };
  const { frames, end } = await wholeFrames(codec, bytes.subarray(start.length), start, 0);
  const [header, ...records] = frames;
  if (await isWholeAfter(codec, bytes, end.length, frames.length)) throw damaged(number);
  if (!header) return null;
  if (!isHeader(header.data, number)) throw notOurs();
  return {
    number,
    header: header.data,
    records: records as PlacedFrame<T>[],
    end,
    torn: end.length < bytes.length,
  };
}

/** Reads the frames of a file from `from` on, where `bytes` begin; `null` where they do not end with a whole one. */
export async function framesFrom<T>(
  codec: Codec,
  bytes: Uint8Array,
  from: Seal,
  sequence: number,
): Promise<{ records: PlacedFrame<T>[]; end: Seal } | null> {
  const { frames, end } = await wholeFrames(codec, bytes, from, sequence);
  return end.length < from.length + bytes.length ? null : { records: frames as PlacedFrame<T>[], end };
}

/** Reads the frames from `from` on, where `bytes` begin, up to the first that is not whole. */
async function wholeFrames(
  codec: Codec,
  bytes: Uint8Array,
  { file, length, sum }: Seal,
  sequence: number,
): Promise<{ frames: PlacedFrame<unknown>[]; end: Seal }> {
  const frames: PlacedFrame<unknown>[] = [];
  let end: Seal = { file, length, sum };
  for (;;) {
    const at = end.length - length;
    const frame = await frameAt(codec, bytes, at, fromHex(end.sum), sequence + frames.length);
    if (!frame) return { frames, end };
    frames.push({ data: frame.data, objects: frame.objects, start: end });
    end = { file, length: length + frame.end, sum: toHex(frame.sum) };
  }
}

interface Parsed extends Frame<unknown> {
  end: number;
  sum: Uint8Array;
}

async function frameAt(
  codec: Codec,
  bytes: Uint8Array,
  at: number,
  before: Uint8Array,
  sequence: number,
): Promise<Parsed | null> {
  if (at + HEAD + 4 + SUM > bytes.length) return null;
  const end = at + HEAD + uint32(bytes, at) + SUM;
  if (end > bytes.length || uint32(bytes, at + 4) !== sequence) return null;
  const sum = bytes.subarray(end - SUM, end);
  const own = await codec.sha1(before, bytes.subarray(at, end - SUM));
  if (own !== toHex(sum)) return null;
  return { ...parsePayload(bytes.subarray(at + HEAD, end - SUM)), end, sum };
}

function parsePayload(payload: Uint8Array): Frame<unknown> {
  const start = 4 + uint32(payload, 0);
  const json = new TextDecoder().decode(payload.subarray(4, start));
  const { data, objects: list } = Object(parseJson(json)) as { data: unknown; objects: unknown };
  if (!isObjectList(list, payload.length - start)) throw notOurs();
  let at = start;
  const objects = list.map(([oid, length]) => {
    return { oid, deflated: payload.subarray(at, (at += length)) };
  });
  return { data, objects };
}

/** True for a list of ids and lengths of `bytes` bytes together. */
function isObjectList(list: unknown, bytes: number): list is [oid: string, length: number][] {
  if (!Array.isArray(list)) return false;
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && typeof pair[0] === 'string' && isOid(pair[0]) && isCount(pair[1]);
  return list.every(isPair) && list.reduce((sum, [, length]) => sum + length, 0) === bytes;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isHeader(data: unknown, number: number): data is JournalHeader {
  if (typeof data !== 'object' || data === null) return false;
  const { boot, salt, token, seal } = data as Partial<Record<keyof JournalHeader, unknown>>;
  const isText = (value: unknown): boolean => typeof value === 'string';
  return (boot === null || isText(boot)) && isText(salt) && isText(token) && isSeal(seal, number);
}

/** True for `null`, and for the seal of a file before this one. */
function isSeal(seal: unknown, number: number): boolean {
  if (typeof seal !== 'object' || seal === null) return seal === null;
  const { file, length, sum } = seal as Partial<Record<keyof Seal, unknown>>;
  return isCount(file) && file < number && isCount(length) && typeof sum === 'string';
}

/** Creates the error for a frame that the disk or somebody changed: a crash leaves half a frame at the end alone. `number`: the file's, or `*`. */
export function damaged(number: number | '*'): EditError {
  const file = `vedit/journal.${number}`;
  const message = `${file} in the common git folder (git rev-parse --git-common-dir) is damaged, so nothing was done. End all vedit processes, move that file out of the repository, then run git fsck and vedit verify. Without a power cut, refs and objects are in their own places already.`;
  return new EditError('CORRUPT', message, { what: file });
}

/** Creates the error for a frame with the right sum that no version of ours writes. */
function notOurs(): EditError {
  return corrupt('the journal', 'says what no version of vedit writes, so nothing was done by it');
}

/** True when a whole frame follows one that is not: no crash tore it, since nothing is appended after such a one. */
async function isWholeAfter(codec: Codec, bytes: Uint8Array, at: number, sequence: number): Promise<boolean> {
  if (at + HEAD > bytes.length) return false;
  const end = at + HEAD + uint32(bytes, at) + SUM;
  if (end > bytes.length) return false;
  return (await frameAt(codec, bytes, end, bytes.subarray(end - SUM, end), sequence + 1)) !== null;
}

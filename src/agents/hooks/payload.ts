/** The bytes that an agent writes to its hook, as a JSON object. Pure. */

import { fromUtf8 } from '../../bytes.ts';
import { objectIn, objectOf } from '../../json.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** Accepts a byte order mark, UTF-16LE and raw control characters in strings. Throws an Error that says what is wrong. */
export function parsePayload(bytes: Uint8Array): Payload {
  const value = parsed(textOfBytes(bytes));
  const found = objectOf(value);
  if (!found) throw new Error('the hook is no JSON object');
  return found;
}

function textOfBytes(bytes: Uint8Array): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x7b && bytes[1] === 0);
  const text = isWide ? new TextDecoder('utf-16le').decode(bytes) : fromUtf8(bytes);
  if (text === null) throw new Error('NOT_UTF8: the hook is no text');
  return text.replace(/^\ufeff/, '');
}

/** Control characters that stand in a text, of an event in one line, are escaped as JSON wants them. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const plain = text.trim().replace(/[\0-\x1f]/g, one => JSON.stringify(one).slice(1, -1));
    return JSON.parse(plain);
  }
}

/** Returns the first of these fields that is a text, and not empty. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  const from = objectOf(value);
  for (const name of names) {
    const found = from?.[name];
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

/** Returns the first of these fields that there is, whatever it is. */
export function anyOf(value: unknown, ...names: readonly string[]): unknown {
  const from = objectOf(value);
  for (const name of names) if (from?.[name] !== undefined) return from[name];
  return undefined;
}

/** Returns a field that holds JSON as an object; any other as it is. */
export function unpacked(value: unknown): unknown {
  return (typeof value === 'string' ? objectIn(value) : undefined) ?? value;
}

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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = withoutControls(text);
    if (plain === null) throw error;
    return JSON.parse(plain);
  }
}

/** Escapes control characters in strings as JSON wants them; `null` where there are none. */
function withoutControls(text: string): string | null {
  const pieces: string[] = [];
  let isString = false;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    else if (code === 0x22) isString = !isString;
    else if (isString && code < 0x20) {
      pieces.push(text.slice(from, i), `\\u${code.toString(16).padStart(4, '0')}`);
      from = i + 1;
    }
  }
  return pieces.length === 0 ? null : pieces.join('') + text.slice(from);
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

/** The refusals of bytes that are no text, and of a text that an encoding lacks characters for: each says what can be done. */

import { EditError } from '../errors.ts';
import { pathName } from '../wording.ts';
import type { Encoding } from './encodings.ts';

const HOW_TO_DECLARE =
  'working-tree-encoding=<name> in .gitattributes (git then records UTF-8), or charset = <name> in .editorconfig, or ' +
  'the option encodings of openWorkspace (then it records the bytes as they are)';

export function binaryFile(path: string, bytes: Uint8Array): EditError {
  const offset = bytes.indexOf(0);
  const message = `${pathName(path)} is a binary file (a NUL byte at offset ${offset}) and cannot be edited as text. Another tool has to change it. If it is UTF-16 text, declare that: working-tree-encoding=UTF-16LE in .gitattributes.`;
  return new EditError('BINARY_FILE', message, { path, offset });
}

/** The refusal of bytes that mean nothing in the encoding that was declared for them. */
export function notEncoded(path: string, bytes: Uint8Array, encoding: Encoding): EditError {
  const { name } = encoding;
  const message =
    `${pathName(path)} is declared to be ${name}, and its bytes are not: decoded and encoded again they would be others. ` +
    'Nothing was changed. Declare the encoding that it has, where this one is declared, or mend the file with another tool.';
  return new EditError('ENCODING', message, { path, encoding: name, ...placeOfFault(bytes, encoding) });
}

/** The first byte after which the bytes are not those of a text; `{}` where their number is at fault. */
function placeOfFault(bytes: Uint8Array, encoding: Encoding): { offset?: number } {
  try {
    const back = encoding.encode(encoding.decode(bytes));
    const offset = bytes.findIndex((byte, at) => byte !== back[at]);
    return offset < 0 ? {} : { offset };
  } catch {
    return {};
  }
}

/** The refusal of a text with a character that the encoding of the file lacks, or with a beginning like another mark. */
export function lacksCharacter(path: string, text: string, encoding: Encoding): EditError {
  let [at, line] = [0, 1];
  for (const character of text) {
    if (encoding.decode(encoding.encode(character)) !== character) break;
    if (character === '\n') line++;
    at += character.length;
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  const { name } = encoding;
  const message =
    `${pathName(path)} is in ${name}, which has no ${JSON.stringify(character)} (${code}, line ${line} of the new text). ` +
    'Nothing was changed. Write it with other characters, or convert the file to UTF-8 first and change what declares its encoding.';
  return new EditError('ENCODING', message, { path, encoding: name, offset: at, line, character });
}

export function notUtf8(path: string, bytes: Uint8Array): EditError {
  const offset = invalidUtf8At(bytes);
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  const byte = `0x${(bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  const message =
    `${pathName(path)} is not valid UTF-8: byte ${byte} at offset ${offset} (line ${line}). Editing it as text would damage ` +
    `it. Declare its encoding, then edit it: ${HOW_TO_DECLARE}.`;
  return new EditError('NOT_UTF8', message, { path, offset, line, byte });
}

/** The offset of the first byte that begins no valid UTF-8 sequence, or the length. Unicode 15, table 3-7. */
function invalidUtf8At(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  return length;
}

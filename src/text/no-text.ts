/** The refusals of bytes that are no text, and of a text that an encoding lacks characters for: each says what can be done. */

import { countByte } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { firstNotBefore } from '../sorted.ts';
import { pathName } from '../wording.ts';
import { type Encoding, UTF8 } from './encodings.ts';

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
  const line = 1 + countByte(bytes, 10, offset);
  const byte = `0x${(bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  const message =
    `${pathName(path)} is not valid UTF-8: byte ${byte} at offset ${offset} (line ${line}). Editing it as text would damage ` +
    `it. Declare its encoding, then edit it: ${HOW_TO_DECLARE}.`;
  return new EditError('NOT_UTF8', message, { path, offset, line, byte });
}

/** The offset of the first byte that begins no valid UTF-8 sequence, or the length. */
function invalidUtf8At(bytes: Uint8Array): number {
  const textBefore = (end: number): string | null => {
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      // As a stream: its last sequence may go on.
      return decoder.decode(bytes.subarray(0, end), { stream: true });
    } catch {
      return null;
    }
  };
  const end = firstNotBefore(0, bytes.length, at => textBefore(at + 1) !== null);
  return UTF8.encode(textBefore(end)!).length;
}

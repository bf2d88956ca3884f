/** Git's attribute `working-tree-encoding` (gitattributes(5)): the file has that encoding, and git records UTF-8. Pure. */

import { EditError } from '../../errors.ts';
import type { AttributeValues } from '../../git/rules/attributes.ts';
import { encodeText } from '../../text/document.ts';
import {
  type Declared,
  encodingNamed,
  hasMark,
  textIn,
  UTF8,
  UTF16BE,
  UTF16LE,
} from '../../text/encodings.ts';
import { pathName } from '../../wording.ts';

export const ENCODING = 'working-tree-encoding';

export interface GitEncoding {
  /** The attribute's value. */
  label: string;
  /** The declared encoding; `null` for one that the engine does not know. */
  declared: Declared | null;
}

/** The encoding by which git records a file with these attributes; `null` where it records the bytes. */
export async function gitEncoding(attributes: AttributeValues): Promise<GitEncoding | null> {
  const value = attributes[ENCODING];
  if (value === undefined || value === '') return null;
  const declared = typeof value === 'string' ? await encodingNamed(value, true) : null;
  return declared?.encoding === UTF8 ? null : { label: String(value), declared };
}

/** The UTF-8 that git records of the bytes of a file; `null` where it cannot, since they are not of that encoding. */
export function fromEncoded(gits: GitEncoding | null, bytes: Uint8Array): Uint8Array | null {
  if (!gits?.declared) return bytes;
  const { encoding, mark } = gits.declared;
  const marked = encoding.mark && [UTF16LE, UTF16BE].find(one => hasMark(bytes, one));
  // Git wants a mark where the name leaves the order of bytes open, or ends with BOM, and else none.
  if ((marked !== undefined) !== mark) return null;
  const text = textIn(bytes, marked ?? encoding);
  return text === null ? null : encodeText(marked ? text.slice(1) : text, false);
}

/**
 * The bytes of a file of which git records this UTF-8, with the order of bytes of `like`, the file that is there. Throws
 * ENCODING where the encoding lacks a character.
 */
export function toEncoded(
  gits: GitEncoding | null,
  { path, plain, like }: { path: string; plain: Uint8Array; like: Uint8Array | null | undefined },
): Uint8Array {
  const text = gits?.declared ? textIn(plain, UTF8) : null;
  if (!gits?.declared || text === null) return plain;
  const { encoding, mark } = gits.declared;
  const isBig = like && /^utf-?16$/i.test(gits.label) && hasMark(like, UTF16BE);
  return encodeText(text, mark, isBig ? UTF16BE : encoding, path);
}

/** Refuses a file that git would not record, since its bytes are not in the encoding of the attribute. */
export function notGits(path: string, label: string): EditError {
  const message =
    `.gitattributes gives ${pathName(path)} the attribute ${ENCODING}=${label}, and its bytes are not that, so git would ` +
    'not record it. Nothing was changed. Declare the encoding that it has, or mend the file with another tool.';
  return new EditError('ENCODING', message, { path, encoding: label });
}

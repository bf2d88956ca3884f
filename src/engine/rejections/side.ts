/** One side of a comparison: a file as git records it, with its text. Pure. */

import type { StoredFile } from '../../stores/store.ts';
import { encodeText, encodingOf, readableText } from '../../text/document.ts';

export interface Side {
  file: StoredFile | null;
  /** With its byte order mark; '' where there is no file, `null` for a file that is no text. */
  text: string | null;
}

export function side(file: StoredFile | null): Side {
  return { file, text: readableText('', file)?.marked ?? null };
}

/** True where two sides are the same. Of texts the text tells, so that one that is in no object yet can be compared. */
export function same(a: Side, b: Side): boolean {
  if (!a.file || !b.file) return a.file === b.file;
  if (a.file.mode !== b.file.mode) return false;
  return a.text === null || b.text === null ? a.file.version === b.file.version : a.text === b.text;
}

/** Returns the file with another text; its version is known when it is written. */
export function withText({ file, text: old }: Side, text: string): Side {
  if (text === old) return { file, text };
  const bytes = encodeText(text, false, file ? encodingOf(file.bytes) : undefined);
  return { file: { bytes, mode: file?.mode ?? '100644', version: '' }, text };
}

/** Bytes to text and back, strictly: UTF-8, a byte order mark that is kept and never shown, no binary files. */

import { EditError } from '../errors.ts';

/** A file as an edit sees it. `text` has no byte order mark; its line ends are the file's own. */
export interface TextFile {
  readonly path: string;
  /** The git blob id of the exact bytes, 40 hex digits, or '' for a text that is not written yet. */
  readonly version: string;
  readonly bytes: Uint8Array;
  /** Decoded when first asked for. Throws EditError BINARY_FILE or NOT_UTF8. */
  readonly text: string;
  /** True when the bytes begin with a byte order mark. */
  readonly bom: boolean;
}

/** NUL within this many bytes from the start makes a file binary: git's own rule (buffer_is_binary). */
export const BINARY_PROBE_BYTES = 8000;

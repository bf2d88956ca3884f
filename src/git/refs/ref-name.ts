/** Checks which names a ref may have: the rules of git-check-ref-format(1). */

import { utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';

/** A component longer than this leaves no room for `.lock` in the 255 bytes that file systems allow. */
const MAX_COMPONENT_BYTES = 250;

/** Control characters, space, what revisions and globs give a meaning to, and parts that are hidden files or locks. */
const FORBIDDEN =
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)|\p{Surrogate}/u;

/** True when git allows the full name: `refs/...`, or one word in capitals such as `HEAD`. */
export function checkRefName(name: string): boolean {
  if (!name.startsWith('refs/')) return /^[A-Z_]+$/.test(name);
  if (FORBIDDEN.test(name)) return false;
  for (const part of name.split('/')) if (utf8(part).length > MAX_COMPONENT_BYTES) return false;
  return true;
}

/** Throws INVALID_INPUT unless git allows the full name. */
export function requireRefName(name: string): void {
  if (checkRefName(name)) return;
  const rule =
    'refs/<folder>/<name> without spaces, "..", "@{" and ~^:?*[\\, no part beginning with "." or ending in ".lock"';
  throw new EditError('INVALID_INPUT', `${JSON.stringify(name)} is no name for a ref; use ${rule}`, { name });
}

/** Git's C-style quoting of names: `"caf\303\251\t"`, in attributes files, alternates and patches (quote.c). */

import { fromLatin1, fromUtf8, latin1, utf8 } from './bytes.ts';

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
};

const QUOTED = /^"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7][0-7]))*)"/;

/** The text that a quoted string at the start of `text` stands for, or `null` when there is none. */
export function unquote(text: string): string | null {
  return readQuoted(text)?.value ?? null;
}

/** As `unquote`, with the number of characters that the quoted form takes. */
export function readQuoted(text: string): { value: string; length: number } | null {
  const match = QUOTED.exec(text);
  if (match === null) return null;
  const bytes = latin1(utf8(match[1] ?? '')).replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    return ESCAPES[code] ?? String.fromCharCode(Number.parseInt(code, 8));
  });
  const value = fromUtf8(fromLatin1(bytes));
  return value === null ? null : { value, length: match[0].length };
}

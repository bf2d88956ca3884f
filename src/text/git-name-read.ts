/** Reads names that git printed in a patch: the way back from gitName (quote.c, unquote_c_style). */

const MEANINGS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

const QUOTED = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7][0-7]))*)"/;

/**
 * The name that a quoted one at the beginning of `text` stands for, and how many units its quoted form has; `null`
 * when the text does not begin with one, or what it stands for is not UTF-8.
 */
export function readGitName(text: string): { name: string; length: number } | null {
  const quoted = QUOTED.exec(text);
  if (quoted === null) return null;
  const bytes: number[] = [];
  for (const [piece, code] of quoted[1]!.matchAll(/\\([0-7]{3}|.)|[^\\]+/gs)) {
    if (code === undefined) for (const byte of new TextEncoder().encode(piece)) bytes.push(byte);
    else bytes.push(MEANINGS[code] ?? Number.parseInt(code, 8));
  }
  try {
    const name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    return { name, length: quoted[0].length };
  } catch {
    return null;
  }
}

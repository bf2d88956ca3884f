/**
 * Compares lines without what a formatter changes: blanks, quotes, trailing commas and semicolons, and line breaks. What stands
 * between quotes stays as it is, and two words are never one.
 */

/** Returns what a formatter leaves of a line, or of lines. */
export function bare(text: string): string {
  return text
    .replace(/;$/gm, '')
    .replace(PARTS, (part, quote: string | undefined, inside: string, at: number, all: string) => {
      if (quote !== undefined) return `"${inside}"`;
      return isWord(all[at - 1]) && isWord(all[at + part.length]) ? ' ' : '';
    })
    .replace(/["'`]/g, '"');
}

/** A text in quotes, or blanks. */
const PARTS = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1|\s+/g;

const isWord = (character: string | undefined): boolean => /[\p{L}\p{N}_]/u.test(character ?? '');

/** Returns what it leaves of a run: a comma before a closing bracket or at the end says nothing either. */
export function bareRun(lines: readonly string[]): string {
  return bare(lines.join('\n')).replace(/,(?=[)\]}]|$)/g, '');
}

/** True for lines that a formatter may have made of others. */
export function isOnlyFormatted(before: readonly string[], after: readonly string[]): boolean {
  return bareRun(before) === bareRun(after);
}

/** True for a line with a letter or a digit: a bracket or a blank says nothing of where it came from. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

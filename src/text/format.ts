/** Compares lines without what a formatter changes: blanks, quotes, trailing commas and semicolons, and line breaks. */

/** Returns what a formatter leaves of a line. */
export function bare(line: string): string {
  return line.replace(/\s+/g, '').replace(/["'`]/g, '"').replace(/;$/, '');
}

/** Returns what it leaves of a run: a comma before a closing bracket or at the end says nothing either. */
export function bareRun(lines: readonly string[]): string {
  return lines
    .map(bare)
    .join('')
    .replace(/,(?=[)\]}]|$)/g, '');
}

/** True for lines that a formatter may have made of others. */
export function isOnlyFormatted(before: readonly string[], after: readonly string[]): boolean {
  return bareRun(before) === bareRun(after);
}

/** True for a line with a letter or a digit: a bracket or a blank says nothing of where it came from. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

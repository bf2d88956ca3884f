/** What the completion scripts are made of. */

/** A command as the scripts need it. */
export interface Completable {
  name: string;
  summary: string;
  options: Flag[];
  /** Words that its first argument can be. */
  words: readonly string[];
}

export interface Flag {
  /** `-n`, or '' */
  short: string;
  /** `--dry-run`, or '' */
  long: string;
  takesValue: boolean;
  description: string;
}

/** In single quotes for any of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

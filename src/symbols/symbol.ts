/** A symbol: a part of a file that has a name, such as a function, a heading or a key. */

export interface FileSymbol {
  /** The names of what it stands in, the outermost first, and its own. */
  path: readonly string[];
  /** `function`, `class`, `heading`, `key`: as the grammar names it, without its ending. */
  kind: string;
  /** Where it begins, without the doc comment, decorators and attributes before it, and where it ends. UTF-16 offsets. */
  start: number;
  end: number;
  /** Where it begins with those. */
  docStart: number;
  /** True where the text in it, or right behind it, cannot be parsed: where it ends is not sure. */
  isBroken?: boolean;
}

/** The full name of a symbol, as people write it. */
export function symbolName({ path }: FileSymbol): string {
  return path.join('.');
}

/** The end of a text's part without the blanks and line ends at its end. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1]!)) at--;
  return at;
}

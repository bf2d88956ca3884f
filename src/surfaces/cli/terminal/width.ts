/**
 * The columns that a text takes on a terminal, counted as git counts them (utf8.c): two for East Asian wide characters and
 * emoji, none for combining marks.
 */

/** Combining marks, format characters, and the vowels and finals of Hangul that join the syllable before them. */
const NONE = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;

/** East Asian Width W and F (Unicode, EastAsianWidth.txt), where `Emoji_Presentation` does not say so already. */
const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** The columns of one character, which is not a control character. */
function widthOf(character: string): number {
  if (character < '\u0300') return character === '\u00ad' ? 0 : 1;
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export function columnsOf(text: string): number {
  if (!/[^\u0020-\u007e]/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** The text with blanks after it, so that it takes at least so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** The longest start of the text that takes at most so many columns. */
export function startOf(text: string, columns: number): string {
  return taken([...text], columns).join('');
}

/** The text, cut to that many columns; what is cut ends with `..`. */
export function cut(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${startOf(text, columns - 2)}..`;
}

/** The longest end of the text that takes at most so many columns. */
export function endOf(text: string, columns: number): string {
  return taken([...text].reverse(), columns)
    .reverse()
    .join('');
}

function taken(characters: readonly string[], columns: number): string[] {
  let left = columns;
  const end = characters.findIndex(one => {
    left -= widthOf(one);
    return left < 0;
  });
  return characters.slice(0, end < 0 ? undefined : end);
}

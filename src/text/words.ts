/** Small pieces of the sentences in which refusals are written. */

/** The number with its noun: `no lines`, `1 line`, `12 lines`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : `${count} ${count === 1 ? noun : plural}`;
}

/** Words a range of lines: `line 3` or `lines 3-5`. */
export function lineWords(start: number, end: number): string {
  return start === end ? `line ${start}` : `lines ${start}-${end}`;
}

/** `a`, `a and b`, `a, b and c`; of more than `most`, `a, b, c and 3 more`. */
export function listed(all: readonly (string | number)[], most: number = all.length): string {
  const items = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all;
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** The first of them, and how many more there are: `a, b and 3 more`. */
export function listedSome(items: readonly string[], most = 20, separator = ', '): string {
  const more = items.length - most;
  return more > 0 ? `${items.slice(0, most).join(separator)} and ${more} more` : items.join(separator);
}

/** A text on one line between backticks, cut in the middle at about `limit` units so that both ends show; '' in words. */
export function quoted(text: string, limit = 120): string {
  if (text === '') return 'an empty line';
  const flat = text.replaceAll('\r\n', '\n').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  if (flat.length <= limit) return `\`${flat}\``;
  const half = limit >> 1;
  return `\`${wellFormed(flat.slice(0, half))}…${wellFormed(flat.slice(-half))}\``;
}

const LONGEST = 120;
const BEFORE = 40;

/** A text on one line between backticks, or the part of a long one around the first unit that differs from the other. */
export function quotedAround(text: string, other: string): string {
  if (text.length <= LONGEST) return quoted(text, LONGEST);
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const from = Math.max(0, same - BEFORE);
  const part = wellFormed(text.slice(from, from + LONGEST));
  return `\`${from > 0 ? '…' : ''}${part}${from + LONGEST < text.length ? '…' : ''}\``;
}

/** The text without a half surrogate pair that a cut left at either end. */
export function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** The beginning of a longer line, with a notice of how many units of it are missing. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${wellFormed(line.slice(0, limit))}… [${line.length - limit} more characters]`;
}

/** A text between Markdown fences longer than any fence in it. */
export function fenced(text: string): string {
  let longest = 2;
  for (const [marks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, marks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

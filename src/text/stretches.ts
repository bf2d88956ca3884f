/** A text in stretches of whole lines: what is done to each line of millions is done to some of them at once. */

/**
 * Stretches of about `size` characters that end with a line feed, but for an unended last line; a longer line is a
 * stretch of its own. Together they are the text.
 */
export function* stretches(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const within = text.lastIndexOf('\n', at + size - 1) + 1;
    const end = within > at ? within : text.indexOf('\n', at) + 1 || text.length;
    yield text.slice(at, end);
    at = end;
  }
}

/** Docstrings that only those can read who see the code beside them, by their first word. */

import { parseSync } from 'rolldown/utils';

/** A docstring says what the code does, with a verb, or names what it holds. */
const FIRST = /^(What|Which|Who|Whose|How|Of|So many|So much|The same)\b/;

/** `path:line first words` of every docstring in the file that begins with such a word. */
export function unreadable(path: string, text: string): string[] {
  const { comments } = parseSync(path, text);
  return comments.flatMap(({ type, value, start }) => {
    if (type !== 'Block' || !value.startsWith('*')) return [];
    const words = value
      .replace(/^\s*\*+ ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (!FIRST.test(words)) return [];
    const line = text.slice(0, start).split('\n').length;
    return [`${path}:${line} ${words.slice(0, 60)}`];
  });
}

/** Lines of new text that read like a stand-in for text that the writer left out: `// ... existing code ...`. */

import { listedSome, quoted } from '../text/words.ts';
import type { FileChange, Files } from './edit.ts';

const ELLIPSIS = /\.{3}|\u2026/;
/** Matches the beginning of a comment in the languages that models write. */
const COMMENT = /^(\/\/|#|--|\/\*|<!--|\*|;|%|\(|\{\/\*)\s*/;
/** Words of which every line that stands for others has one. */
const LEFT = String.raw`\b(?:existing|unchanged|remaining|remains?|rest of|same as|previous|omitted|other)\b`;
const WORDS = new RegExp(LEFT, 'i');
const LEFT_OUT = new RegExp(
  String.raw`${LEFT}.*?\b(?:code|methods?|functions?|implementation|file|class|contents?|lines|imports?|logic|tests|before|above|unchanged|same)\b|\bunchanged\b`,
  'i',
);
const SAYS_SO = /\b(unchanged|as before|the same)\b/i;
/** A longer line is a sentence of the text itself. */
const LONGEST = 100;
const TOLD = 3;

/** True for a line that stands for others: an ellipsis, or a comment that says that they stay, in words for code. */
export function isPlaceholder(line: string): boolean {
  const text = line.trim();
  if (text.length > LONGEST || !LEFT_OUT.test(text)) return false;
  const isComment = COMMENT.test(text);
  const begins = ELLIPSIS.test(text.replace(COMMENT, '').slice(0, 3));
  return begins || (isComment && (ELLIPSIS.test(text) || SAYS_SO.test(text)));
}

/** A note for each file that would get such lines, which it did not have. */
export function placeholderNotes(changes: readonly FileChange[], files: Files): string[] {
  const notes: string[] = [];
  for (const change of changes) {
    const fresh = new Set<string>();
    const spans = change.kind === 'create' ? [change] : change.kind === 'delete' ? [] : change.spans;
    // Most texts have none of the words, and may have millions of lines.
    for (const { text } of spans.filter(one => WORDS.test(one.text)))
      for (const line of splitAtEnds(text).filter(isPlaceholder)) fresh.add(line.trim());
    if (fresh.size === 0) continue;
    const known = new Set(splitAtEnds(files.get(change.path)?.text ?? '').map(line => line.trim()));
    const found = [...fresh].filter(line => !known.has(line)).map(line => quoted(line));
    if (found.length === 0) continue;
    const where = change.kind === 'move' ? change.to : change.path;
    notes.push(
      `the new text of ${where} holds ${listedSome(found, TOLD)} as it stands, which reads like a stand-in for text that was left out`,
    );
  }
  return notes;
}

function splitAtEnds(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

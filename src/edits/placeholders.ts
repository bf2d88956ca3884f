/** Lines of new text that read like a stand-in for text that the writer left out: `// ... existing code ...`. */

import { linesOf } from '../text/lines.ts';
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
    for (const text of newTexts(change)) for (const line of placeholdersIn(text)) fresh.add(line.trim());
    if (fresh.size === 0) continue;
    const known = linesIn(files.get(change.path)?.text ?? '');
    const found = [...fresh].filter(line => !known.has(line)).map(line => quoted(line));
    if (found.length === 0) continue;
    const where = change.kind === 'move' ? change.to : change.path;
    notes.push(
      `the new text of ${where} holds ${listedSome(found, TOLD)} as it stands, which reads like a stand-in for text that was left out`,
    );
  }
  return notes;
}

function placeholdersIn(text: string): string[] {
  // Most texts have none of the words, and may have millions of lines.
  return WORDS.test(text) ? text.split(/\r\n|\n|\r/).filter(isPlaceholder) : [];
}

function newTexts(change: FileChange): string[] {
  if (change.kind === 'create') return [change.text];
  return change.kind === 'delete' ? [] : change.spans.map(({ text }) => text);
}

function linesIn(text: string): Set<string> {
  const lines = linesOf(text);
  return new Set(Array.from({ length: lines.count }, (_, i) => lines.content(i + 1).trim()));
}

/** A hunk of a review as people read it: where it is, who wrote it and why, and both texts. */

import { gitName } from '../../../c-quote.ts';
import { editorName } from '../../../engine/editor-name.ts';
import type { Comment } from '../../../engine/rejections/comments.ts';
import type { HunkText, ReviewEdit, ReviewHunk } from '../../../review/listing.ts';
import { placeWords } from '../../../review/place-words.ts';
import { type Piece, styled, styleOf } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { hunkText, type ShowDiff } from './shown-diff.ts';

/** The most edits told of one hunk, and the most lines shown of each of its texts in a list. */
const MOST = { edits: 5, lines: 200 };

/** A hunk of a list. `show`: as `diffShower` makes it. */
export function* hunkPieces(
  hunk: ReviewHunk,
  count: number,
  terminal: Terminal,
  show: ShowDiff,
): Generator<Piece> {
  const { before, after } = hunk;
  const start = ({ line, lines }: HunkText): HunkText => ({ line, lines: lines.slice(0, MOST.lines) });
  yield* headPieces(hunk, count, terminal);
  yield* show(hunkText({ ...hunk, before: start(before), after: start(after) }));
  const more = [before, after].reduce((sum, { lines }) => sum + Math.max(0, lines.length - MOST.lines), 0);
  if (more > 0) yield styled('dim', `[and ${more} more lines]\n`);
}

/** Where a hunk is, who wrote it and why. */
export function* headPieces(hunk: ReviewHunk, count: number | string, terminal: Terminal): Generator<Piece> {
  const { number, path, edits } = hunk;
  const name = (one: string): string => gitName(one, terminal.quotePath);
  yield styled('bold', `${number}/${count} ${name(path)} ${placeWords(hunk, name)}\n`);
  for (const edit of edits.slice(0, MOST.edits)) yield* editPieces(edit, terminal);
  if (edits.length > MOST.edits) yield styled('dim', `  and ${edits.length - MOST.edits} more edits\n`);
  if (hunk.accepted_by.length > 0) yield styled('dim', `  accepted by ${hunk.accepted_by.join(', ')}\n`);
  for (const one of hunk.comments) yield* commentPieces(one, terminal);
}

function* editPieces(edit: ReviewEdit, terminal: Pick<Terminal, 'when'>): Generator<Piece> {
  const { commit, subject, reason, session, time, person } = edit;
  yield '  ';
  yield styled('yellow', commit === null ? '-------' : commit.slice(0, 7));
  yield ' ';
  const name = editorName(edit);
  yield styled(styleOf(name), name);
  if (session !== null && session !== name && !person) yield ` (session ${session})`;
  if (time !== '') yield ` ${terminal.when(time)}`;
  yield `: ${(reason || subject).split('\n')[0]}\n`;
}

/** A comment, and the replies to it below: `Ada 2 minutes ago: why not a constant?`. */
export function* commentPieces(
  { replies, ...comment }: Comment,
  terminal: Pick<Terminal, 'when'>,
): Generator<Piece> {
  for (const { author, time, text, indent } of [
    { ...comment, indent: '  ' },
    ...replies.map(one => ({ ...one, indent: '    ' })),
  ]) {
    yield indent;
    yield styled(styleOf(author), author);
    yield ` ${terminal.when(time)}: ${text.replaceAll('\n', `\n${indent}  `)}\n`;
  }
}

/** A hunk of a review as people read it: where it is, who wrote it and why, and both texts. */

import { gitName } from '../../../c-quote.ts';
import { editorName } from '../../../engine/editor-name.ts';
import type { Comment } from '../../../engine/rejections/comments.ts';
import type { ReviewEdit, ReviewHunk } from '../../../review/listing.ts';
import { placeWords } from '../../../review/place-words.ts';

import { type Piece, styled } from '../terminal/style.ts';
import { ago } from './words.ts';

/** The most edits told of one hunk, and the most lines shown of each of its texts. */
const MOST = { edits: 5, lines: 200 };

/** `most`: the most lines shown of each of its texts. */
export function* hunkPieces(
  hunk: ReviewHunk,
  count: number,
  quotePath: boolean,
  most: number = MOST.lines,
): Generator<Piece> {
  const { number, path, edits, before, after, context } = hunk;
  yield styled(
    'bold',
    `${number}/${count} ${gitName(path, quotePath)} ${placeWords(hunk, one => gitName(one, quotePath))}\n`,
  );
  for (const edit of edits.slice(0, MOST.edits)) yield* editPieces(edit);
  if (edits.length > MOST.edits) yield styled('dim', `  and ${edits.length - MOST.edits} more edits\n`);
  if (hunk.accepted_by.length > 0) yield styled('dim', `  accepted by ${hunk.accepted_by.join(', ')}\n`);
  for (const one of hunk.comments) yield* commentPieces(one);
  for (const line of context.above) yield ` ${line}\n`;
  yield* textPieces('red', '-', before.lines, most);
  yield* textPieces('green', '+', after.lines, most);
  for (const line of context.below) yield ` ${line}\n`;
}

function* editPieces(edit: ReviewEdit): Generator<Piece> {
  const { commit, subject, reason, session, time, person } = edit;
  yield '  ';
  yield styled('yellow', commit === null ? '-------' : commit.slice(0, 7));
  yield ' ';
  const name = editorName(edit);
  yield styled('cyan', name);
  if (session !== null && session !== name && !person) yield ` (session ${session})`;
  if (time !== '') yield ` ${ago(new Date(time))}`;
  yield `: ${(reason || subject).split('\n')[0]}\n`;
}

/** A comment, and the replies to it below: `Ada 2 minutes ago: why not a constant?`. */
export function* commentPieces({ replies, ...comment }: Comment): Generator<Piece> {
  for (const { author, time, text, indent } of [
    { ...comment, indent: '  ' },
    ...replies.map(one => ({ ...one, indent: '    ' })),
  ]) {
    yield indent;
    yield styled('cyan', author);
    yield ` ${ago(new Date(time))}: ${text.replaceAll('\n', `\n${indent}  `)}\n`;
  }
}

function* textPieces(
  style: 'red' | 'green',
  mark: string,
  lines: readonly string[],
  most: number,
): Generator<Piece> {
  for (const line of lines.slice(0, most)) yield styled(style, `${mark}${line}\n`);
  if (lines.length > most) yield styled('dim', `[and ${lines.length - most} more lines]\n`);
}

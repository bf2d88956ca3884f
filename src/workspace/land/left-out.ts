/** Words what the answer says of rejected text that is back in the files, and does not land. */

import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { type Context, fromTrail } from '../context.ts';
import { quotedLines, reasonWords } from '../review/rejections/put-back.ts';
import type { LeftOut } from './land-files.ts';

/** Rejected text that is back in a file, and was left out of a landing. */
export interface LeftOutText {
  path: string;
  /** The first line, in the file, and the lines; none of lines that were taken out again. */
  line: number;
  lines: string[];
  /** The rejection, by its commit on the trail, who rejected it, and why ('' without a reason). */
  rejection: string;
  reviewer: string;
  reason: string;
  /** True where an agent put it back with a reason, so that `overridden` lands it. */
  overridden: boolean;
  /** Edits of which nothing landed because of it. */
  edits: string[];
}

export function leftOutTexts(context: Context, leftOut: readonly LeftOut[]): LeftOutText[] {
  return leftOut.map(({ path, line, lines, text, edits }) => {
    const { commit, reviewer, reason } = text.rejection;
    const { overridden } = text;
    return {
      path: nameOf(context, path),
      line,
      lines,
      rejection: commit,
      reviewer,
      reason,
      overridden,
      edits,
    };
  });
}

/** For the answer: what it is, and what would make it land. */
export function leftOutNotes(texts: readonly LeftOutText[]): string[] {
  return texts.map(({ path, line, lines, reviewer, reason, overridden }) => {
    const what = lines.length > 0 ? quotedLines(lines) : 'lines that were taken out again';
    const how = overridden ? 'an agent put it back, with a reason' : 'it came back';
    const next = overridden
      ? 'accept it in the review, or land it with overridden: true (--with-overridden)'
      : 'accept it in the review';
    return `Left out of ${gitName(path)}, line ${line}: ${what}. ${reviewer} rejected that${reasonWords(reason)}, and ${how}. To land it, ${next}.`;
  });
}

/** The refusal of a landing that all of it is left out of. */
export function nothingButRejected(context: Context, leftOut: readonly LeftOut[]): EditError {
  const texts = leftOutTexts(context, leftOut);
  const message = ['Nothing is left to land.', ...leftOutNotes(texts)].join(' ');
  return new EditError('NO_CHANGE', message, { discarded: [...new Set(texts.map(({ path }) => path))] });
}

function nameOf(context: Context, path: string): string {
  return fromTrail(context, path) ?? path;
}

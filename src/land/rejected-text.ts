/** Rejected text that stands in a file again: it does not land. */

import type { Context } from '../engine/context.ts';
import { standingRejections, textsBack } from '../engine/rejections/rejected-text.ts';
import type { Rejection } from '../engine/rejections/rejection-book.ts';
import type { LineFile, LineFiles } from '../line/files.ts';
import { presentLines } from '../line/rejected.ts';
import type { Row } from '../line/row.ts';

export interface RejectedText {
  rejection: Rejection;
  /** The rows that the file has, or lacks, against the rejection. */
  rows: ReadonlySet<Row>;
  /** The first line of it in the file, 1-based, and the lines; none of lines that were taken out again. */
  line: number;
  lines: string[];
}

/** Finds the rejected text that is back, and nobody who may do so said that it may be there. */
export async function rejectedTexts(
  context: Context,
  read: LineFiles,
  file: LineFile,
): Promise<RejectedText[]> {
  const text = presentLines(file.weave);
  const back = textsBack(await standingRejections(context, read, file), text);
  return back.map(({ rejection, rows, span: { start, end }, place }) => {
    const lines = place.took.length > 0 ? text.lines.slice(start, end) : [];
    return { rejection, rows: new Set(rows), line: start + 1, lines };
  });
}

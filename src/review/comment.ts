/** Comments: what a reviewer says of a hunk, or of any lines, to whoever wrote them. It accepts nothing and rejects nothing. */

import type { Answer } from '../engine/answer.ts';
import { type Context, toTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import { type Comment, commentedRows } from '../engine/rejections/comments.ts';
import { REVIEW_SESSION } from '../engine/rejections/people.ts';
import { checkSaid, publishRemark, type Remark } from '../engine/rejections/remark.ts';
import { EditError } from '../errors.ts';
import type { LineFiles } from '../line/files.ts';
import { isIn, type Row, textAfter, textOf } from '../line/row.ts';
import { TextLines } from '../line/text-lines.ts';
import { counted } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { checkReviewable, rowsRead } from './find-hunks.ts';
import { type FileNow, OpenFiles, type UnreviewedHunk } from './open-files.ts';
import type { CommentOptions } from './options.ts';
import { placeWords } from './place-words.ts';
import { openReview, type Review } from './review.ts';
import { agentsOf, differs } from './reviewed-file.ts';

export interface CommentData {
  /** By which an agent replies to it. */
  comment: string;
  path: string;
  /** The edits that it is about, whose sessions are told. */
  edits: string[];
}

/** The most edits that a comment is about. */
const MOST = 200;

/** Says something of lines. Throws INVALID_INPUT, FILE_NOT_FOUND, NO_CHANGE where no edit is of the file, STALE, LOCKED. */
export async function comment(
  context: Context,
  reviewer: Person,
  given: CommentOptions,
): Promise<Answer<CommentData>> {
  checkSaid(given.text);
  const by = { session: REVIEW_SESSION, agent: undefined, model: undefined, person: reviewer };
  let edits: readonly string[] = [];
  const plan = async (): Promise<Remark> => {
    const remark = await planComment(await openReview(context, reviewer), given);
    edits = remark.meta.comments ?? [];
    return remark;
  };
  const made = await publishRemark(context, by, plan, (id, trail) => context.rejections.add(id, trail));
  const told = edits.length > 0 ? 'The agent is told' : 'An agent that looks at the file is told';
  return {
    message: `${told} with its next answer.`,
    data: { comment: made, path: given.path, edits: [...edits] },
  };
}

async function planComment(
  review: Review,
  { path, text, asAgent, ...named }: CommentOptions,
): Promise<Remark> {
  const { snapshot, reviewer } = review;
  const recorded = toTrail(snapshot.context, await snapshot.resolve(path));
  const open = await OpenFiles.open(review, [recorded]);
  const file = open.fileNow(recorded);
  if (!file) {
    await checkReviewable(review, recorded);
    const words = `No edit is of ${pathName(path)}, so no agent would hear it. Nothing was done.`;
    throw new EditError('NO_CHANGE', words, { path });
  }
  // A file that is reviewed as a whole has no lines.
  const lines = named.lines && named.lines.start_line > 0 ? named.lines : undefined;
  const rows = await rowsMeant(review, file, { ...named, lines });
  const [base, at] = newestIn(open.line, file);
  const then = lines && new TextLines(file.line.weave.rows(), row => textAfter(row, at)).linesOf(rows);
  const about = rows.filter(row => isIn(row) || differs(row)).flatMap(agentsOf);
  const edits = [...new Set(about.flatMap(({ id }) => id || []))].slice(0, MOST);
  const place = lines ? ` ${placeWords({ kind: 'lines', lines })}` : '';
  return {
    subject: `comment on ${recorded}${place}`,
    text,
    meta: {
      ...{ op: 'comment', paths: [recorded], base, comments: edits },
      lines: then && `${then.start_line}-${then.end_line}`,
      agent: asAgent ? reviewer.name : undefined,
    },
  };
}

/** The rows of lines as they were read, of the file as it is, or of all of it. */
async function rowsMeant(
  review: Review,
  file: FileNow,
  { lines, at, version }: Omit<CommentOptions, 'path' | 'text'>,
): Promise<readonly Row[]> {
  const rows = file.line.weave.rows();
  if (!lines) return rows;
  const read = await rowsRead(review, file, { lines, at, version });
  if (read) return read.rows;
  const now = new TextLines(rows, textOf);
  if (lines.end_line <= now.lines.length) return now.rowsAt(lines);
  const words = `${pathName(file.name)} has ${counted(now.lines.length, 'line')}, so there is no line ${lines.end_line}. Nothing was done.`;
  throw new EditError('INVALID_INPUT', words, { field: 'lines', path: file.name });
}

/** The newest commit that changed a file, and its place. What else was read, such as where it was accepted, no agent's look has. */
function newestIn({ named }: LineFiles, { line }: FileNow): [commit: string | undefined, at: number] {
  const events = new Set(line.weave.rows().flatMap(({ log }) => log.map(({ event }) => event)));
  const last = [...named].findLast(([, event]) => events.has(event));
  return last ? [last[0], last[1].at] : [undefined, -1];
}

/** Finds what was said of each hunk of a file: a comment stands at the first one that has a row of it. */
export function commentsAt(
  line: LineFiles,
  { line: file }: FileNow,
  hunks: readonly UnreviewedHunk[],
  comments: readonly Comment[],
): Map<UnreviewedHunk, Comment[]> {
  const found = new Map<UnreviewedHunk, Comment[]>();
  for (const one of comments.filter(({ path }) => file.names.includes(path))) {
    const rows = new Set(commentedRows(line, file, one));
    const hunk = hunks.find(each => each.rows.some(row => rows.has(row)));
    if (hunk) found.set(hunk, [...(found.get(hunk) ?? []), one]);
  }
  return found;
}

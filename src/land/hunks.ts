/** The places of a landing, one by one, so that somebody can choose among them (`land -p`), and what was accepted of a file. */

import { utf8 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import type { ChosenPart } from '../line/landing.ts';
import { lastText, type Row } from '../line/row.ts';
import type { HunkText } from '../review/listing.ts';
import { OpenFiles } from '../review/open-files.ts';
import { openReview } from '../review/review.ts';
import type { Token } from '../text/diff/alignment.ts';
import { isLine, rowsOf } from '../trail/history/file-rows.ts';

export interface LandHunk {
  /** Names it, for as long as the branch and its text stay. */
  id: string;
  path: string;
  /** The change of the file itself, as `new file`; '' where only lines change. */
  about: string;
  /** The text that the branch has there, and the text that it would have. */
  before: HunkText;
  after: HunkText;
  /** Up to 3 common lines on each side. */
  context: { above: string[]; below: string[] };
}

const CONTEXT = 3;

/** The text of a row; `null`: it has none. */
type TextOf = (row: Row) => Token | null;

/**
 * Returns a place as it is shown; `null` where the branch has it so. `rows`: all of the file, in order; `head` and
 * `result`: the texts that they have on the branch, and would have.
 */
export async function hunkOf(
  codec: Codec,
  path: string,
  { rows, head, result }: { rows: readonly Row[]; head: TextOf; result: TextOf },
  own: Pick<ChosenPart, 'rows' | 'texts'>,
): Promise<LandHunk | null> {
  const changed = new Set(own.rows.filter(row => head(row) !== own.texts.get(row)));
  if (changed.size === 0) return null;
  const lines = rows.filter(isOfLine);
  const at = lines.findIndex(row => changed.has(row));
  const end = lines.findLastIndex(row => changed.has(row)) + 1;
  const side = (text: TextOf): HunkText => ({
    line: textsOf(lines.slice(0, Math.max(0, at)), text).length + 1,
    lines: textsOf([...changed].filter(isOfLine), text),
  });
  const common = (from: number, to: number): string[] =>
    at < 0
      ? []
      : textsOf(
          lines.slice(from, to).filter(row => !changed.has(row)),
          result,
        );
  const context = {
    above: common(0, at).slice(-CONTEXT),
    below: common(end, lines.length).slice(0, CONTEXT),
  };
  const marks = [...changed].filter(row => !isOfLine(row));
  const [about, before, after] = [aboutOf(marks, head), side(head), side(result)];
  const name = utf8(JSON.stringify([path, about, before, after.lines]));
  return { id: (await codec.sha1(name)).slice(0, 12), path, about, before, after, context };
}

const isOfLine = (row: Row): boolean => isLine(lastText(row));

function textsOf(rows: readonly Row[], text: TextOf): string[] {
  return rows.flatMap(row => text(row) ?? []);
}

/** Tells what becomes of a file's name, mode and bytes. */
function aboutOf(marks: readonly Row[], head: TextOf): string {
  const told = (mark: string, isOld: boolean): string | undefined =>
    marks
      .filter(row => (head(row) !== null) === isOld)
      .map(lastText)
      .find(text => text.startsWith(`\0${mark} `))
      ?.slice(mark.length + 2);
  const [to, from] = [told('name', false), told('name', true)];
  const [mode, bytes] = [told('mode', false), told('blob', false)];
  if (to !== undefined)
    return from === undefined ? `new file${mode === '100755' ? ', executable' : ''}` : `renamed from ${from}`;
  if (from !== undefined) return 'deleted file';
  if (mode !== undefined) return `mode ${mode}`;
  return bytes === undefined ? '' : 'binary';
}

/** Returns the accepted text of each file of which something is not accepted, as rows, by its path in the trail. */
export async function acceptedRows(context: Context): Promise<Map<string, Token[]>> {
  const files = await (await OpenFiles.open(await openReview(context, undefined))).unreviewed();
  return new Map(
    files
      .filter(({ hunks }) => hunks.length > 0)
      .map(({ path, accepted: { file } }) => [
        path,
        file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [],
      ]),
  );
}

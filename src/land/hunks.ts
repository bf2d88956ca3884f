/** The places of a landing, one by one, so that somebody can choose among them (`land -p`), and what was accepted of a file. */

import { utf8 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import { openReview } from '../review/accepted/accepted-text.ts';
import { unreviewedFiles } from '../review/unreviewed-files.ts';
import type { HunkText } from '../review/listing.ts';
import type { Token } from '../text/diff/alignment.ts';
import type { Chosen } from '../trail/history/components.ts';
import { rowsOf } from '../trail/history/file-rows.ts';
import { isMark } from '../trail/history/status.ts';
import type { WovenRow } from '../trail/history/weave.ts';

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

/** Returns a place as it is shown; `null` where the branch has it so. `rows`: all of the file, in order; `head` and `result`: those that the branch has, and would have. */
export async function hunkOf(
  codec: Codec,
  path: string,
  {
    rows,
    head,
    result,
  }: { rows: readonly WovenRow[]; head: ReadonlySet<WovenRow>; result: ReadonlySet<WovenRow> },
  own: Pick<Chosen, 'rows' | 'held'>,
): Promise<LandHunk | null> {
  const changed = new Set(own.rows.filter(row => head.has(row) !== own.held.has(row)));
  if (changed.size === 0) return null;
  const lines = rows.filter(row => !isMark(row));
  const at = lines.findIndex(row => changed.has(row));
  const end = lines.findLastIndex(row => changed.has(row)) + 1;
  const side = (text: ReadonlySet<WovenRow>, held: ReadonlySet<WovenRow> = text): HunkText => ({
    line: lines.slice(0, Math.max(0, at)).filter(row => text.has(row)).length + 1,
    lines: textOf(lines.filter(row => changed.has(row) && held.has(row))),
  });
  const isCommon = (row: WovenRow): boolean => result.has(row) && !changed.has(row);
  const [above, below] =
    at < 0 ? [[], []] : [lines.slice(0, at).filter(isCommon), lines.slice(end).filter(isCommon)];
  const hunk = {
    path,
    about: aboutOf([...changed].filter(isMark), head),
    before: side(head),
    after: side(result, own.held),
    context: { above: textOf(above.slice(-CONTEXT)), below: textOf(below.slice(0, CONTEXT)) },
  };
  const { before, after, about } = hunk;
  return {
    id: (await codec.sha1(utf8(JSON.stringify([path, about, before, after.lines])))).slice(0, 12),
    ...hunk,
  };
}

function textOf(rows: readonly WovenRow[]): string[] {
  return rows.map(({ token }) => token);
}

/** Tells what becomes of a file's name, mode and bytes. */
function aboutOf(marks: readonly WovenRow[], head: ReadonlySet<WovenRow>): string {
  const told = (mark: string, isOld: boolean): string | undefined =>
    marks
      .find(row => row.token.startsWith(`\0${mark} `) && head.has(row) === isOld)
      ?.token.slice(mark.length + 2);
  const [to, from, mode, bytes] = [
    told('name', false),
    told('name', true),
    told('mode', false),
    told('blob', false),
  ];
  if (to !== undefined)
    return from === undefined ? `new file${mode === '100755' ? ', executable' : ''}` : `renamed from ${from}`;
  if (from !== undefined) return 'deleted file';
  if (mode !== undefined) return `mode ${mode}`;
  return bytes === undefined ? '' : 'binary';
}

/** Returns the accepted text of each file of which something is not accepted, as rows, by its path in the trail. */
export async function acceptedRows(context: Context): Promise<Map<string, Token[]>> {
  const files = await unreviewedFiles(await openReview(context, undefined));
  return new Map(
    files
      .filter(({ hunks }) => hunks.length > 0)
      .map(({ path, accepted: { file } }) => [
        path,
        file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [],
      ]),
  );
}

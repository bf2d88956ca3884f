/** The places of a landing, one by one, so that somebody can choose among them (`land -p`), and what was accepted of a file. */

import { utf8 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import type { Codec } from '../git/objects/object.ts';
import { isLine } from '../history/file-rows.ts';
import { acceptedText } from '../line/accepted.ts';
import type { ChosenPart } from '../line/landing.ts';
import { lastText, type Row } from '../line/row.ts';
import type { TextLines, TextOf } from '../line/text-lines.ts';
import type { HunkText } from '../review/listing.ts';
import { OpenFiles } from '../review/open-files.ts';
import { openReview } from '../review/review.ts';
import type { Token } from '../text/diff/alignment.ts';

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
  /** The agents whose work it is, by name. */
  agents: string[];
}

const CONTEXT = 3;

/** The lines of a file as the branch has them, and as it would. */
export interface LandTexts {
  head: TextOf;
  before: TextLines;
  after: TextLines;
}

/** Shows a place of a file; `null` where the branch has it so. `agentsOf` names whose work changed rows are. */
export async function hunkOf(
  codec: Codec,
  path: string,
  { head, before: old, after: now }: LandTexts,
  own: Pick<ChosenPart, 'rows' | 'texts'>,
  agentsOf: (rows: readonly Row[]) => string[],
): Promise<LandHunk | null> {
  const changed = own.rows.filter(row => head(row) !== own.texts.get(row));
  if (changed.length === 0) return null;
  const lines = changed.filter(row => isLine(lastText(row)));
  const textsOf = (text: TextOf): string[] => lines.flatMap(row => text(row) ?? []);
  const before = { line: old.before(lines[0]) + 1, lines: textsOf(head) };
  const after = { line: now.before(lines[0]) + 1, lines: textsOf(row => own.texts.get(row) ?? null) };
  const context = lines.length === 0 ? { above: [], below: [] } : now.beside(lines, CONTEXT);
  const marks = changed.filter(row => !lines.includes(row));
  const about = aboutOf(marks, head);
  const name = utf8(JSON.stringify([path, about, before, after.lines]));
  const id = (await codec.sha1(name)).slice(0, 12);
  return { id, path, about, before, after, context, agents: agentsOf(changed) };
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
  return new Map(files.map(({ path, accepted, line }) => [path, accepted ? acceptedText(line.weave) : []]));
}

/** edit_lines: several replacements, deletions and insertions of lines, all numbers those of the file as seen. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { endedContent, lastLineIsOpen, wholeLineSpan } from '../text/line-ends.ts';
import { checkForward, checkLine, checkLineRange, type Lines, linesOf } from '../text/lines.ts';
import { type LineMap, mapRange } from '../text/spans.ts';
import { fieldName } from '../wording.ts';
import { type Edit, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, lineNumber, optionalLine, optionalText } from './fields.ts';

export interface LineEdit {
  from: number;
  /** Inclusive. Absent: `content` is inserted before line `from`. */
  to?: number | null | undefined;
  /** Absent or empty, with `to`: the lines are deleted. */
  content?: string | null | undefined;
}

export interface EditLinesInput {
  path: string;
  /** All numbers are those of the file before any of the edits. */
  edits: LineEdit[];
}

const lineEdit = () =>
  z.strictObject({
    from: lineNumber().describe('First line, 1-based.'),
    to: optionalLine('Last line, inclusive. Absent: content is inserted before line from.'),
    content: optionalText(
      'Lines to put there; a missing final line end is added. Absent or empty, with to: the lines are deleted.',
    ),
  });

const input = () =>
  z.strictObject({
    path: filePath(),
    edits: z.array(lineEdit()).min(1).describe('The edits, in any order; ranges may not overlap.'),
  });

export const editLines: Edit<EditLinesInput, 'edit_lines'> = ownEdit({
  name: 'edit_lines',
  description:
    'Several line edits of one file at once: {from, to, content} replaces lines from-to, without content deletes them, ' +
    'without to inserts before line from (line count + 1: at the end). All numbers are those of the last view, before any of the edits. Prefer it for several places of one file just viewed.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    'edits.from': ['start_line', 'start', 'line_from'],
    'edits.to': ['end_line', 'end', 'line_to'],
    'edits.content': ['new_content', 'new_text'],
  },
  example: {
    path: 'src/app.ts',
    edits: [
      { from: 2, content: 'import { log } from "./log.ts";\n' },
      { from: 4, to: 5, content: 'const limit = 20;\n' },
    ],
  },
  addressesLines: true,
  paths: ({ path }) => [path],
  check({ path, edits }) {
    for (const [i, edit] of edits.entries()) checkShape(path, edit, i);
    checkApart(path, edits.map(runOf).sort(byPosition));
  },
  plan({ path, edits }, files) {
    const lines = linesOf(presentFile(files, path).text);
    for (const [i, edit] of edits.entries()) checkLines(path, lines, edit, i);
    const runs = edits.map(runOf).sort(byPosition);
    const spans = joinedAtOpenEnd(lines, runs).flatMap(
      ({ from, to, content }) => wholeLineSpan(lines, from, to, content) ?? [],
    );
    if (spans.length === 0) throw noChange(path, 'its lines have this content already.');
    return [{ kind: 'modify', path, spans }];
  },
  lines: ({ edits }) => edits.map(({ from, to }) => ({ start: from, end: to ?? from })),
  renumber(given, map) {
    const edits = given.edits.map(edit => renumbered(edit, map));
    return edits.every(edit => edit !== null) ? { ...given, edits } : null;
  },
});

/** Lines `from` to `to` become `content`; an insertion has `to` = `from` - 1. `index` is its position in the list. */
interface Run {
  from: number;
  to: number;
  content: string;
  index: number;
}

function runOf({ from, to, content }: LineEdit, index: number): Run {
  return { from, to: to ?? from - 1, content: content ?? '', index };
}

function checkShape(path: string, { from, to, content }: LineEdit, index: number): void {
  if (to == null) {
    if (content) return;
    const message = `edits[${index}] has neither to nor content, so it does nothing. Give content to insert it before line from, or to to delete lines from-to.`;
    throw new EditError('INVALID_INPUT', message, { path, fields: [`edits[${index}]`] });
  }
  const instead = `To insert before line ${from}, leave ${fieldName('to')} out.`;
  checkForward(path, [`edits[${index}].from`, from], [`edits[${index}].to`, to], instead);
}

function checkLines(path: string, lines: Lines, { from, to }: LineEdit, index: number): void {
  const field = (name: string): string => `edits[${index}].${name}`;
  if (to != null) {
    checkLineRange(path, lines, [field('from'), from], [field('to'), to]);
    return;
  }
  const end = lines.count + 1;
  const advice = `Without to, the content is inserted before line from; ${end} is the end of the file.`;
  checkLine(field('from'), from, { path, lines, min: 1, max: end, advice });
}

/** Orders insertions before a line before its replacement, and several at one place as they were given. */
function byPosition(a: Run, b: Run): number {
  return a.from - b.from || Math.sign(a.to - a.from + 1) - Math.sign(b.to - b.from + 1) || a.index - b.index;
}

function checkApart(path: string, runs: Run[]): void {
  for (const [i, run] of runs.entries()) {
    const before = runs[i - 1];
    if (before === undefined || run.from > before.to) continue;
    const where = run.to < run.from ? `before line ${run.from}` : `lines ${run.from}-${run.to}`;
    const message = `edits[${before.index}] (lines ${before.from}-${before.to}) and edits[${run.index}] (${where}) overlap. All numbers are those of the file as viewed, before any edit: join the two, or make their lines apart.`;
    throw new EditError('INVALID_INPUT', message, {
      path,
      fields: [`edits[${before.index}]`, `edits[${run.index}]`],
    });
  }
}

/**
 * Where the last line is not ended, the edits that reach the end of the file become one: which of their lines is the
 * last, and so stays unended, depends on all of them.
 */
function joinedAtOpenEnd(lines: Lines, runs: Run[]): Run[] {
  const tail = lastLineIsOpen(lines) ? runs.filter(({ to }) => to === lines.count) : [];
  if (tail.length < 2) return runs;
  const contents = tail.filter(({ content }) => content !== '').map(({ content }) => content);
  const content = contents
    .map((text, i) => (i < contents.length - 1 ? endedContent(lines, text) : text))
    .join('');
  return [...runs.slice(0, -tail.length), { ...tail[0]!, content }];
}

function renumbered(edit: LineEdit, map: LineMap): LineEdit | null {
  if (edit.to != null) {
    const range = mapRange(map, edit.from, edit.to);
    return range && { ...edit, from: range.start, to: range.end };
  }
  const from = map(edit.from);
  return from === null ? null : { ...edit, from };
}

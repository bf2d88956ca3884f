/** replace_lines: other lines, or none, in place of a run of lines. */

import * as z from 'zod';
import { wholeLineSpan } from '../text/line-ends.ts';
import { checkForward, checkLineRange, linesOf } from '../text/lines.ts';
import { mapRange } from '../text/spans.ts';
import { fieldName, ifTool } from '../wording.ts';
import { type Edit, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, lineNumber, optionalText } from './fields.ts';

export interface ReplaceLinesInput {
  path: string;
  start_line: number;
  /** Inclusive. */
  end_line: number;
  /** Absent or empty: the lines are deleted. */
  new_content?: string | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    start_line: lineNumber().describe('First line to replace, 1-based.'),
    end_line: lineNumber().describe('Last line to replace, inclusive.'),
    new_content: optionalText(
      'Lines to put there; a missing final line end is added. Absent or empty: the lines are deleted.',
    ),
  });

export const replaceLines: Edit<ReplaceLinesInput, 'replace_lines'> = ownEdit({
  name: 'replace_lines',
  description:
    'Replace lines start_line to end_line (inclusive, 1-based) by new_content, or delete them. Prefer it for whole lines that you have just viewed. Numbers are those of the ' +
    'last view of the file; a range outside the file is refused.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    start_line: ['line_from', 'start', 'from'],
    end_line: ['line_to', 'end', 'to'],
    new_content: ['content', 'new_str', 'new_text', 'new_string', 'text'],
  },
  example: { path: 'src/app.ts', start_line: 4, end_line: 5, new_content: 'const limit = 20;\n' },
  addressesLines: true,
  paths: ({ path }) => [path],
  check({ path, start_line, end_line }) {
    const instead = ifTool(
      'insert',
      tool =>
        `To insert before line ${start_line}, use ${tool} with ${fieldName('before_line')} ${start_line}.`,
    );
    checkForward(path, ['start_line', start_line], ['end_line', end_line], instead);
  },
  plan({ path, start_line, end_line, new_content }, files) {
    const lines = linesOf(presentFile(files, path).text);
    checkLineRange(path, lines, ['start_line', start_line], ['end_line', end_line]);
    const span = wholeLineSpan(lines, start_line, end_line, new_content ?? '');
    if (span !== null) return [{ kind: 'modify', path, spans: [span] }];
    const which = start_line === end_line ? `line ${start_line} is` : `lines ${start_line}-${end_line} are`;
    const add = ifTool('str_replace', tool => `; use ${tool} to add or remove the final one`);
    throw noChange(path, `${which} ${fieldName('new_content')} already. Line ends follow the file${add}.`);
  },
  lines: ({ start_line, end_line }) => [{ start: start_line, end: end_line }],
  renumber(given, map) {
    const range = mapRange(map, given.start_line, given.end_line);
    return range === null ? null : { ...given, start_line: range.start, end_line: range.end };
  },
});

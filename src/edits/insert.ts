/** insert: whole lines put between two lines of a file. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { wholeLineSpan } from '../text/line-ends.ts';
import { checkLine, type Lines, linesOf } from '../text/lines.ts';
import { fieldName, Look } from '../wording.ts';
import { type Edit, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, optionalLine, optionalText, text } from './fields.ts';
import { loadSymbols, symbols } from './symbols.ts';

export interface InsertInput {
  path: string;
  /** The line after which to insert; 0 is the top. Give this or `before_line`. */
  insert_line?: number | null | undefined;
  before_line?: number | null | undefined;
  before_symbol?: string | null | undefined;
  after_symbol?: string | null | undefined;
  insert_text: string;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    insert_line: optionalLine('Line number after which to insert; 0 for the top of the file.'),
    before_line: optionalLine(
      'Instead of insert_line: line number before which to insert; line count + 1 for the end.',
    ),
    before_symbol: optionalText('Instead of a line: before this symbol and its doc comment.'),
    after_symbol: optionalText('Or after this symbol.'),
    insert_text: text('Lines to insert. A missing final line end is added; "\\n" is one blank line.'),
  });

export const insert: Edit<InsertInput, 'insert'> = ownEdit({
  name: 'insert',
  description:
    'Insert lines after line insert_line (0 = top), before line before_line, or before or after a symbol: give one. Prefer it where no line changes. Numbers are those of ' +
    'the last view of the file.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    insert_line: ['after_line'],
    insert_text: ['new_str', 'text', 'content', 'new_string', 'new_text'],
  },
  example: { path: 'src/app.ts', insert_line: 3, insert_text: 'import { log } from "./log.ts";\n' },
  addressesLines: true,
  async ready({ path, before_symbol, after_symbol }) {
    if ((before_symbol ?? after_symbol) != null) await loadSymbols(path);
  },
  paths: ({ path }) => [path],
  check(given) {
    checkOnePosition(given);
    if (given.insert_text === '') throw noChange(given.path, EMPTY);
  },
  plan(given, files) {
    const { path, insert_text } = given;
    const lines = linesOf(presentFile(files, path).text);
    const {
      after,
      content = insert_text,
      commas = [],
    } = bySymbol(given, lines) ?? { after: position(given, lines) };
    const span = wholeLineSpan(lines, after + 1, after, content);
    if (span === null) throw noChange(path, EMPTY);
    return [{ kind: 'modify', path, spans: [...commas, span] }];
  },
  lines({ insert_line, before_line }) {
    const line = before_line ?? insert_line;
    return line == null ? [] : [{ start: line, end: line }];
  },
  renumber(given, map) {
    if (given.insert_line == null && given.before_line == null) return given;
    const field = given.before_line == null ? 'insert_line' : 'before_line';
    const line = map(given[field] ?? 0);
    return line === null ? null : { ...given, [field]: line };
  },
});

const EMPTY = `${fieldName('insert_text')} is empty. Send "\\n" to insert a blank line.`;

function checkOnePosition(given: InsertInput): void {
  const { path, insert_line, before_line, before_symbol, after_symbol } = given;
  const count = [insert_line, before_line, before_symbol, after_symbol].filter(one => one != null).length;
  if (count === 1) return;
  const which = count === 0 ? 'none was' : `${count} were`;
  const message = `Give exactly one of insert_line (insert after that line, 0 = top), before_line, before_symbol and after_symbol; ${which} given.`;
  const fields = ['insert_line', 'before_line', 'before_symbol', 'after_symbol'];
  throw new EditError('INVALID_INPUT', message, { path, fields });
}

/** The place that a symbol names, with the lines as they go there; `null` where a line was given. */
function bySymbol({ path, before_symbol, after_symbol, insert_text }: InsertInput, lines: Lines) {
  const name = before_symbol ?? after_symbol;
  if (name == null) return null;
  const symbol = symbols().findSymbol(path, lines.text, name);
  const isBefore = before_symbol != null;
  const after = isBefore ? symbol.doc_line - 1 : symbol.end_line;
  return { after, ...symbols().separated(path, lines, symbol, insert_text, isBefore ? 'before' : 'after') };
}

/** The number of the line after which to insert, 0 to the line count. */
function position({ path, insert_line, before_line }: InsertInput, lines: Lines): number {
  const isBefore = before_line != null;
  const [field, line, top] = isBefore
    ? (['before_line', before_line, 1] as const)
    : (['insert_line', insert_line!, 0] as const);
  const max = lines.count + top;
  const bottom = lines.count === 0 ? '' : `, ${max} at the end`;
  const advice = `${top} inserts at the top${bottom}. ${Look()} the file for its present line numbers.`;
  checkLine(field, line, { path, lines, min: top, max, advice });
  return line - top;
}

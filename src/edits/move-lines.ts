/** move_lines: lines, or a symbol, at another place of their file or in another one, without typing them again. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { lastLineIsOpen, wholeLineSpan } from '../text/line-ends.ts';
import { checkForward, checkLine, checkLineRange, type Lines, linesOf } from '../text/lines.ts';
import type { Span } from '../text/spans.ts';
import { lineWords } from '../text/words.ts';
import { Look, pathName } from '../wording.ts';
import { type Edit, type FileChange, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, optionalLine, optionalText } from './fields.ts';
import { loadSymbols, symbols } from './symbols.ts';

export interface MoveLinesInput {
  path: string;
  start_line?: number | null | undefined;
  end_line?: number | null | undefined;
  symbol?: string | null | undefined;
  new_path?: string | null | undefined;
  before_line?: number | null | undefined;
  before_symbol?: string | null | undefined;
  after_symbol?: string | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    start_line: optionalLine('First line to move, 1-based.'),
    end_line: optionalLine('Last line to move, inclusive; default: start_line.'),
    symbol: optionalText('Instead of lines: what to move, with its doc comment and decorators.'),
    new_path: optionalText('Another file to move them to; it is made where there is none.'),
    before_line: optionalLine(
      'Move them before this line, as it is numbered now; line count + 1 for the end.',
    ),
    before_symbol: optionalText('Or before this symbol.'),
    after_symbol: optionalText('Or after this symbol. None of the three: to the end of new_path.'),
  });

export const moveLines: Edit<MoveLinesInput, 'move_lines'> = ownEdit({
  name: 'move_lines',
  description:
    'Move lines, or a symbol, to another place or file; they keep their authors. Prefer it to deleting and typing them again. Numbers are those of the last view.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'], new_path: ['to_path', 'target_path'] },
  example: { path: 'src/app.ts', symbol: 'limit', new_path: 'src/limits.ts' },
  addressesLines: true,
  async ready({ path, symbol, new_path, before_symbol, after_symbol }) {
    if (symbol != null) await loadSymbols(path);
    if ((before_symbol ?? after_symbol) != null) await loadSymbols(new_path ?? path);
  },
  check({ path, start_line, end_line, symbol, new_path, before_line, before_symbol, after_symbol }) {
    const places = [before_line, before_symbol, after_symbol].filter(one => one != null).length;
    const fault =
      (start_line == null) === (symbol == null)
        ? WHAT
        : places > 1 || (places === 0 && new_path == null)
          ? WHERE
          : null;
    if (fault) throw new EditError('INVALID_INPUT', `${fault} Nothing was done.`, { path });
    if (start_line != null && end_line != null)
      checkForward(path, ['start_line', start_line], ['end_line', end_line], '');
  },
  paths: ({ path, new_path }) => (new_path == null ? [path] : [path, new_path]),
  lines: ({ start_line, end_line, before_line, new_path }) => [
    ...(start_line == null ? [] : [{ start: start_line, end: end_line ?? start_line }]),
    ...(before_line == null || new_path != null ? [] : [{ start: before_line, end: before_line }]),
  ],
  plan(given, files) {
    const { path, new_path } = given;
    const source = presentFile(files, path);
    const target = new_path == null ? source : (files.get(new_path) ?? null);
    const lines = linesOf(source.text);
    const [from, to] = moved(given, lines);
    const content = lines.text.slice(lines.start(from), lines.end(to));
    const taken: FileChange = { kind: 'modify', path, spans: [without(lines, from, to)] };
    if (target === null) {
      place({ ...given, path: new_path! }, linesOf(''));
      return [taken, { kind: 'create', path: new_path!, text: content }];
    }
    const isSame = target === source;
    const there = isSame ? lines : linesOf(target.text);
    const before = place({ ...given, path: isSame ? path : new_path! }, there);
    if (isSame && before >= from && before <= to + 1)
      throw noChange(path, `${lineWords(from, to)} would stay where they are.`);
    const put = wholeLineSpan(there, before, before - 1, content)!;
    if (!isSame) return [taken, { kind: 'modify', path: new_path!, spans: [put] }];
    return [{ ...taken, spans: [...taken.spans, put].sort((a, b) => a.start - b.start) }];
  },
});

const WHAT = 'Give what to move: start_line and end_line, or symbol.';
const WHERE = 'Give one place: before_line, before_symbol or after_symbol, or new_path alone for its end.';

/** The first and the last line to move. */
function moved({ path, symbol, start_line, end_line }: MoveLinesInput, lines: Lines): [number, number] {
  const found = symbol == null ? null : symbols().findSymbol(path, lines.text, symbol);
  if (found) return [found.doc_line, found.end_line];
  const [from, to] = [start_line!, end_line ?? start_line!];
  checkLineRange(path, lines, ['start_line', from], ['end_line', to]);
  return [from, to];
}

/** The line of the file at `path` before which they go; one more than it has for its end. */
function place({ path, before_line, before_symbol, after_symbol }: MoveLinesInput, lines: Lines): number {
  const max = lines.count + 1;
  if (before_symbol != null) return symbols().findSymbol(path, lines.text, before_symbol).doc_line;
  if (after_symbol != null) return symbols().findSymbol(path, lines.text, after_symbol).end_line + 1;
  const advice = `${Look()} ${pathName(path)} for its present line numbers; ${max} is its end.`;
  if (before_line != null) checkLine('before_line', before_line, { path, lines, min: 1, max, advice });
  return before_line ?? max;
}

/** Takes lines out; the file ends with a line end, or without one, as before. */
function without(lines: Lines, from: number, to: number): Span {
  const isOpen = to === lines.count && from > 1 && lastLineIsOpen(lines);
  return { start: isOpen ? lines.contentEnd(from - 1) : lines.start(from), end: lines.end(to), text: '' };
}

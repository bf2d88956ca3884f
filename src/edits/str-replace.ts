/** str_replace: one exact text in place of another that occurs exactly once, or at every place if asked. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { fittedSpan } from '../text/line-ends.ts';
import { linesOf } from '../text/lines.ts';
import { ambiguous, COMPARED } from '../text/search/ambiguous.ts';
import { type FindOptions, occurrences, type Searched, type TextRange } from '../text/search/match.ts';
import { noMatch } from '../text/search/no-match.ts';
import type { Span } from '../text/spans.ts';
import { fieldName, ifOption, ifTool, pathName } from '../wording.ts';
import { checkResult, type Edit, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, flag, optionalText, text } from './fields.ts';

export interface StrReplaceInput {
  path: string;
  old_str: string;
  /** Absent or empty: `old_str` is deleted. */
  new_str?: string | null | undefined;
  replace_all?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    old_str: text(
      'Exact text of the file, with its white space and indentation, without line numbers; occurs once.',
    ),
    new_str: optionalText('Text to put in its place. Absent or empty: old_str is deleted.'),
    replace_all: flag('true: replace every occurrence, at least one.'),
  });

export const strReplace: Edit<StrReplaceInput, 'str_replace'> = ownEdit({
  name: 'str_replace',
  description:
    'Replace an exact text in a file. Prefer it to other edit tools for known text: checked, and undoable. old_str must occur exactly once (give lines around it to make it unique), or set ' +
    'replace_all. All characters are plain; a line end matches LF and CRLF.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    old_str: ['old_string', 'old_text', 'old', 'search'],
    new_str: ['new_string', 'new_text', 'new', 'replace', 'replacement'],
    replace_all: ['allow_multiple'],
  },
  example: { path: 'src/app.ts', old_str: 'const limit = 10;', new_str: 'const limit = 20;' },
  addressesLines: false,
  paths: ({ path }) => [path],
  check({ path, old_str, new_str }) {
    if (old_str === (new_str ?? ''))
      throw noChange(
        path,
        `${fieldName('old_str')} and ${fieldName('new_str')} are the same. Send the changed text as ${fieldName('new_str')}.`,
      );
  },
  plan({ path, old_str, new_str, replace_all }, files) {
    if (old_str === '' && files.get(path)?.text !== '') throw emptyOld(path);
    const file = presentFile(files, path);
    const put = new_str ?? '';
    if (old_str === '') return [{ kind: 'modify', path, spans: [{ start: 0, end: 0, text: put }] }];
    const options: FindOptions = { ...NAMES, replacement: put };
    const places = replace_all ? findAll(file, old_str, options) : [findOne(file, old_str, options)];
    checkResult(
      path,
      file.text,
      places.map(place => ({ ...place, text: put })),
    );
    const spans = fittedSpans(file.text, places, put);
    if (spans.length === 0)
      throw noChange(
        path,
        `${fieldName('old_str')} and ${fieldName('new_str')} differ in their line ends only, and the file keeps its own.`,
      );
    return [{ kind: 'modify', path, spans }];
  },
});

const NAMES: FindOptions = {
  name: fieldName('old_str'),
  replacementName: fieldName('new_str'),
  allField: 'replace_all',
};

function fittedSpans(text: string, places: readonly TextRange[], put: string): Span[] {
  const [only, ...more] = places;
  // Where all lines end with LF alone, each keeps its own.
  if (only && more.length === 0 && !text.includes('\r') && !put.includes('\r'))
    return text.slice(only.start, only.end) === put ? [] : [{ ...only, text: put }];
  const lines = linesOf(text);
  return places.flatMap(({ start, end }) => fittedSpan(lines, start, end, put) ?? []);
}

function emptyOld(path: string): EditError {
  const message =
    `${fieldName('old_str')} is empty, which names no place. Send the text to replace` +
    `${ifTool('insert', tool => `; to add text use ${tool}`)}` +
    `${ifTool('create', tool => `; to make a file or write it anew use ${tool}${ifOption('overwrite', true, option => ` (with ${option})`)}`)}.`;
  return new EditError('INVALID_INPUT', message, { path, fields: ['old_str'] });
}

const MOST_PLACES = 1_000_000;

/** The place of the only occurrence of `old`, which may not be empty. Throws NO_MATCH or AMBIGUOUS. */
export function findOne(file: Searched, old: string, options: FindOptions = {}): TextRange {
  const { count, places } = occurrences(file.text, old, COMPARED);
  if (count === 0) throw noMatch(file, old, options);
  if (count > 1) throw ambiguous(file, count, places, options);
  return places[0]!;
}

/** Every place to replace, from left to right without overlaps. Throws NO_MATCH when there is none, or TOO_LARGE. */
export function findAll(file: Searched, old: string, options: FindOptions = {}): TextRange[] {
  const { count, places } = occurrences(file.text, old, MOST_PLACES, 'apart');
  if (count === 0) throw noMatch(file, old, options);
  if (count <= MOST_PLACES) return places;
  const { name = 'old_str' } = options;
  const message = `${name} occurs ${count} times in ${pathName(file.path)}, and at most ${MOST_PLACES} places are changed in one edit. Use a longer text${ifTool('create', tool => `, or write the file anew with ${tool}${ifOption('overwrite', true, option => ` and ${option}`)}`)}.`;
  throw new EditError('TOO_LARGE', message, { path: file.path, count, limit: MOST_PLACES });
}

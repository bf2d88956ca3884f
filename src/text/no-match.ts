/** The refusal NO_MATCH: the nearest text, what sets it apart, and whether the change was made already. */

import { EditError } from '../errors.ts';
import { fieldName, ifTool, Look, look, pathName, toolName } from '../wording.ts';
import type { FindOptions, Searched } from './find-options.ts';
import { type Lines, linesOf } from './lines.ts';
import { alreadyThere, type Nearest, nearestText } from './nearest.ts';
import { numbered } from './numbered.ts';
import { counted, fenced, lineWords, quoted, wellFormed } from './words.ts';

/** Texts are shown up to this many units; `data` has them whole. */
const SHOWN_UNITS = 4000;
const DATA_UNITS = 64_000;
const AROUND = 2;
const SHOWN_LINES = 40;

/** `old` occurs nowhere in the file. */
export function noMatch(file: Searched, old: string, options: FindOptions): EditError {
  const { name = 'old_str', replacement = '' } = options;
  const lines = linesOf(file.text);
  const { nearest, searchedLines } = nearestText(lines, old, name);
  const already = alreadyThere(lines, replacement);
  const message = [
    `${name} does not occur in ${pathName(file.path)}. Nothing was changed.`,
    ...alreadyWords(already, options),
    ...(nearest ? nearestWords(lines, nearest, options) : farWords(lines, old, name)),
    ...cutWords(lines, searchedLines, nearest),
  ].join('\n');
  return new EditError('NO_MATCH', message, {
    path: file.path,
    nearest: nearest && nearestData(nearest),
    already_there: already,
    searched_lines: searchedLines,
  });
}

/** A short text such as `x` is in most files and says nothing. */
const TELLING = 4;

function alreadyWords(already: ReturnType<typeof alreadyThere>, options: FindOptions): string[] {
  const { replacement = '', replacementName = 'new_str' } = options;
  if (already === null || (already.count > 1 && replacement.trim().length < TELLING)) return [];
  const times = already.count === 1 ? '' : ` and at ${counted(already.count - 1, 'more place')}`;
  return [
    `${replacementName} is already in the file (line ${already.line}${times}): this change may have been made before. If so, go on without it.`,
  ];
}

function nearestWords(lines: Lines, nearest: Nearest, options: FindOptions): string[] {
  const { name = 'old_str' } = options;
  const where = lineWords(nearest.startLine, nearest.endLine);
  if (nearest.exactOnce) {
    return [
      `The nearest text is ${where}. It differs only in this: ${nearest.difference}.`,
      `If you mean this place, this is the file's exact text; it occurs once, so send it as ${name}${indentWords(nearest, options)}:`,
      fenced(shown(nearest.text)),
    ];
  }
  if (!nearest.kinds.includes('text')) {
    const times =
      nearest.places > 1
        ? `The nearest text is at ${counted(nearest.places, 'place')}, first at ${where}`
        : `The nearest text is ${where}`;
    return [
      `${times}. It differs only in this: ${nearest.difference}.`,
      `The exact text there occurs more than once in the file: send it as ${name} with some of the lines around it.`,
      excerpt(lines, nearest),
    ];
  }
  return [
    `The nearest text is ${where}. First difference: ${nearest.difference}.`,
    `If you mean this place, copy ${name} exactly from the file (without the line numbers):`,
    excerpt(lines, nearest),
  ];
}

function indentWords(nearest: Nearest, { replacementName = 'new_str' }: FindOptions): string {
  return nearest.kinds.includes('indentation') ? ` (and indent ${replacementName} in the same way)` : '';
}

function farWords(lines: Lines, old: string, name: string): string[] {
  if (lines.count === 0)
    return [
      `The file is empty. ${ifTool('insert', `Use ${toolName('insert')} with ${fieldName('insert_line')} 0.`, ifTool('create', `Write it anew with ${toolName('create')}.`))}`,
    ];
  if (old.trim() === '')
    return [
      `${name} is only white space (${JSON.stringify(old.slice(0, 40))}). Send it with the text around it.`,
    ];
  return [
    `Nothing in the file (${counted(lines.count, 'line')}) is much like ${quoted(old.trim())}. ${Look()} the file and copy the text to replace exactly, or look for it in another file.`,
  ];
}

function cutWords(lines: Lines, searched: number, nearest: Nearest | null): string[] {
  const { count } = lines;
  if (searched >= count || nearest?.exactOnce) return [];
  if (searched === 0) return ['Its lines are too long to be searched for similar text.'];
  return [`The file is large: only lines 1-${searched} of ${count} were searched for similar text.`];
}

/** The nearest lines with two around them, numbered; of many, those around the first difference. */
function excerpt(lines: Lines, nearest: Nearest): string {
  const long = nearest.endLine - nearest.startLine >= SHOWN_LINES;
  const from = Math.max(1, (long ? nearest.differsAt - SHOWN_LINES / 2 : nearest.startLine) - AROUND);
  const to = Math.min(lines.count, nearest.endLine + AROUND, from + SHOWN_LINES + 2 * AROUND);
  return numbered(lines, from, to, { maxLineLength: 400 });
}

function shown(text: string): string {
  if (text.length <= SHOWN_UNITS) return text;
  return `${wellFormed(text.slice(0, SHOWN_UNITS))}\n[cut: ${text.length - SHOWN_UNITS} more characters; ${look()} the lines for the rest]`;
}

function nearestData(nearest: Nearest): Record<string, unknown> {
  const { startLine, endLine, text, difference, kinds, exactOnce, places } = nearest;
  const cut = text.length > DATA_UNITS ? { cut_from: text.length } : {};
  return {
    start_line: startLine,
    end_line: endLine,
    text: wellFormed(text.slice(0, DATA_UNITS)),
    difference,
    kinds,
    exact_once: exactOnce,
    places,
    ...cut,
  };
}

/** The refusal NO_MATCH: the nearest text, what sets it apart, and whether the change was made already. */

import { EditError, type NearestText } from '../../errors.ts';
import { fieldName, ifTool, Look, look, pathName } from '../../wording.ts';
import { type Lines, linesOf } from '../lines.ts';
import { numbered } from '../snippet.ts';
import { counted, fenced, lineWords, listed, listedSome, quoted, wellFormed } from '../words.ts';
import { interpretations } from './interpretations.ts';
import type { FindOptions, Searched } from './match.ts';
import { type AlreadyThere, alreadyThere, type Nearest, nearestText } from './nearest.ts';

/** Texts are shown up to this many units; `data` has them whole. */
const SHOWN_UNITS = 4000;
const DATA_UNITS = 64_000;
const AROUND = 2;
const SHOWN_LINES = 40;

/** Creates the refusal for an `old` that occurs nowhere in the file. */
export function noMatch(file: Searched, old: string, options: FindOptions): EditError {
  const { name = 'old_str', replacement = '' } = options;
  const lines = linesOf(file.text);
  const { nearest, searchedLines } = nearestText(lines, old, name);
  const already = alreadyNear(lines, replacement, nearest);
  const message = [
    `${name} does not occur in ${pathName(file.path)}. Nothing was changed.`,
    ...ellipsisWords(old, nearest, name),
    ...(already ? [alreadyWords(already, options)] : []),
    // Where the nearest text is the replacement itself, there is nothing else to show.
    ...(already && nearest && already.lines.some(at => at >= nearest.startLine && at <= nearest.endLine)
      ? []
      : nearest
        ? nearestWords(lines, nearest, options)
        : farWords(lines, old, name)),
    ...cutWords(lines, searchedLines, nearest),
  ].join('\n');
  return new EditError('NO_MATCH', message, {
    path: file.path,
    nearest: nearest && nearestData(nearest),
    already_there: already && { line: already.line, count: already.count },
    searched_lines: searchedLines,
  });
}

/** The most lines between a text and the place that may have been meant. */
const NEAR = 10;

/** The replacement where it tells of this change: a text of its own, at the nearest place or the only one of its kind. */
function alreadyNear(lines: Lines, replacement: string, nearest: Nearest | null): AlreadyThere | null {
  const already = alreadyThere(lines, replacement);
  const text = replacement.trim();
  // A bracket, a keyword or a number is in any file.
  const isDistinctive = text.length >= 8 && /[\p{L}\p{N}_]{3}.*[^\p{L}\p{N}_\s]|\S\s+\S/su.test(text);
  if (already === null || !isDistinctive) return null;
  if (nearest === null) return already.count === 1 ? already : null;
  const near = already.lines.filter(
    line => line >= nearest.startLine - NEAR && line <= nearest.endLine + NEAR,
  );
  return near.length === 0 ? null : { ...already, line: near[0]!, lines: near };
}

function alreadyWords({ lines }: AlreadyThere, { replacementName = 'new_str' }: FindOptions): string {
  const some = lines.slice(0, OTHERS);
  const where = some.length === 1 ? `line ${some[0]}` : `lines ${listed(some)}`;
  return `${replacementName} is already in the file (${where}): this change may have been made before. If so, go on without it.`;
}

/** Says that a line of the old text stands for lines left out, where the file has none such there. */
export function ellipsisWords(old: string, nearest: { text: string } | null, name: string): string[] {
  const line = old.split('\n').find(one => /^\W*(\.\.\.|\u2026)/.test(one.trim()));
  if (line === undefined || nearest?.text.includes(line.trim())) return [];
  return [
    `${name} holds an ellipsis (${quoted(line.trim(), 60)}), which is not a wildcard: send the lines themselves.`,
  ];
}

function nearestWords(lines: Lines, nearest: Nearest, options: FindOptions): string[] {
  const { name = 'old_str' } = options;
  const where = lineWords(nearest.startLine, nearest.endLine);
  if (nearest.exactOnce) {
    const one = nearest.startLine === nearest.endLine;
    const only = `${one ? 'Line' : 'Lines'}${where.replace(/^lines?/, '')} ${one ? 'differs' : 'differ'} only in this: ${nearest.difference}.`;
    return [
      `${only} If you mean ${one ? 'it' : 'them'}, send as ${name}${alsoWords(nearest, options)}:`,
      fenced(shown(nearest.text)),
    ];
  }
  if (!nearest.kinds.includes('text')) {
    const times =
      nearest.places > 1
        ? `The nearest text is at ${counted(nearest.places, 'place')}, first at ${where}, and differs`
        : `The nearest text is ${where}, and differs`;
    return [
      `${times} only in this: ${nearest.difference}.`,
      `The file's own text there occurs more than once: send it as ${name} with some of the lines around it.`,
      excerpt(lines, nearest),
    ];
  }
  const first = nearest.startLine === nearest.endLine ? '' : '. First difference';
  return [
    `The nearest text is ${where}${othersWords(nearest)}${first}: ${nearest.difference}.`,
    ...ownText(lines, nearest),
  ];
}

/** Names other places that may be meant as well. */
export function othersWords({ others }: Pick<Nearest, 'others'>): string {
  if (others.length === 0) return '';
  const some = [...others].sort((a, b) => a - b).map(String);
  return ` (as near: line${others.length === 1 ? '' : 's'} ${listedSome(some, OTHERS)})`;
}

const OTHERS = 10;

/** The file's own lines, without numbers so that they can be copied; of many, those around the first difference. */
export function ownText(
  lines: Lines,
  { startLine, endLine, differsAt }: Pick<Nearest, 'startLine' | 'endLine' | 'differsAt'>,
): string[] {
  const long = endLine - startLine >= SHOWN_LINES;
  const from = long ? Math.max(startLine, differsAt - SHOWN_LINES / 2) : startLine;
  const to = Math.min(endLine, from + SHOWN_LINES);
  const text = lines.slice(from, to);
  const which = long ? `Lines ${from}-${to} of the file` : 'The file has';
  return [`${which}:`, fenced(shown(text))];
}

/** Says what has to be done to the new text as well. */
function alsoWords(nearest: Nearest, { replacement = '', replacementName = 'new_str' }: FindOptions): string {
  if (nearest.kinds.includes('indentation')) return ` (and indent ${replacementName} so, too)`;
  const isNumbered = interpretations(replacement, '').some(({ kind }) => kind === 'line-number prefix');
  const both = isNumbered && nearest.kinds.includes('line-number prefix');
  return both ? ` (and leave the numbers out of ${replacementName} too)` : '';
}

function farWords(lines: Lines, old: string, name: string): string[] {
  if (lines.count === 0)
    return [
      `The file is empty. ${ifTool(
        'insert',
        tool => `Use ${tool} with ${fieldName('insert_line')} 0.`,
        ifTool('create', tool => `Write it anew with ${tool}.`),
      )}`,
    ];
  if (old.trim() === '')
    return [
      `${name} is only white space (${JSON.stringify(old.slice(0, 40))}). Send it with the text around it.`,
    ];
  return [
    `Nothing in the file (${counted(lines.count, 'line')}) is much like ${quoted(old.trim())}. ${Look()} the file and copy the text exactly, or look in another file.`,
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

function nearestData(nearest: Nearest): NearestText {
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

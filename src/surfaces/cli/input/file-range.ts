/** A file with a stretch of lines behind its name: `src/a.ts:10-40`, `src/a.ts:7`, `src/a.ts:30-`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './usage.ts';

export interface FileRange {
  path: string;
  /** First and last line, from 1; -1 as last is the end. */
  range?: [number, number];
}

/** Unless a file has that very name. `lines` are those of an option beside it. Throws UsageError where both name some. */
export function parseFileRange(given: string, folder: string, lines?: string): FileRange {
  const parts = /^(.+):(\d+)(?:(-)(\d*))?$/.exec(given);
  const named = parts && !existsSync(resolve(folder, given));
  if (named && lines !== undefined)
    throw new UsageError(`the lines are given twice: as ${lines} and after the path`);
  if (!named) return { path: given, ...(lines === undefined ? {} : { range: parseLines(lines) }) };
  const [, path, first, dash, last] = parts;
  const end = last ? Number(last) : dash ? -1 : Number(first);
  return { path: path!, range: [Number(first), end] };
}

/** Lines as `git blame -L` names them: `10,40`, `10,+5`, `10,`, `,40`; also `10-40`, and `10,-1` to the end. */
function parseLines(text: string): [number, number] {
  const parts = /^(\d*)(?:[,-](-1|\+?\d*))?$/.exec(text);
  if (!parts || text === '' || text === ',')
    throw new UsageError(
      `lines must be such as 10,40 or 10,+5 or 10, (to the end), not ${JSON.stringify(text)}`,
    );
  const [, from, to] = parts;
  const first = Number(from || 1);
  if (to === undefined || to === '') return [first, -1];
  return [first, to.startsWith('+') ? first + Number(to) - 1 : Number(to)];
}

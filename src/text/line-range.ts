/** Line numbers that a caller gave, checked against the lines there are; nothing is ever clamped. */

import { EditError } from '../errors.ts';
import { fieldName, ifTool, Look, pathName } from '../wording.ts';
import type { Lines } from './lines.ts';
import { counted } from './words.ts';

export interface ValidLines {
  path: string;
  lines: Lines;
  min: number;
  max: number;
  /** Says what to do when the number is out of range, as a whole sentence. */
  advice: string;
}

/** Throws LINE_OUT_OF_RANGE unless min <= line <= max; `field` is what the caller calls the number. */
export function checkLine(field: string, line: number, valid: ValidLines): void {
  const { path, lines, min, max, advice } = valid;
  if (line >= min && line <= max) return;
  const range =
    max < min ? 'no number is valid' : min === max ? `only ${min} is valid` : `valid is ${min} to ${max}`;
  const message = `${fieldName(field)} ${line} is out of range: ${pathName(path)} has ${counted(lines.count, 'line')}, so ${range}. ${advice}`;
  throw new EditError('LINE_OUT_OF_RANGE', message, { path, field, line, min, max, line_count: lines.count });
}

/**
 * Throws LINE_OUT_OF_RANGE when `end` is before `start`, which is wrong in any file. `instead`: what to do for an
 * insertion, as a whole sentence.
 */
export function checkForward(
  path: string,
  start: readonly [field: string, line: number],
  end: readonly [field: string, line: number],
  instead: string,
): void {
  if (end[1] >= start[1]) return;
  const message = `${fieldName(end[0])} ${end[1]} is before ${fieldName(start[0])} ${start[1]}: both are lines of the range. ${instead}`;
  throw new EditError('LINE_OUT_OF_RANGE', message, { path, field: end[0], line: end[1], min: start[1] });
}

/** Throws LINE_OUT_OF_RANGE unless both numbers are lines of the file and `end` is not before `start`. */
export function checkLineRange(
  path: string,
  lines: Lines,
  start: readonly [field: string, line: number],
  end: readonly [field: string, line: number],
): void {
  const advice = `${Look()} the file for its present line numbers${ifTool('insert', tool => `; to add lines at the end use ${tool}`)}.`;
  checkLine(...start, { path, lines, min: 1, max: lines.count, advice });
  const below = `For the rest of the file send ${fieldName(end[0])} ${lines.count}.`;
  checkLine(...end, { path, lines, min: start[1], max: lines.count, advice: below });
}

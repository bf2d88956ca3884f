/**
 * Works out what to send in place of a stale edit whose lines or text are as they were: the rebase is planned, not
 * made.
 */

import type { Edit } from '../../../edits/edit.ts';
import { EditError } from '../../../errors.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { textFile } from '../../../text/document.ts';
import { lineWords, listed } from '../../../text/words.ts';
import { fieldName, ifField } from '../../../wording.ts';
import { mapBetween } from './rebase.ts';
import type { Repair, StaleTexts } from './stale.ts';

/** `null` where the edit is not about one file, or what it is about changed. */
export function repairOf(edit: Edit, input: unknown, texts: StaleTexts): Repair | null {
  const { path, base, present } = texts;
  const [given, ...more] = edit.paths(input as never);
  if (given === undefined || more.length > 0) return null;
  const mapped = edit.renumber ? edit.renumber(input as never, mapBetween(path, base, present)) : input;
  if (mapped === null || (edit.addressesLines && !edit.renumber)) return null;
  if (!canPlan(edit, mapped, given, present)) return null;
  const cite = `${fieldName('version')} "${present.version.slice(0, 12)}"`;
  const orRebase = ifField('on_stale', `, or the same call with ${fieldName('on_stale')}: "rebase"`);
  if (!edit.addressesLines) {
    return {
      words: `What it changes is still there as it was: send it with ${cite}${orRebase}.`,
      fields: {},
    };
  }
  const fields = Object.fromEntries(movedNumbers(input, mapped));
  const numbers = Object.entries(fields).map(([name, to]) => `${shownField(name)} ${to}`);
  const send = numbers.length === 0 ? 'send the same call' : `send ${listed(numbers)}`;
  return { words: `${linesWords(edit, input, mapped)}: ${send} with ${cite}${orRebase}.`, fields };
}

function canPlan(edit: Edit, input: unknown, path: string, present: StoredFile): boolean {
  try {
    const file = textFile(path, present.bytes, present.version);
    // A file that is written anew, moved or deleted is another decision once its text is another.
    return edit.plan(input as never, new Map([[path, file]])).every(change => change.kind === 'modify');
  } catch (error) {
    if (error instanceof EditError) return false;
    throw error;
  }
}

/** The most runs of lines that are told. */
const TOLD = 5;

/** `Line 26 is line 28 now and is unchanged`. */
function linesWords(edit: Edit, input: unknown, mapped: unknown): string {
  const [was, now] = [input, mapped].map(one => edit.lines?.(one as never) ?? []);
  const moves = was!.slice(0, TOLD).flatMap((from, i) => {
    const to = now![i]!;
    const verb = from.start === from.end ? 'is' : 'are';
    const [old, fresh] = [lineWords(from.start, from.end), lineWords(to.start, to.end)];
    return old === fresh ? [] : [`${old} ${verb} ${fresh} now`];
  });
  const [first = 'the lines that it names', ...rest] = moves;
  const one = moves.length === 1 && was!.length === 1 && was![0]!.start === was![0]!.end;
  const state =
    moves.length === 0 ? ' are where they were, unchanged' : one ? ' and is unchanged' : ' and unchanged';
  const words = [first, ...rest].join(', ') + state;
  return words[0]!.toUpperCase() + words.slice(1);
}

/** The numbers of an input that became others, by their paths. */
function movedNumbers(input: unknown, mapped: unknown, at = ''): Array<[string, number]> {
  if (typeof mapped === 'number') return input === mapped ? [] : [[at, mapped]];
  if (typeof mapped !== 'object' || mapped === null) return [];
  return Object.entries(mapped).flatMap(([key, value]) => {
    const name = Array.isArray(mapped) ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`;
    return movedNumbers((input as Record<string, unknown>)[key], value, name);
  });
}

function shownField(name: string): string {
  return /^\w+$/.test(name) ? fieldName(name) : name;
}

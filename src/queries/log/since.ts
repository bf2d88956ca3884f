/** Times as people and agents give them: a date, a time, or how long ago. */

import { EditError } from '../../errors.ts';

/**
 * `2026-11-20`, `2026-11-20T15:00Z`, `15:00`, `3h`, `2 hours ago`, `an hour ago`, `last week`, `today`, `yesterday`,
 * `monday`, `yesterday 15:00`, `@1700000000`. A day means its first moment; without a zone it is that of this machine.
 * Throws INVALID_INPUT.
 */
export function parseSince(text: string, now: Date = new Date()): Date {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[.\s]+/g, ' ');
  const time = relative(words, now) ?? ofDay(words, now) ?? absolute(text.trim());
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new EditError(
    'INVALID_INPUT',
    `${JSON.stringify(text.slice(0, 60))} is no time. Give one such as 2026-11-20, 2026-11-20T15:00Z, 3h, "2 days ago" or yesterday.`,
    { field: 'since' },
  );
}

const MILLISECONDS: ReadonlyArray<readonly [unit: RegExp, length: number]> = [
  [/^s(ec(ond)?s?)?$/, 1000],
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h((ou)?rs?)?$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
  [/^w(eeks?)?$/, 7 * 86_400_000],
];

/** Returns the time that long before now; `3h` is the same as `3 hours ago`. */
function relative(words: string, now: Date): Date | null {
  const parts = /^(?:(\d{1,6}) ?|(an?|last) )([a-z]+)(?: ago)?$/.exec(words);
  if (!parts) return null;
  const [, digits = '1', , unit] = parts;
  const count = Number(digits);
  const length = MILLISECONDS.find(([names]) => names.test(unit!))?.[1];
  if (length !== undefined) return new Date(now.getTime() - count * length);
  const months = /^mo(nths?)?$/.test(unit!) ? count : /^y(ears?)?$/.test(unit!) ? 12 * count : null;
  if (months === null) return null;
  const then = new Date(now);
  then.setMonth(then.getMonth() - months);
  return then;
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A day by its name, a time of day, or both. A time that is still to come today was yesterday's. */
function ofDay(words: string, now: Date): Date | null {
  if (words === 'now') return now;
  const parts = /^(?:(?:last )?([a-z]+))?(?:(?:^| (?:at )?)(\d{1,2}):(\d\d))?$/.exec(words);
  if (!parts || words === '') return null;
  const [, name, hours = '0', minutes = '0'] = parts;
  const back = name === undefined ? 0 : daysBack(name, now);
  if (back === null || Number(hours) > 23 || Number(minutes) > 59) return null;
  const then = new Date(now);
  then.setHours(Number(hours), Number(minutes), 0, 0);
  then.setDate(then.getDate() - (name === undefined && then > now ? 1 : back));
  return then;
}

/** Returns how many days ago the weekday was last, before today. */
function daysBack(name: string, now: Date): number | null {
  if (name === 'today' || name === 'midnight') return 0;
  if (name === 'yesterday') return 1;
  const day = DAYS.findIndex(one => one === name || one.slice(0, 3) === name);
  return day < 0 ? null : ((now.getDay() - day + 6) % 7) + 1;
}

/** ISO 8601; a date alone is that day here, not in Greenwich. */
function absolute(text: string): Date | null {
  const seconds = /^@(\d{1,12})$/.exec(text);
  if (seconds) return new Date(Number(seconds[1]) * 1000);
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return null;
  return new Date(
    /^[\d-]{10}$/.test(text) ? `${text}T00:00` : text.replace(' ', 'T').replace(/ (?=[-+Z])/, ''),
  );
}

/** Counts and times as people read them: in the time zone of this machine, and in the forms of git's `--date` and `log.date`. */

/** `1 edit`, `2 edits`. */
export function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

type Form = (time: Date) => string;

const FORMS: Readonly<Record<string, Form>> = {
  relative: time => ago(time),
  iso: time => `${day(time)} ${clock(time)} ${zone(time)}`,
  'iso-strict': time => `${day(time)}T${clock(time)}${zone(time).replace(/\d\d$/, ':$&')}`,
  short: day,
  rfc: time =>
    `${name(time, 0)}, ${time.getDate()} ${name(time, 1)} ${time.getFullYear()} ${clock(time)} ${zone(time)}`,
  default: time =>
    `${name(time, 0)} ${name(time, 1)} ${time.getDate()} ${clock(time)} ${time.getFullYear()} ${zone(time)}`,
  raw: time => `${seconds(time)} ${zone(time)}`,
  unix: time => String(seconds(time)),
};

/**
 * Returns the writer of dates in a form that `log.date` names: `auto:relative` unless it names one of these. `auto:` is for
 * terminals alone.
 */
export function dateWriter(form = '', isTerminal: boolean): Form {
  const [, auto, given = ''] = /^(auto:)?(.*?)(?:-local)?$/.exec(form.replace(/8601|2822/, ''))!;
  const isKnown = Object.hasOwn(FORMS, given);
  if (!isTerminal && (auto || !isKnown)) return FORMS.iso!;
  return FORMS[isKnown ? given : 'relative']!;
}

function day(time: Date): string {
  return [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
}

function clock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
}

function zone(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
}

/** The name of the day of the week, at 0, or of the month, at 1. */
function name(time: Date, at: 0 | 1): string {
  return time.toDateString().split(' ')[at]!;
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function two(number: number): string {
  return String(Math.floor(number)).padStart(2, '0');
}

/** Seconds below which a unit serves, as git has it, and the seconds of the unit. */
const STEPS: ReadonlyArray<readonly [below: number, length: number, unit: string]> = [
  [90, 1, 'second'],
  [90 * 60, 60, 'minute'],
  [36 * 3600, 3600, 'hour'],
  [14 * 86_400, 86_400, 'day'],
  [70 * 86_400, 7 * 86_400, 'week'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

/** `3 hours ago`; `just now` for what is not over yet. */
function ago(time: Date): string {
  const past = seconds(new Date()) - seconds(time);
  const [, length, unit] = STEPS.find(([below]) => past < below)!;
  return past < 1 ? 'just now' : `${counted(Math.round(past / length), unit)} ago`;
}

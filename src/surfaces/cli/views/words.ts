/** Counts and times as people read them, in the time zone of this machine. */

/** `1 edit`, `2 edits`. */
export function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

/** Words a time as git does, in local time: `2026-11-20 15:04:05 +0100`. */
export function localTime(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
  return `${localMinute(time)}:${two(time.getSeconds())} ${zone}`;
}

/** Words a local time without seconds: `2026-11-20 15:04`. */
export function localMinute(time: Date): string {
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function two(number: number): string {
  return String(Math.floor(number)).padStart(2, '0');
}

const STEPS: ReadonlyArray<readonly [seconds: number, unit: string]> = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [7 * 86_400, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `3 hours ago`; `just now` for what is not over yet. */
export function ago(time: Date, now: Date = new Date()): string {
  const seconds = Math.floor((now.getTime() - time.getTime()) / 1000);
  const step = STEPS.find(([length]) => seconds >= length);
  if (!step) return 'just now';
  return `${counted(Math.floor(seconds / step[0]), step[1])} ago`;
}

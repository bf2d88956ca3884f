/** Times as people give them. */

import { UsageError } from './usage.ts';

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10080 };

/** The value of --since. Throws UsageError. */
export function parseSince(text: string): Date {
  return parseTime('--since', text);
}

/** `2026-11-20`, `2026-11-20T15:00Z`, `3h`, `2 days ago`, of an option called `what`. Throws UsageError. */
export function parseTime(what: string, text: string): Date {
  const ago = /^(\d{1,6})[ .]?(m|h|d|w|minutes?|hours?|days?|weeks?)([ .]ago)?$/.exec(text.trim());
  if (ago) return new Date(Date.now() - Number(ago[1]) * MINUTES[ago[2]![0]!]! * 60_000);
  const time = new Date(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `${what} must be a time such as 2026-11-20, 2026-11-20T15:00Z, 3h or "2 days ago", not ${JSON.stringify(text)}`,
  );
}

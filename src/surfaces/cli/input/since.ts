/** Times as people give them in options. */

import { parseSince as parse } from '../../../workspace/queries/log/since.ts';
import { UsageError } from './usage.ts';

/** The value of --since. Throws UsageError. */
export function parseSince(text: string): Date {
  return parseTime('--since', text);
}

/** A time as workspace/since.ts understands it, of an option called `what`. Throws UsageError. */
export function parseTime(what: string, text: string): Date {
  try {
    return parse(text);
  } catch {
    throw new UsageError(
      `${what} must be a time such as 2026-11-20, 2026-11-20T15:00Z, 15:00, 3h, "2 days ago" or yesterday, not ${JSON.stringify(text)}`,
    );
  }
}

/** Limits of an open workspace, for hosts that open one for each tenant: they are counted as long as it is open. */

import * as z from 'zod';
import { deniedBy } from './policy/denied.ts';

export interface WorkspaceLimits {
  /** The most changes, since the workspace was opened. */
  edits?: number | undefined;
  /** The most bytes of new contents, of all its changes together. */
  bytes?: number | undefined;
  /** The most changes in a minute. */
  perMinute?: number | undefined;
}

const limit = () => z.int().nonnegative().optional();

export const limitsOption = (): z.ZodOptional<z.ZodType<WorkspaceLimits>> =>
  z.strictObject({ edits: limit(), bytes: limit(), perMinute: limit() }).optional();

const MINUTE = 60_000;

/** Counts the changes that were made, and refuses those that would be too many. */
export class Limits {
  readonly #limits: WorkspaceLimits;
  readonly #now: () => Date;
  #edits = 0;
  #bytes = 0;
  #recent: number[] = [];

  constructor(limits: WorkspaceLimits, now: () => Date) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Throws DENIED, which names the limit, and for `perMinute` when the next change may be made. */
  check(bytes: number): void {
    const {
      edits = Number.POSITIVE_INFINITY,
      bytes: room = Number.POSITIVE_INFINITY,
      perMinute,
    } = this.#limits;
    if (this.#edits >= edits) throw over('edits', `${edits} changes are made, and no more are allowed`);
    const left = room - this.#bytes;
    if (bytes > left) throw over('bytes', `this would write ${bytes} bytes, and ${left} of ${room} are left`);
    if (perMinute === undefined) return;
    const now = this.#now().getTime();
    this.#recent = this.#recent.filter(at => at > now - MINUTE);
    if (this.#recent.length < perMinute) return;
    const first = this.#recent[this.#recent.length - perMinute] ?? now;
    const seconds = Math.max(1, Math.ceil((first + MINUTE - now) / 1000));
    throw over(
      'perMinute',
      `${perMinute} changes a minute are allowed; wait ${seconds} seconds and send it again`,
    );
  }

  /** Counts a change that was made. */
  count(bytes: number): void {
    this.#edits++;
    this.#bytes += bytes;
    if (this.#limits.perMinute !== undefined) this.#recent.push(this.#now().getTime());
  }
}

function over(rule: string, words: string): Error {
  return deniedBy({ rule, policy: 'the limits of the host', words }, null);
}

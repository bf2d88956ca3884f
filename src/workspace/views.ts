/**
 * What a session has been shown: per path the version it saw. Line numbers that it gives later are a claim about
 * that version.
 */

import type { Delta } from './deltas.ts';

export interface Seen {
  version: string;
  /** The blob that git would record of it; `null` where the session's own edit at `commit` did. */
  recorded: string | null;
  /** The trail's head when the file was shown. */
  commit: string | null;
}

/** So many versions of a path are remembered. */
const REMEMBERED = 20;

export class Views {
  readonly #seen = new Map<string, Seen>();
  /** Newest first. */
  readonly #earlier = new Map<string, readonly Seen[]>();

  get(path: string): Seen | undefined {
    return this.#seen.get(path);
  }

  /** What was shown of the path, or made of it, under the version with these first digits. */
  find(path: string, digits: string): Seen | undefined {
    return this.#earlier.get(path)?.find(seen => seen.version.startsWith(digits));
  }

  /** The file was shown. */
  show(path: string, seen: Seen): void {
    this.#seen.set(path, seen);
    this.#earlier.set(path, [seen, ...(this.#earlier.get(path) ?? [])].slice(0, REMEMBERED));
  }

  /**
   * The session itself changed a file. It knows a file that it created; where no line moved, the numbers that it
   * knew are still right; elsewhere they are not, and what was seen stays as it was.
   */
  follow(delta: Delta, commit: string): void {
    const { path, from, before, after } = delta;
    const seen = this.#seen.get(from ?? path);
    if (from !== null) this.#seen.delete(from);
    if (!after) this.#seen.delete(path);
    else if (delta.kind === 'create') this.show(path, { version: after.version, recorded: null, commit });
    else if (seen && seen.version === before?.version && keepsLines(delta))
      this.show(path, { version: after.version, recorded: null, commit });
    else if (seen && from !== null) this.#seen.set(path, seen);
  }
}

function keepsLines(delta: Delta): boolean {
  return delta.lines.every(change => change.oldEnd - change.oldStart === change.newEnd - change.newStart);
}

/**
 * What a session has been shown: per path the version it saw. Line numbers that it gives later are a claim about
 * that version.
 */

import type { Delta } from './deltas.ts';

export interface Seen {
  version: string;
  /** The trail's head when the file was shown. */
  commit: string | null;
}

export class Views {
  readonly #seen = new Map<string, Seen>();

  get(path: string): Seen | undefined {
    return this.#seen.get(path);
  }

  /** The file was shown. */
  show(path: string, seen: Seen): void {
    this.#seen.set(path, seen);
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
    else if (delta.kind === 'create') this.#seen.set(path, { version: after.version, commit });
    else if (seen && seen.version === before?.version && keepsLines(delta))
      this.#seen.set(path, { version: after.version, commit });
    else if (seen && from !== null) this.#seen.set(path, seen);
  }
}

function keepsLines(delta: Delta): boolean {
  return delta.lines.every(change => change.oldEnd - change.oldStart === change.newEnd - change.newStart);
}

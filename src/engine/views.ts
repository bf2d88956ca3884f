/**
 * Remembers what a session has been shown: per path the version it saw, and the lines that answers to its own edits
 * showed since. Line numbers that it gives later are a claim about that.
 */

import type { LineRange } from '../text/snippet.ts';
import type { ShownLines } from './answer.ts';
import type { FileDiff } from './file-diffs.ts';

export interface Seen {
  version: string;
  /** The blob that git would record of it; `null` where the session's own edit at `commit` did. */
  recorded: string | null;
  /** The trail's head when the file was shown. */
  commit: string | null;
}

/** Lines of a version that answers showed, each with the number of the answer that did. */
interface Shown {
  version: string;
  lines: ReadonlyArray<{ range: LineRange; answer: number }>;
}

/** The answers of a session that a caller knows at a time: those after the first number of a pair, up to the second. */
export type Moment = ReadonlyArray<readonly [after: number, upTo: number]>;

/**
 * The views that one call may build on: files that its session was shown, and answers that it knew when it was made.
 */
export interface Viewer {
  get(path: string): Seen | undefined;
  find(path: string, digits: string): Seen | undefined;
  /** The lines of this version of the file that an answer showed; `null` when none did. */
  lines(path: string, version: string): readonly LineRange[] | null;
}

/** The most versions of a path that are remembered. */
const REMEMBERED = 20;

export class Views {
  readonly #seen = new Map<string, Seen>();
  readonly #shown = new Map<string, Shown>();
  /** Newest first. */
  readonly #earlier = new Map<string, readonly Seen[]>();
  #answers = 0;

  /** The number of answers to edits by now. */
  get answers(): number {
    return this.#answers;
  }

  /** An answer tells of something else than edits. Answers its number. */
  tells(): number {
    return ++this.#answers;
  }

  /** For a call that was made when these answers were known. */
  viewer(known: Moment): Viewer {
    return {
      get: path => this.get(path),
      find: (path, digits) => this.find(path, digits),
      lines: (path, version) => {
        const shown = this.#shown.get(path);
        const lines = shown?.version === version ? shown.lines : [];
        const seen = lines.filter(one =>
          known.some(([after, upTo]) => one.answer > after && one.answer <= upTo),
        );
        return seen.length > 0 ? seen.map(one => one.range) : null;
      },
    };
  }

  get(path: string): Seen | undefined {
    return this.#seen.get(path);
  }

  /** Returns what was shown of the path, or made of it, under the version with these first digits. */
  find(path: string, digits: string): Seen | undefined {
    return this.#earlier.get(path)?.find(seen => seen.version.startsWith(digits));
  }

  /** The file was shown. */
  show(path: string, seen: Seen): void {
    this.#seen.set(path, seen);
    this.#shown.delete(path);
    this.#earlier.set(path, [seen, ...(this.#earlier.get(path) ?? [])].slice(0, REMEMBERED));
  }

  /** An answer tells of files that the session itself changed at `commit`. */
  answer(fileDiffs: readonly FileDiff[], commit: string, known: ReadonlyMap<string, ShownLines>): void {
    this.#answers++;
    for (const fileDiff of fileDiffs) this.#follow(fileDiff, commit, known.get(fileDiff.path) ?? []);
  }

  /** An answer tells again of changes that were made before, which is all that is known of the files now. */
  repeated(fileDiffs: readonly FileDiff[], known: ReadonlyMap<string, ShownLines>): void {
    this.#answers++;
    for (const { path, after } of fileDiffs) {
      const lines = known.get(path) ?? [];
      const newer = this.#shown.get(path);
      if (!after || lines === 'all' || (newer && newer.version !== after.version)) continue;
      this.#shown.set(path, {
        version: after.version,
        lines: [...(newer?.lines ?? []), ...this.#now(lines)],
      });
    }
  }

  /**
   * The session knows a text that it gave whole, and one that it had been shown before it was taken back; where no line
   * moved, the numbers that it knew are still right. Elsewhere it knows the lines that the answer shows, and those above
   * the change that answers showed before.
   */
  #follow(fileDiff: FileDiff, commit: string, known: ShownLines): void {
    const { path, from, before, after } = fileDiff;
    const seen = this.#seen.get(from ?? path);
    const shown = this.#shown.get(from ?? path);
    for (const gone of [from, after ? null : path]) {
      if (gone !== null) this.#seen.delete(gone);
      if (gone !== null) this.#shown.delete(gone);
    }
    if (!after) return;
    const { version } = after;
    const sawBefore = seen !== undefined && seen.version === before?.version;
    const hadBefore = fileDiff.kind === 'create' && this.find(path, version) !== undefined;
    if (known === 'all' || hadBefore || (sawBefore && keepsLines(fileDiff))) {
      this.show(path, { version, recorded: null, commit });
      return;
    }
    if (seen) this.#seen.set(path, seen);
    const still = shown?.version === before?.version ? stillRight(shown?.lines ?? [], fileDiff) : [];
    this.#shown.set(path, { version, lines: [...still, ...this.#now(known)] });
  }

  #now(ranges: readonly LineRange[]): Shown['lines'] {
    return ranges.map(range => ({ range, answer: this.#answers }));
  }
}

function keepsLines(fileDiff: FileDiff): boolean {
  return fileDiff.lines.every(change => change.oldEnd - change.oldStart === change.newEnd - change.newStart);
}

/** Those lines that have the same number after the change. */
function stillRight(lines: Shown['lines'], fileDiff: FileDiff): Shown['lines'] {
  if (keepsLines(fileDiff)) return lines;
  const first = Math.min(...fileDiff.lines.map(change => change.oldStart));
  return lines
    .map(one => ({ ...one, range: { start: one.range.start, end: Math.min(one.range.end, first) } }))
    .filter(({ range }) => range.start <= range.end);
}

/** True when each of the named lines is among those shown; a line beyond the last of the text counts as that one. */
export function areShown(
  named: ReadonlyArray<{ start: number; end: number }>,
  shown: readonly LineRange[],
  count: number,
): boolean {
  const isShown = (line: number): boolean => shown.some(({ start, end }) => start <= line && line <= end);
  const within = (line: number): number => Math.max(1, Math.min(line, count));
  return named.every(({ start, end }) => {
    for (let line = within(start); line <= within(end) && count > 0; line++) if (!isShown(line)) return false;
    return true;
  });
}

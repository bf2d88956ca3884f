/** The files of the entries of a timeline, with as many diffs as there is room for. */

import type { FileDiff } from '../../engine/file-diffs.ts';
import { logEntry } from '../../engine/log-entry.ts';
import { withoutOverwritten } from '../../operations.ts';
import type { SourceRow, Sources } from '../line-sources.ts';

/** One file of one entry. */
export interface TimelineFile {
  kind: FileDiff['kind'];
  path: string;
  /** The path before a move; older entries of the file have that one. */
  from: string | null;
  added: number;
  removed: number;
  /** True when a side of the change is no text. */
  binary: boolean;
  /** As git prints it; `null` when it was left out. */
  diff: string | null;
  /**
   * The lines whose writer is not what the diffs tell: of a way back, those that it brought back; of a sync, those of the
   * commits that it joined. `null` when they were left out.
   */
  sources?: LineSource[] | null;
}

/** Lines `from` to `to` (1-based, inclusive) of the text after the entry, and the commit that wrote them. */
export interface LineSource {
  from: number;
  to: number;
  commit: string;
  /** The agent, or for an edit that names none its author. */
  author: string;
  subject: string;
  /** ISO 8601, UTC. */
  time: string;
}

/** Counts what a timeline holds. One text may take at most half of what is left, so that none starves the rest. */
export class Budget {
  leftOut = 0;
  #left: number;
  readonly #encoder = new TextEncoder();

  /** UTF-8 bytes. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend(text: string): void {
    this.#left -= this.#encoder.encode(text).length;
  }

  /** The text, or `null` when there is no room for it. */
  take(text: string): string | null {
    if (text === '') return text;
    const bytes = this.#encoder.encode(text).length;
    if (bytes > this.#left / 2) {
      this.leftOut++;
      return null;
    }
    this.#left -= bytes;
    return text;
  }
}

export class TimelineFiles {
  readonly #budget: Budget;
  readonly #sources: Sources;

  constructor(budget: Budget, sources: Sources) {
    this.#budget = budget;
    this.#sources = sources;
  }

  /** Tells the files of one entry. One that a move overwrote was deleted before the move: read backwards, it comes last. */
  of(commit: string, fileDiffs: readonly FileDiff[]): TimelineFile[] {
    const named = new Set(withoutOverwritten(fileDiffs));
    const backwards = [...named, ...fileDiffs.filter(fileDiff => !named.has(fileDiff))];
    const files = backwards.map(({ kind, path, from, added, removed, binary, diff }) => ({
      ...{ kind, path, from, added, removed, binary },
      diff: this.#budget.take(diff),
    }));
    for (const file of files) this.#tellSources(commit, file);
    return files;
  }

  #tellSources(commit: string, file: TimelineFile): void {
    const sources = this.#sources(commit, file.path).map(sourceOf);
    if (sources.length === 0 || file.kind === 'delete') return;
    file.sources = this.#budget.take(JSON.stringify(sources)) === null ? null : sources;
  }
}

function sourceOf({ from, to, entry }: SourceRow): LineSource {
  const { commit, agent, author, subject, time } = logEntry(entry);
  return { from, to, commit, author: agent ?? author, subject, time };
}

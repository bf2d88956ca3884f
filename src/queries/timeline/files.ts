/**
 * Collects what each entry of a timeline changed, read newest first, in such a way that every text follows from a few.
 */

import type { FileDiff } from '../../engine/file-diffs.ts';
import { logEntry } from '../../engine/log-entry.ts';
import { withoutOverwritten } from '../../operations.ts';
import type { StoredFile } from '../../stores/store.ts';
import { readableText } from '../../text/document.ts';
import type { SourceRow, Sources } from '../line-sources.ts';

/**
 * One file of one entry. Texts are those that the diff is about: line ends as they are, a byte order mark in front.
 *
 *     the text after this entry     `text`; where the entry `follows`, the text before the next newer entry of the
 *                                   file; '' after a deletion
 *     the text before this entry    the text after it with `diff` taken back
 */
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
  text: string | null;
  /** True where the next newer entry of the file began with the text after this one, which follows from it. */
  follows: boolean;
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

/** The newest entry of a path so far: what the file was before it, and whether that text can be told. */
interface Link {
  before: StoredFile | null;
  told: boolean;
}

export class TimelineFiles {
  readonly #budget: Budget;
  readonly #sources: Sources;
  readonly #newer = new Map<string, Link>();

  constructor(budget: Budget, sources: Sources) {
    this.#budget = budget;
    this.#sources = sources;
  }

  of(commit: string, fileDiffs: readonly FileDiff[]): TimelineFile[] {
    const named = new Set(withoutOverwritten(fileDiffs));
    // A file that a move overwrote was deleted before the move: read backwards, that comes after it.
    const backwards = [...named, ...fileDiffs.filter(fileDiff => !named.has(fileDiff))];
    const files = backwards.map(fileDiff => this.#add(fileDiff));
    for (const file of files) this.#tellSources(commit, file);
    return files;
  }

  #tellSources(commit: string, file: TimelineFile): void {
    const sources = this.#sources(commit, file.path).map(sourceOf);
    if (sources.length === 0 || file.kind === 'delete') return;
    file.sources = this.#budget.take(JSON.stringify(sources)) === null ? null : sources;
  }

  #add(fileDiff: FileDiff): TimelineFile {
    const { kind, path, from, added, removed, binary, before, after } = fileDiff;
    const newer = this.#newer.get(path);
    // Commits that are not in the timeline may have changed the file in between.
    const follows = newer?.told === true && newer.before?.version === after?.version;
    const diff = this.#budget.take(fileDiff.diff);
    const text = follows || after === null ? null : this.#textOf(path, after);
    const isKnown = follows || after === null || text !== null;
    this.#newer.delete(path);
    this.#newer.set(from ?? path, { before, told: isKnown && diff !== null && !binary });
    return { kind, path, from, added, removed, binary, diff, text, follows };
  }

  #textOf(path: string, file: StoredFile): string | null {
    const text = readableText(path, file)?.marked;
    return text === undefined ? null : this.#budget.take(text);
  }
}

function sourceOf({ from, to, entry }: SourceRow): LineSource {
  const { commit, agent, author, subject, time } = logEntry(entry);
  return { from, to, commit, author: agent ?? author, subject, time };
}

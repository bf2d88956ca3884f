/** One file through its edits: its text and the origin of each line at every step, worked out when first asked for. */

import type { LineSource, TimelineFile } from '../../../../queries/timeline/files.ts';
import type { Hunk } from '../contract.ts';
import { backward, forward, lines, parse } from './diff.ts';

/** The writer of a line: an entry; or a commit that is not in the page, which came with that entry. */
export interface Origin {
  entry: number;
  source?: LineSource;
}

/** An edit of the file: which entry, and what it did. */
export interface Step extends Origin {
  change: TimelineFile;
}

/** Words for a line that no entry tells of. */
export const BEFORE = 'before these edits';
export const UNKNOWN = 'not in this page';

export type LineOrigin = Origin | typeof BEFORE | typeof UNKNOWN;
type Origins = readonly LineOrigin[];

export class FileStory {
  /** The newest path. */
  readonly path: string;
  /** The path, marked when another file has it now. */
  readonly name: string;
  /** Oldest first. */
  readonly steps: Step[] = [];
  readonly #entryOf: (commit: string) => number | null;
  #before: Array<string[] | null> | undefined;
  readonly #after: Array<string[] | null> = [];
  readonly #hunks = new Map<number, Hunk[]>();
  readonly #origins = new Map<number, Origins | null>();

  /** `entryOf`: the entry of the page that is this commit. */
  constructor(path: string, name: string, entryOf: (commit: string) => number | null) {
    this.path = path;
    this.name = name;
    this.#entryOf = entryOf;
  }

  /** Returns the number of the step that an entry made, or -1. */
  stepOf(entry: number): number {
    return this.steps.findIndex(step => step.entry === entry);
  }

  /** Returns the lines before a step, `null` where they are not in the page. */
  before(step: number): string[] | null {
    this.#before ??= this.#rewind();
    return this.#before[step] ?? null;
  }

  /** Returns the lines when `count` edits are done, `null` where they are not in the page. */
  after(count: number): string[] | null {
    if (count === 0) return this.before(0);
    this.#before ??= this.#rewind();
    return this.#after[count - 1] ?? null;
  }

  /** Tells whether there is such a file once `count` edits are done. */
  exists(count: number): boolean {
    const { kind } = this.steps[Math.max(0, count - 1)]!.change;
    return count === 0 ? kind !== 'create' : kind !== 'delete';
  }

  /** Returns the hunks of a step, `null` where that is not in the page or not text. */
  hunks(step: number): Hunk[] | null {
    const { diff, binary } = this.steps[step]!.change;
    if (binary || diff === null) return null;
    const hunks = this.#hunks.get(step) ?? parse(diff);
    this.#hunks.set(step, hunks);
    return hunks;
  }

  /** Returns what wrote each line when `count` edits are done. */
  origins(count: number): Origins | null {
    let from = count;
    while (from > 0 && !this.#origins.has(from)) from--;
    for (let at = from; at <= count; at++) {
      if (!this.#origins.has(at)) this.#origins.set(at, this.#trace(at));
    }
    return this.#origins.get(count)!;
  }

  /** Works out the origins at one step, of those at the step before. */
  #trace(count: number): Origins | null {
    const lines = this.after(count);
    if (lines === null || count === 0) return lines?.map(() => BEFORE) ?? null;
    const step = this.steps[count - 1]!;
    const isApart = count > 1 && !this.steps[count - 2]!.change.follows;
    const before = isApart
      ? this.before(count - 1)?.map((): LineOrigin => UNKNOWN)
      : this.#origins.get(count - 1);
    const hunks = this.hunks(count - 1);
    return before && hunks
      ? this.#withSources(forward<LineOrigin>(before, hunks, step), step)
      : lines.map(() => UNKNOWN);
  }

  /** Lines that a step brought, or left as others wrote them. Where that is not in the page, nobody is named. */
  #withSources(origins: Origins, step: Step): Origins {
    const { sources = [] } = step.change;
    if (sources === null) return origins.map(origin => (origin === step ? UNKNOWN : origin));
    const result = [...origins];
    for (const source of sources) {
      const origin = this.#originOf(source, step);
      for (let at = source.from - 1; at < Math.min(source.to, result.length); at++) result[at] = origin;
    }
    return result;
  }

  #originOf(source: LineSource, step: Step): Origin {
    const entry = this.#entryOf(source.commit);
    if (entry === null) return { entry: step.entry, source };
    return this.steps.find(one => one.entry === entry) ?? { entry };
  }

  /** Works out the texts from the newest one backwards, as TimelineFile tells it. */
  #rewind(): Array<string[] | null> {
    const before: Array<string[] | null> = [];
    let next: string[] | null = null;
    for (let at = this.steps.length - 1; at >= 0; at--) {
      const { kind, text, follows } = this.steps[at]!.change;
      if (kind === 'delete') next = [];
      else if (text !== null) next = lines(text);
      else if (!follows) next = null;
      this.#after[at] = next;
      const hunks = this.hunks(at);
      next = next && hunks && backward(next, hunks);
      before[at] = next;
    }
    return before;
  }
}

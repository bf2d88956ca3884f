/** One file through its edits: its text and the origin of each line at every step, worked out when first asked for. */

import type { LineSource, TimelineFile } from '../../../../queries/timeline/files.ts';
import type { Hunk } from '../contract.ts';
import { backward, forward, lines, parse } from './diff.ts';

/** An edit of the file: which entry, and what it did. */
export interface Step {
  entry: number;
  change: TimelineFile;
}

/** A commit that is no step of the file, the step that brought its lines, and its entry if the page has it. */
export interface Source extends LineSource {
  step: number;
  entry: number | null;
}

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
  readonly #hunks = new Map<string, Hunk[]>();
  /** The origin of their lines is -3 less their place here. */
  readonly #sources: Source[] = [];
  readonly #origins = new Map<number, number[] | null>();

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
    return binary ? null : this.#parsed(diff);
  }

  /**
   * Returns the origin of each line when `count` edits are done: the index of a step; -1 for a line that was there before the
   * first; -2 for one that came in between, by commits that the page does not hold; -3 and less: see sourceOf.
   */
  origins(count: number): number[] | null {
    let from = count;
    while (from > 0 && !this.#origins.has(from)) from--;
    for (let at = from; at <= count; at++) {
      if (!this.#origins.has(at)) this.#origins.set(at, this.#trace(at));
    }
    return this.#origins.get(count)!;
  }

  /** Returns the commit behind an origin of -3 or less. */
  sourceOf(origin: number): Source | null {
    return this.#sources[-3 - origin] ?? null;
  }

  /** Works out the origins at one step, of those at the step before. */
  #trace(count: number): number[] | null {
    const lines = this.after(count);
    if (lines === null || count === 0) return lines?.map(() => -1) ?? null;
    const step = count - 1;
    const isApart = step > 0 && !this.steps[step - 1]!.change.follows;
    const before = isApart ? this.before(step)?.map(() => -2) : this.#origins.get(step);
    const hunks = this.hunks(step);
    return before && hunks ? this.#withSources(forward(before, hunks, step), step) : lines.map(() => -2);
  }

  /** Lines that a step brought, or left as others wrote them. Where that is not in the page, nobody is named. */
  #withSources(origins: number[], step: number): number[] {
    const { sources = [] } = this.steps[step]!.change;
    if (sources === null) return origins.map(origin => (origin === step ? -2 : origin));
    for (const source of sources) {
      const origin = this.#originOf(source, step);
      for (let at = source.from - 1; at < Math.min(source.to, origins.length); at++) origins[at] = origin;
    }
    return origins;
  }

  #originOf(source: LineSource, step: number): number {
    const entry = this.#entryOf(source.commit);
    const known = entry === null ? -1 : this.stepOf(entry);
    if (known >= 0) return known;
    this.#sources.push({ ...source, step, entry });
    return -2 - this.#sources.length;
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

  #parsed(diff: string | null): Hunk[] | null {
    if (diff === null) return null;
    if (!this.#hunks.has(diff)) this.#hunks.set(diff, parse(diff));
    return this.#hunks.get(diff)!;
  }
}

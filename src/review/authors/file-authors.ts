/** Finds out of one file who is behind each of its changes, and of which lines that is still to be asked. Pure. */

import { type Compared, compare } from '../../engine/rejections/compare.ts';
import type { Author, AuthorSet } from '../../engine/rejections/people.ts';
import { differingParts, type LineChange, splitLines } from '../../text/diff/line-diff.ts';
import type { Recorded } from '../../trail/steps.ts';
import type { ReviewedFile } from '../accepted/accepted-text.ts';

/** A file with its differences; `null` where it can only be taken as a whole. */
export interface ComparedFile extends ReviewedFile {
  compared: Compared | null;
}

export class Authors {
  readonly file: ComparedFile;
  /** By commit; '' for what is in none. */
  readonly found: Array<Map<string, Author>>;
  /** Lines that were taken out, 0-based in the accepted text, with the change that did it. */
  readonly removed: Map<number, number> = new Map();
  /** Old lines that are back, 0-based in the present text, with the change that they are in. */
  readonly brought: Map<number, number> = new Map();
  readonly #byContent: Partial<Record<'removed' | 'brought', Map<string, number[]>>> = {};
  /** True until it is known who changed the file as a whole. */
  whole: boolean;
  /** The number of versions of the file that were looked at. */
  looked = 0;
  /** The content of the file where history is looked at; `undefined`: not known yet. */
  at: Recorded | undefined;
  /** True where it makes a difference what was made since the review. */
  usesBase = false;
  /** The text of the version that was noted last, which is newer; `null`: not known. */
  #newer: string | null;

  constructor(file: ComparedFile) {
    this.file = file;
    this.found = (file.compared?.changes ?? [null]).map(() => new Map());
    this.whole = file.compared === null;
    this.#newer = file.present.text;
    for (const [at, { oldStart, oldEnd }] of (file.compared?.changes ?? []).entries())
      for (let line = oldStart; line < oldEnd; line++) this.removed.set(line, at);
  }

  add(at: number, author: Author): void {
    this.found[at]!.set(author?.commit ?? '', author);
  }

  get authors(): AuthorSet[] {
    return this.found.map(authors => new Set(authors.values()));
  }

  get isOpen(): boolean {
    const left = this.removed.size + this.brought.size;
    return (this.whole || left > 0) && this.looked < MOST_VERSIONS;
  }

  /**
   * Before `author` made a newer version, the file was this. Lines of the accepted text that it has were taken out by
   * `author`; lines of the present one that it has not were brought back by them.
   */
  note(text: string, author: Author): void {
    const step = this.#newer === null ? null : this.#step(text, this.#newer);
    this.#newer = text;
    for (const lines of ['removed', 'brought'] as const) {
      const settled = step && this.#takeChangedBy(lines, step);
      for (const at of settled ?? this.#takeChanged(lines, text).map(([, one]) => one)) this.add(at, author);
    }
  }

  /**
   * As `#settled`, from what one edit took out and put in alone: most versions differ in a few lines. `null` where that does
   * not tell, because other lines are the same as those.
   */
  #takeChangedBy(kind: 'removed' | 'brought', step: Step): number[] | null {
    const own = this.#linesOf(kind);
    const changed = kind === 'removed' ? step.gone : step.come;
    const lines = [...changed].flatMap(content => own.get(content) ?? []);
    const found = lines.filter(line => this[kind].has(line));
    if (found.length === 0) return [];
    if ([...changed].some(content => (own.get(content)?.length ?? 0) > 1)) return null;
    return found.map(line => {
      const at = this[kind].get(line)!;
      this[kind].delete(line);
      return at;
    });
  }

  #step(older: string, newer: string): Step {
    const { lineBreak } = this.file.compared!;
    const parts = differingParts(older, newer, lineBreak).map(part =>
      linesByContent(splitLines(part, lineBreak)),
    );
    return { gone: moreIn(parts[0]!, parts[1]!), come: moreIn(parts[1]!, parts[0]!) };
  }

  /** The lines of the accepted, or of the present, text by content, 0-based. */
  #linesOf(kind: 'removed' | 'brought'): Map<string, number[]> {
    const { old, now } = this.file.compared!;
    this.#byContent[kind] ??= linesByContent(kind === 'removed' ? old : now);
    return this.#byContent[kind];
  }

  /** As `note`, of a commit with a second parent: takes the lines along that are to be asked of that. `null`: no text. */
  fork(text: string | null): Authors {
    const fork = new Authors(this.file);
    for (const [line, author] of this.found.entries()) fork.found[line] = author;
    for (const lines of ['removed', 'brought'] as const) {
      fork[lines].clear();
      for (const [line, at] of text === null ? [] : this.#takeChanged(lines, text)) fork[lines].set(line, at);
    }
    return fork;
  }

  /** Gives all lines that have no author yet to `author`. */
  assignRest(author: Author): void {
    for (const at of [...this.removed.values(), ...this.brought.values()]) this.add(at, author);
  }

  /** Takes out of these lines those that are not as they are in the text, and answers them. */
  #takeChanged(kind: 'removed' | 'brought', text: string): Array<[line: number, at: number]> {
    const lines = this[kind];
    if (lines.size === 0) return [];
    const { accepted, present } = this.file;
    const lacking = linesOf(compare((kind === 'removed' ? accepted : present).text!, text).changes);
    const settled = [...lines].filter(([line]) => lacking.has(line) === (kind === 'brought'));
    for (const [line] of settled) lines.delete(line);
    return settled;
  }
}

/** The lines, by content, that an edit took out, and those that it put in. */
interface Step {
  gone: ReadonlySet<string>;
  come: ReadonlySet<string>;
}

/** The contents of which the one has more lines than the other. */
function moreIn(one: Map<string, number[]>, other: Map<string, number[]>): Set<string> {
  return new Set([...one.keys()].filter(text => one.get(text)!.length > (other.get(text)?.length ?? 0)));
}

function linesByContent(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const same = found.get(line);
    if (same) same.push(at);
    else found.set(line, [at]);
  }
  return found;
}

/** The lines of the older text that were replaced or taken out, 0-based. */
function linesOf(changes: readonly LineChange[]): Set<number> {
  const lines = new Set<number>();
  for (const { oldStart, oldEnd } of changes)
    for (let line = oldStart; line < oldEnd; line++) lines.add(line);
  return lines;
}

/** The most versions of one file that are looked at for who took lines out; what is older is not known then. */
const MOST_VERSIONS = 2_000;

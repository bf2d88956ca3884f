/** The lines of a weave: what each of them knows, and how lines are matched and put between others. */

import { lineDiff } from './line-diff.ts';

/** Who wrote a line: the base, the person, or an edit by its id. */
export type Writer = { by: 'base' } | { by: 'hand'; replaces: boolean } | { by: 'edit'; edit: string };

export interface WovenLine {
  text: string;
  writer: Writer;
  /** True while it is in the text. */
  shown: boolean;
  /** The edit that took it out; and the one of which the person took that back. */
  removedBy: string | null;
  keptFrom: string | null;
  /** The line that it was put in place of. */
  over: WovenLine | null;
  /** True where no choice of edits has it: the base lost it, or the person took it out of an edit. */
  dead: boolean;
}

export function newLine(text: string, writer: Writer, over: WovenLine | null = null): WovenLine {
  return { text, writer, shown: true, removedBy: null, keptFrom: null, over, dead: false };
}

export function takeOut(line: WovenLine, writer: Writer): void {
  line.shown = false;
  if (writer.by === 'edit') line.removedBy = writer.edit;
  else line.dead = true;
}

export function isEdits({ shown, writer }: WovenLine): boolean {
  return shown && writer.by === 'edit';
}

/** What another HEAD took out is not there for any edit. */
export function canComeBack({ writer, dead }: WovenLine): boolean {
  return writer.by !== 'base' || !dead;
}

export function isVisible({ writer, removedBy, dead }: WovenLine, edits: ReadonlySet<string>): boolean {
  if (dead || writer.by === 'hand' || (writer.by === 'edit' && !edits.has(writer.edit))) return false;
  return removedBy === null || !edits.has(removedBy);
}

/** The texts, each with the line of the gap that it is, or with the one that it comes before. */
export function aligned(
  gap: readonly WovenLine[],
  fresh: readonly string[],
  lineBreak: '\n' | '\r',
): Array<{ text: string; line: WovenLine | null; next: WovenLine | undefined }> {
  const joined = (texts: readonly string[]): string =>
    texts.map(text => (text.endsWith(lineBreak) ? text : text + lineBreak)).join('');
  const { changes } = lineDiff(joined(gap.map(({ text }) => text)), joined(fresh), lineBreak);
  const found: ReturnType<typeof aligned> = [];
  let [old, at] = [0, 0];
  const keep = (end: number): void => {
    while (at < end) found.push({ text: fresh[at++]!, line: gap[old++]!, next: undefined });
  };
  for (const { oldEnd, newStart, newEnd } of changes) {
    keep(newStart);
    while (at < newEnd) found.push({ text: fresh[at++]!, line: null, next: gap[oldEnd] });
    old = oldEnd;
  }
  keep(fresh.length);
  return found;
}

/**
 * Which lines of the gap these texts bring back: all that fit where there is nothing else, and else what one edit took out,
 * if that is there as a whole. A `}` among lines of the person's own has not come back.
 */
export function comeBack(
  gap: readonly WovenLine[],
  texts: ReadonlyArray<{ line: WovenLine | null }>,
): Set<WovenLine> {
  const found = new Set(texts.flatMap(({ line }) => line ?? []));
  if (texts.every(({ line }) => line !== null)) return found;
  const origin = ({ writer, removedBy }: WovenLine): string =>
    JSON.stringify([writer.by === 'edit' ? writer.edit : null, removedBy]);
  const parts = new Set(gap.filter(line => !line.shown && !found.has(line)).map(origin));
  return new Set([...found].filter(line => !parts.has(origin(line))));
}

/** Lines to be put between others, all at once. */
export class Insertions {
  readonly #lines: readonly WovenLine[];
  readonly #places: Map<WovenLine, number>;
  readonly #fresh = new Map<number, WovenLine[]>();

  constructor(lines: readonly WovenLine[]) {
    this.#lines = lines;
    this.#places = new Map(lines.map((line, at) => [line, at]));
  }

  before(line: WovenLine | undefined, fresh: WovenLine): void {
    this.#put(line ? this.#places.get(line)! : this.#lines.length, fresh);
  }

  after(line: WovenLine, fresh: WovenLine): void {
    this.#put(this.#places.get(line)! + 1, fresh);
  }

  /** The lines between two; without one of them from the beginning or to the end. */
  between(first: WovenLine | undefined, last: WovenLine | undefined): WovenLine[] {
    const start = first ? this.#places.get(first)! + 1 : 0;
    return this.#lines.slice(start, last ? this.#places.get(last)! : this.#lines.length);
  }

  made(): WovenLine[] {
    const all: WovenLine[] = [];
    for (let at = 0; at <= this.#lines.length; at++) {
      all.push(...(this.#fresh.get(at) ?? []));
      if (at < this.#lines.length) all.push(this.#lines[at]!);
    }
    return all;
  }

  #put(at: number, fresh: WovenLine): void {
    const there = this.#fresh.get(at);
    if (there) there.push(fresh);
    else this.#fresh.set(at, [fresh]);
  }
}

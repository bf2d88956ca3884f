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

/** True for what the person took out: of the base's, or of an edit's. */
export function isLostByHand({ writer, shown, removedBy, dead }: WovenLine): boolean {
  if (shown) return false;
  return writer.by === 'edit' ? dead : writer.by === 'base' && !dead && removedBy === null;
}

export function isVisible({ writer, removedBy, dead }: WovenLine, edits: ReadonlySet<string>): boolean {
  if (dead || writer.by === 'hand' || (writer.by === 'edit' && !edits.has(writer.edit))) return false;
  return removedBy === null || !edits.has(removedBy);
}

/** The edits of which something is there, and those of which the person took something back. */
export function workIn(lines: readonly WovenLine[]): { left: Set<string>; lost: Set<string> } {
  const [left, lost] = [new Set<string>(), new Set<string>()];
  for (const { writer, removedBy, keptFrom, dead } of lines) {
    if (writer.by === 'edit') (dead ? lost : left).add(writer.edit);
    if (removedBy !== null && !dead) left.add(removedBy);
    if (removedBy === null && keptFrom !== null) lost.add(keptFrom);
  }
  return { left, lost };
}

/** False for what only others than these edits, or the person, put there. */
export function isThere({ writer, dead }: WovenLine, edits: ReadonlySet<string>): boolean {
  return dead || writer.by === 'base' || (writer.by === 'edit' && edits.has(writer.edit));
}

/** Rows of lines that edits put in or took out, or that nobody but the person put in; the base's own are between. */
export function placesIn(lines: readonly WovenLine[]): WovenLine[][] {
  const places: WovenLine[][] = [[]];
  for (const line of lines) {
    const isBase = line.writer.by === 'base' && line.removedBy === null && !line.dead;
    if (!isBase) places.at(-1)!.push(line);
    else if (places.at(-1)!.length > 0) places.push([]);
  }
  return places;
}

/** A text, with the line of the gap that it is; `at` is where it stands in the gap, or what it comes before. */
export interface Aligned {
  text: string;
  line: WovenLine | null;
  at: number;
}

export function aligned(
  gap: readonly WovenLine[],
  fresh: readonly string[],
  lineBreak: '\n' | '\r',
  isCandidate: (line: WovenLine) => boolean,
): Aligned[] {
  const joined = (texts: readonly string[]): string =>
    texts.map(text => (text.endsWith(lineBreak) ? text : text + lineBreak)).join('');
  const places = [...gap.keys()].filter(at => isCandidate(gap[at]!));
  const old = places.map(at => gap[at]!.text);
  const found: Aligned[] = [];
  let next = 0;
  const keep = (end: number): void => {
    while (found.length < end) {
      const at = places[next++]!;
      found.push({ text: fresh[found.length]!, line: gap[at]!, at });
    }
  };
  for (const { oldEnd, newStart, newEnd } of lineDiff(joined(old), joined(fresh), lineBreak).changes) {
    keep(newStart);
    while (found.length < newEnd)
      found.push({ text: fresh[found.length]!, line: null, at: places[oldEnd] ?? gap.length });
    next = oldEnd;
  }
  keep(fresh.length);
  return found;
}

/**
 * Which lines of the gap these texts bring back: all that fit where there is nothing else, and else what one edit took out,
 * if that is there as a whole. A `}` among lines of the person's own has not come back.
 */
export function comeBack(gap: readonly WovenLine[], texts: readonly Aligned[]): Set<WovenLine> {
  const found = new Set(texts.flatMap(({ line }) => line ?? []));
  if (texts.every(({ line }) => line !== null)) return found;
  const origin = ({ writer, removedBy }: WovenLine): string =>
    JSON.stringify([writer.by === 'edit' ? writer.edit : null, removedBy]);
  const parts = new Set(gap.filter(line => !line.shown && !found.has(line)).map(origin));
  return new Set([...found].filter(line => !parts.has(origin(line))));
}

/** A line to be put before that at `at`. */
export interface Insertion {
  at: number;
  line: WovenLine;
}

/** More insertions than these are made by writing the lines anew. */
const FEW = 16;

/** Puts lines between others, in the order of their places; those for one place stay in their order. */
export function insert(lines: WovenLine[], insertions: readonly Insertion[]): void {
  const sorted = [...insertions].sort((a, b) => a.at - b.at);
  if (sorted.length <= FEW) {
    for (const { at, line } of sorted.reverse()) lines.splice(at, 0, line);
    return;
  }
  const all: WovenLine[] = [];
  let next = 0;
  for (let at = 0; at <= lines.length; at++) {
    for (; sorted[next]?.at === at; next++) all.push(sorted[next]!.line);
    if (at < lines.length) all.push(lines[at]!);
  }
  lines.length = 0;
  for (const line of all) lines.push(line);
}

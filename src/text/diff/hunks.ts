/** The hunks of a unified diff, as git prints them. */

import { countLines, lineStarts } from '../lines.ts';
import type { LineChange } from './line-diff.ts';

/** The lines of a text as git sees them, with their ends; 0-based, ranges without their end. */
export class GitLines {
  readonly text: string;
  /** Made when a line inside is asked for: a long text written over as a whole needs none. */
  #starts: Uint32Array | null = null;
  #length = -1;

  constructor(text: string) {
    this.text = text;
  }

  get length(): number {
    if (this.#length < 0) this.#length = this.#starts?.length ?? countLines(this.text, '\n');
    return this.#length;
  }

  /** Lines `from` to `to` as one text. */
  slice(from: number, to: number): string {
    return this.text.slice(this.#start(from), this.#start(to));
  }

  /** How many UTF-16 units these lines have. */
  units(from: number, to: number): number {
    return this.#start(to) - this.#start(from);
  }

  #start(n: number): number {
    if (n <= 0) return 0;
    if (this.#starts === null && this.text.length > LONG && n >= this.length) return this.text.length;
    this.#starts ??= lineStarts(this.text, '\n');
    return n < this.#starts.length ? this.#starts[n]! : this.text.length;
  }
}

/** UTF-16 units. The lines of a longer text are counted before they are noted, in four bytes each. */
const LONG = 4 * 1024 * 1024;
const NO_FINAL_NEWLINE = '\\ No newline at end of file\n';
const HEADING_BYTES = 80;

/** Every changed place with `context` common lines around it, under a line that says where it is; in parts. */
export function hunks(
  changes: LineChange[],
  oldLines: GitLines,
  newLines: GitLines,
  context: number,
  window = { above: 0, heading: '' },
): string[] {
  let heading = window.heading === '' ? '' : headingOf(window.heading);
  let searched = 0;
  const parts: string[] = [];
  for (const group of grouped(changes, context)) {
    const start = Math.max(0, group[0]!.oldStart - context);
    heading = headingBefore(oldLines, start, searched) ?? heading;
    searched = start;
    for (const part of hunk(group, oldLines, newLines, context, { above: window.above, heading }))
      parts.push(part);
  }
  return parts;
}

/** What git shows behind a hunk's numbers: the last line before it that begins like a name (xdiff's def_ff). */
function headingBefore(lines: GitLines, end: number, start: number): string | null {
  for (let n = end - 1; n >= start; n--) {
    const line = lines.slice(n, n + 1);
    if (/^[A-Za-z_$]/.test(line)) return headingOf(line);
  }
  return null;
}

function headingOf(line: string): string {
  return ` ${firstBytes(line, HEADING_BYTES).replace(/[ \t-\r]+$/, '')}`;
}

function firstBytes(text: string, count: number): string {
  if (ASCII.test(text)) return text.slice(0, count);
  const bytes = new TextEncoder().encode(text.slice(0, count)).subarray(0, count);
  return new TextDecoder().decode(bytes, { stream: true });
}

const ASCII = /^[\0-\x7f]*$/;

/** Changes whose contexts touch share a hunk. */
function grouped(changes: LineChange[], context: number): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const previous = groups.at(-1)?.at(-1);
    if (previous && change.oldStart - previous.oldEnd <= 2 * context) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

function* hunk(
  group: LineChange[],
  oldLines: GitLines,
  newLines: GitLines,
  context: number,
  { above, heading }: { above: number; heading: string },
): Generator<string> {
  const first = group[0]!;
  const last = group.at(-1)!;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines.length - last.oldEnd);
  const oldRange = range(above + first.oldStart - before, above + last.oldEnd + after);
  const newRange = range(above + first.newStart - before, above + last.newEnd + after);
  yield `@@ -${oldRange} +${newRange} @@${heading}\n`;
  let at = first.oldStart - before;
  for (const change of group) {
    yield* marked(' ', oldLines.slice(at, change.oldStart));
    yield* marked('-', oldLines.slice(change.oldStart, change.oldEnd));
    yield* marked('+', newLines.slice(change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  yield* marked(' ', oldLines.slice(at, at + after));
}

/**
 * The text with the mark before each line, in parts: replaced at once, V8 makes three strings for each line, and that
 * takes gigabytes for millions of them.
 */
function* marked(mark: string, lines: string): Generator<string> {
  for (let at = 0, end = 0; at < lines.length; at = end) {
    end = lines.indexOf('\n', at + AT_ONCE) + 1 || lines.length;
    const part = lines.slice(at, end);
    const ended = part.endsWith('\n');
    const body = ended ? part.slice(0, -1) : part;
    yield `${mark}${body.split('\n').join(`\n${mark}`)}\n${ended ? '' : NO_FINAL_NEWLINE}`;
  }
}

/** UTF-16 characters, and the rest of the line in which they end. */
const AT_ONCE = 8192;

/** `start,count` of lines start..end (0-based, end exclusive); an empty range names the line before it. */
function range(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

/**
 * A unified diff as git prints it (git-diff, "Generating patch text with -p"), such that `git apply` makes exactly the
 * new text of the old one: lines end with LF alone, a CR is part of its line.
 */

import { gitName } from '../../c-quote.ts';
import { Lines } from '../lines.ts';
import { type LineChange, lineDiff } from './line-diff.ts';

export interface DiffInput {
  oldPath: string;
  newPath: string;
  /** `null`: there was no file. A text of a file with a byte order mark applies only with the mark before it. */
  oldText: string | null;
  /** The new text; `null`: there is no file any more. */
  newText: string | null;
  /** The mode before, as git records it; default 100644. */
  oldMode?: string;
  /** Default: the old mode. */
  newMode?: string;
  /** The bytes of the two sides differ and at least one is not text: headers and git's one-line notice only. */
  binary?: boolean;
  /** Common lines around a change; default 3. */
  context?: number;
}

export interface UnifiedDiff {
  /** Lines added and removed, as `git diff --numstat` counts them. */
  added: number;
  removed: number;
  /** '' when neither text, path nor mode changed. Made when it is first asked for. */
  readonly text: string;
  /** The changed lines, of lines that LF alone ends. */
  changes: readonly LineChange[];
}

const REGULAR = '100644';
const CONTEXT_LINES = 3;

/** The diff of one file. Bounded in time: of texts that differ in very much, it may be larger than it had to be. */
export function unifiedDiff(input: DiffInput): UnifiedDiff {
  const oldText = input.oldText ?? '';
  const newText = input.newText ?? '';
  const changes = input.binary ? [] : lineDiff(oldText, newText);
  let text: string | undefined;
  return {
    get text() {
      text ??= textOf(input, changes);
      return text;
    },
    changes,
    added: changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
  };
}

function textOf(input: DiffInput, changes: LineChange[]): string {
  const oldLines = new Lines(input.oldText ?? '', '\n');
  const newLines = new Lines(input.newText ?? '', '\n');
  const body = input.binary
    ? [binaryNotice(input)]
    : hunks(changes, oldLines, newLines, input.context ?? CONTEXT_LINES);
  const head = extendedHeader(input, () => (input.binary ? 0 : similarity(changes, oldLines, newLines)));
  if (head === '' && body.length === 0) return '';
  // Joined at once: a body of hundreds of megabytes is copied each time.
  const line = `diff --git ${gitName(`a/${input.oldPath}`)} ${gitName(`b/${input.newPath}`)}\n`;
  return [line, head, fileLines(input, body.length > 0), ...body].join('');
}

function extendedHeader(input: DiffInput, similar: () => number): string {
  const { oldPath, newPath, oldText, newText, oldMode = REGULAR, newMode = oldMode } = input;
  if (oldText === null) return `new file mode ${input.newMode ?? REGULAR}\n`;
  if (newText === null) return `deleted file mode ${oldMode}\n`;
  const mode = oldMode === newMode ? '' : `old mode ${oldMode}\nnew mode ${newMode}\n`;
  if (oldPath === newPath) return mode;
  return `${mode}similarity index ${similar()}%\nrename from ${gitName(oldPath)}\nrename to ${gitName(newPath)}\n`;
}

/** The share of the larger side that is common lines, in percent: what git calls the similarity index. */
function similarity(changes: LineChange[], oldLines: Lines, newLines: Lines): number {
  const larger = Math.max(oldLines.text.length, newLines.text.length);
  if (larger === 0) return 100;
  const removed = changes.reduce(
    (sum, { oldStart, oldEnd }) => sum + rows(oldLines, oldStart, oldEnd).length,
    0,
  );
  return Math.floor((100 * (oldLines.text.length - removed)) / larger);
}

function fileLines(input: DiffInput, hasBody: boolean): string {
  if (!hasBody || input.binary) return '';
  const from = input.oldText === null ? '/dev/null' : fileName(`a/${input.oldPath}`);
  const to = input.newText === null ? '/dev/null' : fileName(`b/${input.newPath}`);
  return `--- ${from}\n+++ ${to}\n`;
}

/** Returns the name for a header. As in git, a tab follows one that holds a blank, so that `patch` sees where it ends. */
function fileName(path: string): string {
  return path.includes(' ') ? `${gitName(path)}\t` : gitName(path);
}

function binaryNotice({ oldPath, newPath, oldText, newText }: DiffInput): string {
  const from = oldText === null ? '/dev/null' : gitName(`a/${oldPath}`);
  const to = newText === null ? '/dev/null' : gitName(`b/${newPath}`);
  return `Binary files ${from} and ${to} differ\n`;
}

/** The text of lines `from` to `to` (0-based, end exclusive), with their ends. */
function rows(lines: Lines, from: number, to: number): string {
  return lines.text.slice(lines.offset(from + 1), lines.offset(to + 1));
}

const NO_FINAL_NEWLINE = '\\ No newline at end of file\n';
const HEADING_BYTES = 80;

/** Every changed place with `context` common lines around it, under a line that says where it is; in parts. */
function hunks(changes: LineChange[], oldLines: Lines, newLines: Lines, context: number): string[] {
  let heading = '';
  let searched = 0;
  const parts: string[] = [];
  for (const group of grouped(changes, context)) {
    const start = Math.max(0, group[0]!.oldStart - context);
    heading = headingBefore(oldLines, start, searched) ?? heading;
    searched = start;
    for (const part of hunk(group, oldLines, newLines, context, heading)) parts.push(part);
  }
  return parts;
}

/**
 * Returns the heading that git shows behind a hunk's numbers: the last line before it that begins like a name (xdiff's
 * def_ff).
 */
function headingBefore(lines: Lines, end: number, start: number): string | null {
  for (let n = end - 1; n >= start; n--) {
    const line = rows(lines, n, n + 1);
    if (/^[A-Za-z_$]/.test(line)) return ` ${firstBytes(line, HEADING_BYTES).replace(/[ \t-\r]+$/, '')}`;
  }
  return null;
}

function firstBytes(text: string, count: number): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.slice(0, count);
  const bytes = new TextEncoder().encode(text.slice(0, count)).subarray(0, count);
  return new TextDecoder().decode(bytes, { stream: true });
}

/** Groups the changes whose contexts touch, and which so share a hunk. */
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
  oldLines: Lines,
  newLines: Lines,
  context: number,
  heading: string,
): Generator<string> {
  const first = group[0]!;
  const last = group.at(-1)!;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines.count - last.oldEnd);
  const oldRange = range(first.oldStart - before, last.oldEnd + after);
  const newRange = range(first.newStart - before, last.newEnd + after);
  yield `@@ -${oldRange} +${newRange} @@${heading}\n`;
  let at = first.oldStart - before;
  for (const change of group) {
    yield* marked(' ', rows(oldLines, at, change.oldStart));
    yield* marked('-', rows(oldLines, change.oldStart, change.oldEnd));
    yield* marked('+', rows(newLines, change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  yield* marked(' ', rows(oldLines, at, at + after));
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

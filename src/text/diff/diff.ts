/**
 * A unified diff as git prints it (git-diff, "Generating patch text with -p"), such that `git apply` makes exactly the
 * new text of the old one: lines end with LF alone, a CR is part of its line.
 */

import { gitName } from '../../c-quote.ts';
import { GitLines, hunks } from './hunks.ts';
import { type LineChange, type LineDiffLimits, lineDiff, shifted } from './line-diff.ts';

export interface DiffInput {
  oldPath: string;
  newPath: string;
  /** `null`: there was no file. A text of a file with a byte order mark applies only with the mark before it. */
  oldText: string | null;
  /** `null`: there is no file any more. */
  newText: string | null;
  /** As git records it; default 100644. */
  oldMode?: string;
  /** Default: the old mode. */
  newMode?: string;
  /** The bytes of the two sides differ and at least one is not text: headers and git's one-line notice only. */
  binary?: boolean;
  /** Common lines around a change; default 3. */
  context?: number;
  limits?: LineDiffLimits;
  /** Where the texts are a window of longer ones: how many lines are above, and which of them a hunk is headed by. */
  window?: { above: number; heading: string };
}

export interface DiffStats {
  /** Lines added and removed, as `git diff --numstat` counts them. */
  added: number;
  removed: number;
  /** True when the comparison was cut short: the diff is right, but larger than it had to be. */
  coarse: boolean;
}

export interface UnifiedDiff extends DiffStats {
  /** '' when neither text, path nor mode changed. */
  text: string;
  /** Which lines, ended by LF alone, became which. */
  changes: readonly LineChange[];
}

const REGULAR = '100644';
const CONTEXT_LINES = 3;

/** The diff of one file. Bounded in time: see `coarse`. */
export function unifiedDiff(input: DiffInput): UnifiedDiff {
  const oldText = input.oldText ?? '';
  const newText = input.newText ?? '';
  const diff = input.binary ? { changes: [], coarse: false } : lineDiff(oldText, newText, '\n', input.limits);
  const oldLines = new GitLines(oldText);
  const newLines = new GitLines(newText);
  const body = input.binary
    ? [binaryNotice(input)]
    : hunks(diff.changes, oldLines, newLines, input.context ?? CONTEXT_LINES, input.window);
  const head = extendedHeader(input, () => (input.binary ? 0 : similarity(diff.changes, oldLines, newLines)));
  const isNone = head === '' && body.length === 0;
  // Joined at once: a body of hundreds of megabytes is copied each time.
  const text = isNone ? '' : [gitLine(input), head, fileLines(input, body.length > 0), ...body].join('');
  const above = input.window?.above ?? 0;
  const changes = diff.changes.map(change => shifted(change, above));
  return { text, changes, ...countLines(diff.changes), coarse: diff.coarse };
}

function countLines(changes: LineChange[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    added += change.newEnd - change.newStart;
    removed += change.oldEnd - change.oldStart;
  }
  return { added, removed };
}

function gitLine({ oldPath, newPath }: DiffInput): string {
  return `diff --git ${gitName(`a/${oldPath}`)} ${gitName(`b/${newPath}`)}\n`;
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
function similarity(changes: LineChange[], oldLines: GitLines, newLines: GitLines): number {
  const larger = Math.max(oldLines.text.length, newLines.text.length);
  if (larger === 0) return 100;
  const removed = changes.reduce((sum, { oldStart, oldEnd }) => sum + oldLines.units(oldStart, oldEnd), 0);
  return Math.floor((100 * (oldLines.text.length - removed)) / larger);
}

function fileLines(input: DiffInput, hasBody: boolean): string {
  if (!hasBody || input.binary) return '';
  const from = input.oldText === null ? '/dev/null' : fileName(`a/${input.oldPath}`);
  const to = input.newText === null ? '/dev/null' : fileName(`b/${input.newPath}`);
  return `--- ${from}\n+++ ${to}\n`;
}

/** Git puts a tab after a name that holds a blank, so that `patch` sees where it ends. */
function fileName(path: string): string {
  return path.includes(' ') ? `${gitName(path)}\t` : gitName(path);
}

function binaryNotice({ oldPath, newPath, oldText, newText }: DiffInput): string {
  const from = oldText === null ? '/dev/null' : gitName(`a/${oldPath}`);
  const to = newText === null ? '/dev/null' : gitName(`b/${newPath}`);
  return `Binary files ${from} and ${to} differ\n`;
}

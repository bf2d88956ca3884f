/** Finds the lines of a timeline's entries that others wrote than the diffs tell. */

import { isOutside } from '../../../operations.ts';
import { textFile } from '../../../text/document.ts';
import { linesOf } from '../../../text/lines.ts';
import { readEntry } from '../../../trail/walk.ts';
import { type Context, toTrail } from '../../context.ts';
import type { FileDiff } from '../../file-diffs.ts';
import { type BroughtFile, lineSources, mayBring, type SourceRow } from '../line-sources.ts';
import type { LogEntry } from '../log/history.ts';
import type { TimelineDiffs } from './diffs.ts';

/** The most lines that are looked up besides those that diffs add. */
const MOST_LINES = 500_000;

export class TimelineSources {
  readonly #rows = new Map<string, readonly SourceRow[]>();

  /** In the file of the workspace after the commit. */
  of(commit: string, path: string): readonly SourceRow[] {
    return this.#rows.get(`${commit}\0${path}`) ?? [];
  }

  /** Looks up those of the entries, newest first, in one pass through history. */
  static async read(
    context: Context,
    fileDiffs: TimelineDiffs,
    entries: readonly LogEntry[],
  ): Promise<TimelineSources> {
    const asked: Array<BroughtFile & { name: string }> = [];
    let left = MOST_LINES;
    for (const { commit, parents } of entries) {
      const entry = await readEntry(context.objects, commit);
      if (!mayBring(entry)) continue;
      for (const fileDiff of (await fileDiffs.of(entry)).fileDiffs) {
        const count = parents.length > 1 || isOutside(entry.meta!.op) ? 0 : countOf(fileDiff);
        const file = { entry, name: fileDiff.path, ...broughtFile(context, fileDiff) };
        if (isByLineFeeds(fileDiff)) asked.push(count <= left ? { ...file, count } : file);
        left -= Math.min(count, left);
      }
    }
    const sources = new TimelineSources();
    for (const [at, rows] of (await lineSources(context.objects, asked)).entries()) {
      const { entry, name } = asked[at]!;
      sources.#rows.set(`${entry.commit}\0${name}`, rows);
    }
    return sources;
  }
}

function broughtFile(
  context: Context,
  { path, from, lines }: FileDiff,
): Pick<BroughtFile, 'path' | 'from' | 'lines'> {
  return { path: toTrail(context, path), from: from === null ? null : toTrail(context, from), lines };
}

/** A way back may leave a line that is now again that of somebody else, where the whole file is as it was. */
function countOf(fileDiff: FileDiff): number {
  return fileDiff.after && !fileDiff.binary ? linesOf(textOf(fileDiff)).count : 0;
}

/** A page counts lines as diffs do, which is by line feeds alone. */
function isByLineFeeds(fileDiff: FileDiff): boolean {
  return fileDiff.after !== null && !fileDiff.binary && linesOf(textOf(fileDiff)).lineBreak !== '\r';
}

function textOf({ path, after }: FileDiff): string {
  return textFile(path, after!.bytes, after!.version).text;
}

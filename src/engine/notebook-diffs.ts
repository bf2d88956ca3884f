/** The difference of a notebook by its cells: their sources as text, and which cells changed besides. */

import { unifiedDiff } from '../text/diff/diff.ts';
import { textFile } from '../text/document.ts';
import { isNotebookPath, type Notebook, type NotebookCell, readNotebook } from '../text/notebook.ts';
import { listedSome } from '../text/words.ts';
import type { FileDiff } from './file-diffs.ts';

/** Returns the difference of a notebook by its cells; that of any other file as it is. */
export function byCells(fileDiff: FileDiff): FileDiff {
  const { path, from, before, after, binary } = fileDiff;
  if (binary || !isNotebookPath(path)) return fileDiff;
  const [old, now] = [before, after].map(
    file => file && readNotebook(textFile(path, file.bytes, file.version).text),
  );
  if ((before && !old) || (after && !now)) return fileDiff;
  const { text } = unifiedDiff({
    oldPath: from ?? path,
    newPath: path,
    oldText: old ? sourcesOf(old) : null,
    newText: now ? sourcesOf(now) : null,
    ...(before ? { oldMode: before.mode } : {}),
    ...(after ? { newMode: after.mode } : {}),
  });
  const head = text === '' ? `${fileDiff.diff.split('\n')[0]}\n` : text;
  const rest = old && now ? restWords(old, now) : '';
  return { ...fileDiff, diff: named(head, now ?? old!) + rest };
}

function headOf({ type, id }: NotebookCell): string {
  return `%% ${type}${id === null ? '' : ` ${id}`}`;
}

/** Joins the sources of cells with one line before each, without a number: a cell that comes in between changes no other one. */
function sourcesOf({ cells }: Notebook): string {
  return cells.map(cell => [headOf(cell), ...cell.lines.map(({ text }) => text), ''].join('\n')).join('');
}

/** Puts the number of the cell of its first change above each hunk, in place of git's line. */
function named(diff: string, { cells }: Notebook): string {
  const numbers = cells.flatMap(({ number, lines }) => Array<number>(lines.length + 1).fill(number));
  return diff.replace(
    /^(@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@)[^\n]*\n((?: .*\n)*)/gm,
    (_, range, start, common) => {
      const at = Number(start) - 1 + common.split('\n').length - 1;
      const number = numbers[Math.min(at, numbers.length - 1)];
      return `${range}${number === undefined ? '' : ` cell ${number}`}\n${common}`;
    },
  );
}

/** Says what changed besides the sources, as a line in brackets. */
function restWords(old: Notebook, now: Notebook): string {
  const keyOf = ({ id, number }: NotebookCell): string | number => id ?? number;
  const known = new Map(old.cells.map(cell => [keyOf(cell), cell.rest]));
  const changed = now.cells.filter(cell => (known.get(keyOf(cell)) ?? cell.rest) !== cell.rest);
  const parts = [
    ...(changed.length > 0
      ? [
          `outputs or metadata of ${changed.length === 1 ? 'cell' : 'cells'} ${listedSome(changed.map(({ number }) => String(number)))}`,
        ]
      : []),
    ...(old.rest === now.rest ? [] : ['metadata of the notebook']),
  ];
  return parts.length === 0 ? '' : `(changed, too: ${parts.join('; ')})\n`;
}

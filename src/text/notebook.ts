/** Notebooks as people read them: the sources of their cells, and where each line of these stands in the JSON. Pure. */

export interface NotebookCell {
  /** The number of the cell, from 1. */
  number: number;
  /** `null` in older notebooks, whose cells have none. */
  id: string | null;
  /** `code`, `markdown`, `raw`. */
  type: string;
  lines: NotebookLine[];
  /** All of the cell but its source, to tell whether it changed. */
  rest: string;
}

export interface NotebookLine {
  text: string;
  /** The line of the file in which it begins, from 1. */
  line: number;
}

export interface Notebook {
  cells: NotebookCell[];
  /** All but the cells. */
  rest: string;
}

export interface CellPlace {
  /** The number of the cell, from 1, and its id, where it has one. */
  cell: number;
  id: string | null;
  /** The line of the cell's source, from 1. */
  line: number;
}

interface RawCell {
  id?: unknown;
  cell_type?: unknown;
  source?: unknown;
}

export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Reads a notebook; `null` for a text that is none. */
export function readNotebook(text: string): Notebook | null {
  try {
    const { cells, ...rest } = JSON.parse(text) as { cells: RawCell[] };
    if (!cells.every(({ source }) => [source].flat().every(one => typeof one === 'string'))) return null;
    const sources = sourcesIn(text);
    return {
      cells: cells.map((cell, at) => readCell(cell, at, sources[at] ?? [])),
      rest: JSON.stringify(rest),
    };
  } catch {
    return null;
  }
}

function readCell(
  { source: _source, ...rest }: RawCell,
  at: number,
  source: readonly NotebookLine[],
): NotebookCell {
  const { id, cell_type: type } = rest;
  const lines: NotebookLine[] = [];
  let isOpen = false;
  for (const { text, line } of source)
    for (const part of text.split(/(?<=\n)/)) {
      if (isOpen) lines.at(-1)!.text += part;
      else if (part !== '') lines.push({ text: part, line });
      isOpen = lines.length > 0 && !lines.at(-1)!.text.endsWith('\n');
    }
  return {
    number: at + 1,
    id: typeof id === 'string' ? id : null,
    type: String(type ?? 'cell'),
    lines: lines.map(one => ({ ...one, text: one.text.replace(/\r?\n$/, '') })),
    rest: JSON.stringify(rest),
  };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,\n]|[^\s{}[\]:,"]+/g;

/** The texts of each cell's source, as they stand in the JSON. */
function sourcesIn(text: string): NotebookLine[][] {
  const found: NotebookLine[][] = [];
  /** The objects and lists around a place, each with the name or the number of what comes next. */
  const above: Array<{ isList: boolean; key: string | number | null }> = [];
  let line = 1;
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = above.at(-1);
    if (token === '\n') line++;
    else if (token === ':') continue;
    else if (token === ',') inner!.key = inner!.isList ? (inner!.key as number) + 1 : null;
    else if (token === '}' || token === ']') above.pop();
    else if (inner && inner.key === null) inner.key = JSON.parse(token);
    else {
      const [top, cell, name] = above.map(({ key }) => key);
      if (token.startsWith('"') && top === 'cells' && name === 'source' && above.length <= 4)
        (found[cell as number] ??= []).push({ text: JSON.parse(token), line });
      const isList = token === '[';
      if (isList || token === '{') above.push({ isList, key: isList ? 0 : null });
    }
  }
  return found;
}

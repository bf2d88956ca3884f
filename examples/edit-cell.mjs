/**
 * An edit of your own for notebooks: `edit_cell` gives a cell, named by its id or number, another source. Every byte outside
 * that source stays: the outputs, the metadata, and how the JSON is laid out.
 */

import { defineEdit, EditError, initRepository, openWorkspace, runTool } from 'versioned-edit';
import * as z from 'zod';

export const editCell = defineEdit({
  name: 'edit_cell',
  description: 'Replace the source of one cell of a Jupyter notebook. Its outputs stay as they are.',
  input: z.strictObject({
    path: z.string(),
    cell: z.union([z.string(), z.int().positive()]).describe('The id of the cell, or its number from 1.'),
    source: z.string().describe('The whole new source.'),
  }),
  aliases: { cell: ['cell_id', 'cell_number'], source: ['new_source'] },
  example: { path: 'report.ipynb', cell: 2, source: 'x = 1\nprint(x)' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan({ path, cell, source }, files) {
    const text = files.get(path)?.text;
    if (text === undefined)
      throw new EditError('FILE_NOT_FOUND', `There is no notebook at ${path}.`, { path });
    const cells = cellsOf(text, path);
    const at = typeof cell === 'number' ? cell - 1 : cells.findIndex(({ id }) => id === cell);
    if (!cells[at]) throw noCell(path, cell, cells);
    const place = placeOf(text, ['cells', at, 'source']);
    const line = text.slice(text.lastIndexOf('\n', place.start) + 1, place.start);
    return [
      { kind: 'modify', path, spans: [{ ...place, text: sourceJson(source, /^[ \t]*/.exec(line)[0]) }] },
    ];
  },
});

function cellsOf(text, path) {
  try {
    const { cells } = JSON.parse(text);
    if (Array.isArray(cells) && cells.every(({ source }) => source !== undefined)) return cells;
  } catch {}
  throw new EditError('INVALID_INPUT', `${path} is not a Jupyter notebook. Nothing was changed.`, { path });
}

function noCell(path, cell, cells) {
  const ids = cells.map(({ id }, at) => id ?? at + 1).join(', ');
  const message = `${path} has no cell ${cell}. Nothing was changed. Its ${cells.length} cells are ${ids}.`;
  return new EditError('INVALID_INPUT', message, { field: 'cell' });
}

/** A list of lines, as Jupyter writes it; `indent` stands before its name. */
function sourceJson(source, indent) {
  const lines = source.match(/.*\n|.+$/g) ?? [];
  const step = indent.slice(0, Math.max(1, Math.floor(indent.length / 3)));
  const list = lines.map(line => `${indent}${step}${JSON.stringify(line)}`).join(',\n');
  return lines.length === 0 ? '[]' : `[\n${list}\n${indent}]`;
}

/** Where the value stands that a JSON text has under these keys and numbers, which has to be there. */
function placeOf(text, path) {
  const above = [];
  let start = -1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    const inner = above.at(-1);
    if (token === ':') continue;
    if (token === ',') inner.key = inner.isList ? inner.key + 1 : null;
    else if (token === '}' || token === ']') {
      above.pop();
      if (start >= 0 && above.length === path.length) return { start, end: index + 1 };
    } else if (inner && inner.key === null) inner.key = JSON.parse(token);
    else {
      if (above.length === path.length && above.every(({ key }, at) => key === path[at])) start = index;
      const isList = token === '[';
      if (isList || token === '{') above.push({ isList, key: isList ? 0 : null });
      else if (start >= 0 && above.length === path.length) return { start, end: index + token.length };
    }
  }
}

const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "a1",
   "metadata": {},
   "source": ["# Report"]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "b2",
   "metadata": {},
   "outputs": [{ "name": "stdout", "source": "not this one" }],
   "source": [
    "x = 0\\n",
    "print(x)"
   ]
  }
 ],
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

const root = process.cwd();
await initRepository({ root });
const workspace = await openWorkspace({ root, edits: [editCell] });
const session = workspace.session({ agent: 'analyst' });
await session.edit('create', { path: 'report.ipynb', file_text: NOTEBOOK });
const { data } = await session.edit(editCell, {
  path: 'report.ipynb',
  cell: 'b2',
  source: 'x = 1\nprint(x)',
});
console.log(
  data.diff
    .split('\n')
    .filter(line => /^[-+] /.test(line))
    .join('\n'),
);
await session.edit(editCell, { path: 'report.ipynb', cell: 1, source: '# Results' });
await session.undo();
console.log((await runTool(session, 'edit_cell', { path: 'report.ipynb', cell: 'c3', source: '' })).message);
await workspace.close();

/** Notebooks are read as Jupyter and others write them, and a text that is none is none. */

import { describe, expect, it } from 'vitest';
import { readNotebook } from '../../src/text/notebook.ts';

const CELLS = [
  {
    cell_type: 'markdown',
    id: 'a1',
    metadata: {},
    source: ['# Title\n', 'with "quotes" and {braces}, [lists]: \\n'],
  },
  {
    cell_type: 'code',
    id: 'b2',
    metadata: { source: 'not this one' },
    outputs: [{ name: 'stdout', source: ['nor this one'], text: ['x\n'] }],
    source: ['x = 1\n', '\n', 'print(x)'],
  },
  { cell_type: 'code', metadata: {}, outputs: [], source: 'one\ntwo\n' },
  { cell_type: 'raw', metadata: {}, source: [] },
];
const NOTEBOOK = {
  cells: CELLS,
  metadata: { kernelspec: { name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe.each([
  ['as Jupyter writes it', JSON.stringify(NOTEBOOK, null, 1)],
  ['on one line', JSON.stringify(NOTEBOOK)],
  [
    'with cells at its end, and other line ends',
    JSON.stringify({ nbformat: 4, cells: CELLS }, null, 2).replaceAll('\n', '\r\n'),
  ],
])('a notebook %s', (_, text) => {
  it('has its cells, with the lines of their sources and where these stand', () => {
    const { cells } = readNotebook(text)!;
    expect(
      cells.map(({ number, id, type, lines }) => [number, id, type, lines.map(one => one.text)]),
    ).toEqual([
      [1, 'a1', 'markdown', ['# Title', 'with "quotes" and {braces}, [lists]: \\n']],
      [2, 'b2', 'code', ['x = 1', '', 'print(x)']],
      [3, null, 'code', ['one', 'two']],
      [4, null, 'raw', []],
    ]);
    const file = text.split('\n');
    for (const { lines } of cells)
      for (const { text: own, line } of lines)
        expect(file[line - 1]).toContain(JSON.stringify(own).slice(1, -1));
  });
});

it.each(['', '{', '[]', '{"cells":1}', '{"cells":[{"source":1}]}', '{"cells":[null]}', '"cells"', 'x = 1'])(
  '%j is none',
  text => {
    expect(readNotebook(text)).toBe(null);
  },
);

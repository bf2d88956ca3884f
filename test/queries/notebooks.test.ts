/** Blame and diffs of notebooks, by their cells; and as JSON, where that is asked for. */

import { describe, expect, it } from 'vitest';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { vedit, veditJson } from '../helpers/vedit.ts';

interface Cell {
  id?: string;
  source: string[];
  outputs?: unknown[];
}

const notebook = (...cells: Cell[]): string =>
  `${JSON.stringify({ cells: cells.map(cell => ({ cell_type: 'code', metadata: {}, outputs: [], ...cell })), nbformat: 4 }, null, 1)}\n`;

const A = { id: 'a', source: ['import os\n', 'x = 0\n', 'y = 0'] };
const B = { id: 'b', source: ['print(x)'] };

/** Two edits of cell b, then a new cell before it and another output. */
async function story(): Promise<Place> {
  const repo = personRepo({ 'n.ipynb': notebook(A, B), 'bad.ipynb': 'one\n', 'plain.txt': 'one\n' });
  const session = (await repo.open()).session({ id: 's1', agent: 'analyst' });
  await session.edit('str_replace', {
    path: 'n.ipynb',
    old_str: '"print(x)"',
    new_str: '"print(x)\\n",\n    "print(y)"',
  });
  const text = notebook(
    A,
    { id: 'new', source: ['z = 1'] },
    { ...B, source: ['print(x)\n', 'print(y)'], outputs: [{ text: '1' }] },
  );
  await session.edit('create', { path: 'n.ipynb', file_text: text, overwrite: true });
  await session.edit('create', { path: 'bad.ipynb', file_text: 'two\n', overwrite: true });
  await repo.close();
  return repo;
}

describe('a notebook', () => {
  it('is blamed by the lines of its cells', async () => {
    const repo = await story();
    const session = await repo.session();
    const { data, message } = await session.blame({ path: 'n.ipynb' });
    expect(
      data.lines.map(({ cell, text, agent }) => [cell!.cell, cell!.id, cell!.line, text, agent]),
    ).toEqual([
      [1, 'a', 1, 'import os', null],
      [1, 'a', 2, 'x = 0', null],
      [1, 'a', 3, 'y = 0', null],
      [2, 'new', 1, 'z = 1', 'analyst'],
      [3, 'b', 1, 'print(x)', expect.anything()],
      [3, 'b', 2, 'print(y)', 'analyst'],
    ]);
    expect(data.cut).toBe(undefined);
    expect(message).toMatch(/^\w{12} \(analyst \S+ write\) 2 new:1\tz = 1$/m);
    const file = repo.read('n.ipynb').split('\n');
    for (const { line, text } of data.lines) expect(file[line - 1]).toContain(text);
    const raw = (await session.blame({ path: 'n.ipynb', raw: true })).data.lines;
    expect(raw.map(({ text }) => text).join('\n')).toBe(repo.read('n.ipynb').trimEnd());
    expect((await vedit(repo, ['blame', 'n.ipynb'])).out).toMatch(/^\w{7} analyst .* 3 b:2\) print\(y\)$/m);
    expect((await vedit(repo, ['blame', '--raw', 'n.ipynb'])).out).toContain('"cells": [');
  });

  it('is compared by its cells, with the number of the cell and what changed besides', async () => {
    const repo = await story();
    const session = await repo.session();
    expect((await session.show('~1')).data.diff).toBe(
      [
        'diff --git a/n.ipynb b/n.ipynb',
        '--- a/n.ipynb',
        '+++ b/n.ipynb',
        '@@ -2,6 +2,8 @@ cell 2',
        ' import os',
        ' x = 0',
        ' y = 0',
        '+%% code new',
        '+z = 1',
        ' %% code b',
        ' print(x)',
        ' print(y)',
        '(changed, too: outputs or metadata of cell 3)',
        '',
      ].join('\n'),
    );
    expect((await session.show('~2')).data.diff).toMatch(
      /@@ cell 2\n y = 0\n %% code b\n print\(x\)\n\+print\(y\)\n$/,
    );
    expect((await session.show('~1', { raw: true })).data.diff).toContain('+   "source": [');
    const both = await session.diff({ from: 'HEAD', path: 'n.ipynb' });
    expect(both.data.diff).toContain('+print(y)\n');
    expect(both.data.diff).not.toContain('"');
    expect((await session.diff({ from: 'HEAD', raw: true })).data.diff).toContain('"z = 1"');
    const { data } = await veditJson<{ diff: string }>(repo, ['diff', 'HEAD', '--raw']);
    expect(data.diff).toContain('"z = 1"');
    expect((await vedit(repo, ['show', '~1'])).out).toContain('+z = 1\n');
  });

  it('of which only the outputs changed says so; JSON that is no notebook, and one that came or went, are told', async () => {
    const repo = await story();
    const session = await repo.session();
    expect((await session.show('@')).data.diff).toContain('-one\n+two\n');
    repo.write('n.ipynb', repo.read('n.ipynb').replace('"text": "1"', '"text": "2"'));
    expect((await session.diff({ outside: true, path: 'n.ipynb' })).data.diff).toBe(
      'diff --git a/n.ipynb b/n.ipynb\n(changed, too: outputs or metadata of cell 3)\n',
    );
    await session.edit('create', { path: 'm.ipynb', file_text: notebook({ source: ['1\n', '2'] }) });
    expect((await session.show('@')).data.diff).toBe(
      'diff --git a/m.ipynb b/m.ipynb\nnew file mode 100644\n--- /dev/null\n+++ b/m.ipynb\n@@ -0,0 +1,3 @@ cell 1\n+%% code\n+1\n+2\n',
    );
    await session.edit('delete', { path: 'm.ipynb' });
    expect((await session.show('@')).data.diff).toContain('-%% code\n-1\n-2\n');
  });
});

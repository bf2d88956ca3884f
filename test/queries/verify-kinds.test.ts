/** Every kind of edit and way back, on files of every kind, leaves a trail that verify finds sound. */

import { chmodSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer, DoneData, EditStep, Session } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { lots } from '../helpers/random-work.ts';
import { verified } from './verified-history.ts';

/** What a file may hold: empty, with and without a final newline, other line ends, a byte order mark, no text. */
const CONTENTS: ReadonlyArray<string | Uint8Array> = [
  '',
  'one\ntwo\nthree\n',
  'one\ntwo\nthree',
  'one\r\ntwo\r\nthree\r\n',
  'one\r\ntwo\nthree',
  'one\rtwo\rthree',
  '\n',
  '\ufeffone\ntwo\n',
  '\ufeff',
  new Uint8Array([0, 1, 2, 10, 3]),
  new Uint8Array([0xff, 10, 0xfe]),
];

const PATHS = ['a.txt', 'b.txt', 'c.txt', 'sub/d (+3 -1)'];

type Draw = (below: number) => number;

/** Kinds of faults other than that a file is not as recorded, which is the person's right. */
async function faults(repo: Place): Promise<string[]> {
  const { faults } = await verified(repo);
  return faults.map(one => `${one.kind}: ${one.message}`);
}

function patchOf(draw: Draw, path: string, other: string, text: string): string {
  const mode = draw(2) ? `old mode 100644\nnew mode 100755\n` : '';
  const rename = `diff --git a/${path} b/${other}\n${mode}similarity index 100%\nrename from ${path}\nrename to ${other}\n`;
  const forms = [
    rename,
    `diff --git a/${path} b/${path}\nold mode 100644\nnew mode 100755\n`,
    `diff --git a/${other} b/${other}\nnew file mode 100755\n--- /dev/null\n+++ b/${other}\n@@ -0,0 +1 @@\n+${text}\n\\ No newline at end of file\n`,
    `diff --git a/${path} b/${other}\nsimilarity index 100%\ncopy from ${path}\ncopy to ${other}\n`,
    `${rename}diff --git a/${other} b/${path}\nsimilarity index 100%\nrename from ${other}\nrename to ${path}\n`,
  ];
  return forms[draw(forms.length)]!;
}

function v4aOf(draw: Draw, path: string, other: string, text: string): string {
  const forms = [
    `*** Update File: ${path}\n*** Move to: ${other}\n@@\n-two\n+${text}\n`,
    `*** Delete File: ${other}\n*** Update File: ${path}\n*** Move to: ${other}\n@@\n-two\n+two\n+${text}\n`,
    `*** Delete File: ${path}\n*** Add File: ${other}\n+${text}\n+more\n`,
    `*** Update File: ${path}\n@@\n one\n-two\n`,
  ];
  return `*** Begin Patch\n${forms[draw(forms.length)]}*** End Patch\n`;
}

/** One call, drawn by lot; most that fit nothing are refused. */
function anyCall(repo: Place, session: Session, draw: Draw, step: number): () => unknown {
  const [path, other] = [PATHS[draw(PATHS.length)]!, PATHS[draw(PATHS.length)]!];
  const [text, commit] = [`text ${step}`, `~${draw(8)}`];
  const overwrite = draw(6) > 0;
  const move = { edit: 'move', path, new_path: other, overwrite } as const;
  const create = { path, file_text: ['', text, `${text}\n\n`][draw(3)]!, overwrite };
  const createStep = { edit: 'create', ...create } as const;
  const third = PATHS[draw(PATHS.length)]!;
  const lines = { path, base: '@' };
  const changes: EditStep[][] = [
    [move, { ...createStep, path: other, overwrite: true }],
    [move, { edit: 'move', path: other, new_path: third, overwrite }],
    [move, { edit: 'move', path: third, new_path: other, overwrite }],
    [move, createStep, { edit: 'move', path, new_path: third, overwrite }],
    [{ edit: 'delete', path: other }, move],
    [createStep, { edit: 'delete', path: other }],
  ];
  const calls: ReadonlyArray<() => unknown> = [
    () => session.edit('str_replace', { path, old_str: 'two', new_str: text }),
    () => session.edit('insert', { ...lines, insert_line: draw(4), insert_text: text }),
    () =>
      session.edit('replace_lines', { ...lines, start_line: 1, end_line: 1 + draw(3), new_content: text }),
    () =>
      session.edit('edit_lines', {
        ...lines,
        edits: [
          { from: 1, to: 1 },
          { from: 3, content: text },
        ],
      }),
    () =>
      session.edit('search_replace', {
        path,
        blocks: `<<<<<<< SEARCH\none\n=======\n${text}\n>>>>>>> REPLACE\n`,
      }),
    () => session.edit('context_patch', { path, patch_text: `@@\n-one\n+${text}\n` }),
    () => session.edit('unified_diff', { patch: patchOf(draw, path, other, text) }),
    () => session.edit('apply_patch', { patch: v4aOf(draw, path, other, text) }),
    () => session.edit('create', create),
    () => session.edit('create', { ...create, overwrite: true }),
    () => session.edit('delete', { path }),
    () => session.edit('move', { path, new_path: other, overwrite }),
    () => session.edit('move', { path, new_path: other, overwrite: true }),
    () => session.change(changes[draw(changes.length)]!),
    () => session.undo({ count: 1 + draw(3), scope: 'trail' }),
    () => session.redo({ count: 1 + draw(2), scope: 'trail' }),
    () => session.revert(commit),
    () => session.rollback(commit, draw(2) ? {} : { paths: [path] }),
    () => session.restore({ path, from: commit }),
    () => repo.write(path, CONTENTS[draw(6)]!),
    () => repo.write(path, CONTENTS[draw(CONTENTS.length)]!),
    () => rmSync(repo.path(path)),
    () => chmodSync(repo.path(path), draw(2) ? 0o755 : 0o644),
    () => repo.git('commit', '-qam', `by hand ${step}`),
  ];
  return calls[draw(calls.length)]!;
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('a trail %s is sound', (_where, make) => {
  it.each([1, 2, 118])('whatever is done to whatever file: %i', { timeout: 240_000 }, async seed => {
    const draw = lots(seed * 7919);
    const repo = make({ 'z.txt': 'z\n' });
    for (const path of PATHS) repo.write(path, CONTENTS[draw(CONTENTS.length)]!);
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'files');
    const session = await repo.session();
    let done = 0;
    for (let step = 0; step < 90; step++) {
      await Promise.resolve()
        .then(anyCall(repo, session, draw, step))
        .then(answer => {
          if ((answer as Answer<DoneData> | undefined)?.data?.commit) done++;
        })
        .catch(error => expect(error).not.toMatchObject({ code: 'INTERNAL_ERROR' }));
      if (step % 30 === 29) expect([step, await faults(repo)]).toEqual([step, []]);
    }
    expect(done).toBeGreaterThan(10);
  });
});

const TWO = { 'a.txt': 'one\n', 'b.txt': 'two\nthree\n' };

describe('a move that overwrites a file', () => {
  it('tells of the file that is gone: in the answer, the subject, the log and the diff', async () => {
    const repo = personRepo(TWO);
    const session = await repo.session();
    const { message, data } = await session.edit('move', {
      path: 'a.txt',
      new_path: 'b.txt',
      overwrite: true,
    });
    expect(message).toContain('deleted b.txt (+0 -2)\nmoved a.txt to b.txt (+0 -0)');
    expect(data.subject).toBe('move a.txt -> b.txt (+0 -2)');
    const { stats, diff } = (await session.show('@')).data;
    expect(stats.map(one => `${one.kind} ${one.path} ${one.removed}`)).toEqual([
      'delete b.txt 2',
      'move b.txt 0',
    ]);
    expect(diff).toBe(data.diff);
    expect(await faults(repo)).toEqual([]);
    repo.git('checkout', '-q', '.');
    repo.pipe(data.diff, 'apply', '--index');
    expect(repo.git('write-tree')).toBe(repo.git('rev-parse', `${data.commit}^{tree}`));
  });

  it('is taken back whole', async () => {
    const repo = personRepo(TWO);
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt', overwrite: true });
    await session.undo();
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(Object.values(TWO));
    expect(await faults(repo)).toEqual([]);
  });

  it('in a change that moves two files to one place tells of both', async () => {
    const repo = personRepo({ ...TWO, 'c.txt': 'four\n' });
    const session = await repo.session();
    const moves = ['a.txt', 'b.txt'].map(path => ({
      edit: 'move',
      path,
      new_path: 'c.txt',
      overwrite: true,
    }));
    const { data } = await session.change(moves);
    const told = data.paths.map(one => `${one.kind} ${one.path} ${one.from ?? ''}`.trim());
    expect(told).toEqual(['delete a.txt', 'delete c.txt', 'move c.txt b.txt']);
    expect(await faults(repo)).toEqual([]);
  });
});

it('an outside change of a file whose name ends like a subject is not counted', async () => {
  const repo = personRepo({ 'n (+3 -1)': 'one\n' });
  repo.write('n (+3 -1)', 'two\n');
  await (await repo.session()).edit('str_replace', { path: 'n (+3 -1)', old_str: 'two', new_str: 'three' });
  expect(await faults(repo)).toEqual([]);
});

it('a way back brings a byte order mark back, also where the mode changed since', async () => {
  const repo = personRepo({ 'a.txt': '\ufeffone\n' });
  const session = await repo.session();
  await session.edit('create', { path: 'a.txt', file_text: 'one\n', overwrite: true, exact: true });
  chmodSync(repo.path('a.txt'), 0o755);
  await session.undo();
  expect(repo.read('a.txt')).toBe('\ufeffone\n');
  expect(await faults(repo)).toEqual([]);
});

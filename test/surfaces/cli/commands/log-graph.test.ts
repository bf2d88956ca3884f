import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../../../src/index.ts';
import type { LogEntry } from '../../../../src/queries/log/history.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

const log = async (box: Sandbox, ...args: string[]): Promise<string> =>
  (await vedit(box, ['log', '--graph', ...args])).out;

const WHEN_AND_WHO = /\d{4}-\d\d-\d\d \d\d:\d\d [^:]+: /g;

/** The picture without ids, times and names. */
const picture = async (box: Sandbox, ...args: string[]): Promise<string[]> =>
  (await log(box, '--oneline', ...args))
    .trimEnd()
    .replace(/\b[0-9a-f]{7} /g, '')
    .replace(WHEN_AND_WHO, '')
    .split('\n');

const create = (box: Sandbox, path: string): Promise<unknown> =>
  vedit(box, ['create', path, '--text', 'x', '--session', 's1', '--agent', 'fixer']);

function commit(box: Sandbox, name: string): void {
  box.write(`${name}.txt`, 'by hand\n');
  box.git('add', `${name}.txt`);
  box.git('commit', '-qm', name);
}

/** Edits, one undone, an outside change, and two commits of the person in between. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await create(box, 'n1');
  box.write('a.txt', 'one\ntwo\nthree\nfour\n');
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
  commit(box, 'h1');
  commit(box, 'h2');
  await create(box, 'n2');
  await vedit(box, ['undo']);
  await vedit(box, ['redo']);
  await vedit(box, ['undo']);
  await create(box, 'n3');
  return box;
}

describe('log --graph', () => {
  it('draws edits, ways back, and what came from people', async () => {
    const box = await edited();
    const shown = await picture(box);
    expect(shown.map(line => line.replace(/\b[0-9a-f]{12}\b/, 'ID'))).toEqual([
      '@ create n3 (+1 -0)',
      '< undo n2 (+0 -1)',
      'x redo n2 (+1 -0) (taken back by ID)',
      '< undo n2 (+0 -1)',
      'x create n2 (+1 -0) (taken back by ID)',
      'o   your commit ID',
      '|\\',
      '| * h2',
      '| * h1',
      'o |   str_replace a.txt (+1 -1)',
      '|\\ \\',
      '| + | outside a.txt',
      '|/ /',
      'o | create n1 (+1 -0)',
      '|/',
      '* first',
    ]);
  });

  it('is the graph of git where nothing came from outside', async () => {
    const box = personRepo();
    for (const [index, step] of [...'eeseesse'].entries()) {
      if (step === 'e') await create(box, `n${index}`);
      else commit(box, `h${index}`);
    }
    const git = box.git('log', '--graph', '--format=%h %s', '--abbrev=7', 'vedit/main');
    const shown = (await log(box, '--oneline')).trimEnd();
    expect(shown.replace(WHEN_AND_WHO, '').replace(/^([| ]*)[@o]/gm, '$1*')).toBe(git.replace(/ +$/gm, ''));
  });

  it('stands beside whole entries, numbers and diffs', async () => {
    const box = await edited();
    expect((await log(box, '-n', '2', '--stat', '-p')).replace(/[0-9a-f]{40}/g, 'ID')).toMatch(
      /^@ commit ID\n\| Agent: {3}fixer\n\| Session: s1\n\| Date: .*\n\|\n\| {5}create n3 \(\+1 -0\)\n\|\n\| {2}n3 \| 1 \+\n\| {2}1 file changed, 1 insertion\(\+\)\n\|\n\| diff --git .*\n(\| .*\n)*\|\n< commit ID\n/,
    );
  });

  it.each<[string[], string[]]>([
    [
      ['-n', '2'],
      ['@ create n3 (+1 -0)', '< undo n2 (+0 -1)'],
    ],
    [
      ['--op', 'undo'],
      ['< undo n2 (+0 -1)', '< undo n2 (+0 -1)'],
    ],
    [['a.txt'], ['o str_replace a.txt (+1 -1)', '+ outside a.txt']],
    [['h1.txt'], ['o your commit ID']],
    [
      ['--session', 's1', '--op', 'create'],
      ['@ create n3 (+1 -0)', 'x create n2 (+1 -0) (taken back by ID)', 'o create n1 (+1 -0)'],
    ],
  ])('with %j is of these', async (args, lines) => {
    const shown = await picture(await edited(), ...args);
    expect(shown.map(line => line.replace(/\b[0-9a-f]{12}\b/, 'ID'))).toEqual(lines);
  });

  it('is one line where a turn is asked for', async () => {
    const box = personRepo();
    const workspace = await openWorkspace({ root: box.dir });
    for (const [path, turn] of [
      ['n1', 't1'],
      ['n2', 't2'],
      ['n3', 't1'],
    ] as const)
      await workspace.session({ id: 's1', agent: 'fixer', turn }).edit('create', { path, file_text: 'x' });
    await workspace.close();
    expect(await picture(box, '--turn', 't1')).toEqual(['@ create n3 (+1 -0)', 'o create n1 (+1 -0)']);
  });

  it('cuts a long branch, and goes on below it', async () => {
    const box = personRepo();
    await create(box, 'n1');
    for (let count = 1; count <= 25; count++) box.git('commit', '-qm', `h${count}`, '--allow-empty');
    await create(box, 'n2');
    const shown = await picture(box);
    expect(shown.slice(0, 4)).toEqual([
      '@ create n2 (+1 -0)',
      expect.stringMatching(/^o {3}your commit/),
      '|\\',
      '| * h25',
    ]);
    expect(shown.slice(-5)).toEqual([
      '| * h6',
      '| | (and older commits of the branch)',
      'o | create n1 (+1 -0)',
      '|/',
      '* first',
    ]);
  });

  it('shows a branch that was set back as one of its own', async () => {
    const box = personRepo();
    commit(box, 'h1');
    await create(box, 'n1');
    box.git('commit', '-q', '--amend', '-m', 'h1 again');
    await create(box, 'n2');
    expect(await picture(box)).toEqual([
      '@ create n2 (+1 -0)',
      expect.stringMatching(/^o {3}your commit/),
      '|\\',
      '| * h1 again',
      'o | create n1 (+1 -0)',
      '* | h1',
    ]);
  });

  it('shows what was merged into the branch that is the trail', async () => {
    const box = personRepo();
    box.git('config', 'vedit.trail', 'HEAD');
    await create(box, 'n1');
    box.git('checkout', '-qb', 'side');
    commit(box, 'h1');
    box.git('checkout', '-q', 'main');
    await create(box, 'n2');
    box.git('merge', '-q', '--no-edit', 'side');
    await create(box, 'n3');
    expect(await picture(box)).toEqual([
      '@ create n3 (+1 -0)',
      "*   Merge branch 'side'",
      '|\\',
      '| * h1',
      'o | create n2 (+1 -0)',
      '|/',
      'o create n1 (+1 -0)',
      '* first',
    ]);
  });

  it('tells in JSON on which lane an entry is', async () => {
    const lines = (await log(await edited(), '--json')).trimEnd().split('\n');
    const entries = lines.map(line => JSON.parse(line) as LogEntry & { lane: string });
    expect(
      entries.filter(entry => entry.lane !== 'trail').map(entry => `${entry.lane}: ${entry.subject}`),
    ).toEqual(['branch: h2', 'branch: h1', 'outside: outside a.txt', 'branch: first']);
  });

  it('is in colour where that is wanted, and undone edits are dim', async () => {
    const shown = await log(await edited(), '--oneline', '--color', 'always', '-n', '5');
    const last = shown.trimEnd().split('\n').at(-1)!;
    expect(last).toMatch(
      /^\u001b\[2mx\u001b\[m \u001b\[2m\w{7}\u001b\[m.*: create n2 .*\u001b\[2m \(taken back by [0-9a-f]{12}\)\u001b\[m$/,
    );
  });

  it('of no edits is empty', async () => {
    expect(await log(personRepo())).toBe('');
  });
});

import { chmodSync, existsSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EditErrorOf } from '../../../src/errors.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

const conflict = (call: Promise<unknown>): Promise<EditErrorOf<'CONFLICT'>> =>
  call.then(
    () => expect.fail('was done'),
    error => error,
  );

async function sound(repo: Place): Promise<void> {
  expect((await (await repo.open()).verify()).data.faults).toEqual([]);
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('an edit is taken back by its own lines, %s', (_where, makeRepo) => {
  async function scene(text = LINES) {
    const repo = makeRepo({ 'a.txt': text });
    const fixer = (await repo.open()).session({ id: 's1', agent: 'fixer' });
    const edit = async (old_str: string, new_str: string): Promise<string> =>
      (await fixer.edit('str_replace', { path: 'a.txt', old_str, new_str })).data.commit!;
    const type = (from: string, to: string): void =>
      repo.write('a.txt', repo.read('a.txt').replace(from, to));
    return { repo, fixer, edit, type };
  }

  it('what a person typed on the lines beside it stays, recorded or not', async () => {
    const { repo, fixer, edit, type } = await scene();
    const first = await edit('line 5', 'five');
    type('line 4\n', 'four\nmore\n');
    type('line 6', 'six');
    const wanted = LINES.replace('line 4\n', 'four\nmore\n').replace('line 6', 'six');
    await fixer.undo();
    expect(repo.read('a.txt')).toBe(wanted);
    await fixer.redo();
    expect(repo.read('a.txt')).toBe(wanted.replace('line 5', 'five'));
    type('six', 'SIX');
    await fixer.revert(first);
    expect(repo.read('a.txt')).toBe(wanted.replace('six', 'SIX'));
    await sound(repo);
  });

  it('edits of others beside it stay, and all can be taken back in any order', async () => {
    const { repo, fixer, edit } = await scene();
    const commits = [];
    for (const n of [4, 5, 6]) commits.push(await edit(`line ${n}`, `LINE ${n}`));
    for (const n of [1, 0, 2]) {
      await fixer.revert(commits[n]!);
      await sound(repo);
    }
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('a later edit of its lines is refused, with line, edit, agent and what to undo first', async () => {
    const { repo, fixer, edit } = await scene();
    const first = await edit('line 5', 'five');
    const tidier = (await repo.open()).session({ id: 's2', agent: 'tidier' });
    const { data } = await tidier.edit('str_replace', { path: 'a.txt', old_str: 'five', new_str: 'FIVE' });
    const error = await conflict(fixer.revert(first));
    expect(error).toMatchObject({ code: 'CONFLICT' });
    expect(error.message).toContain(
      `a.txt line 5 was changed later by ${data.commit!.slice(0, 12)} (tidier, "str_replace a.txt (+1 -1)"). Undo that first.`,
    );
    expect(error.data.builds_on).toMatchObject([{ commit: data.commit, agent: 'tidier', session: 's2' }]);
    const region = { start_line: 5, end_line: 5, present: 'FIVE\n', wanted: 'line 5\n' };
    expect(error.data.conflicts).toMatchObject([{ path: 'a.txt', commit: first, regions: [region] }]);
    await tidier.undo();
    await fixer.undo();
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('later edits of one second are named newest first, as they are to be taken back', async () => {
    const { fixer, edit } = await scene();
    const first = await edit('line 4\nline 5\nline 6', 'four\nfive\nsix');
    const later = [];
    for (const name of ['five', 'six', 'four']) later.push(await edit(name, name.toUpperCase()));
    const error = await conflict(fixer.revert(first));
    const named = [...error.message.matchAll(/was changed later by (\w+)/g)].map(([, id]) => id);
    expect(named).toEqual(later.reverse().map(id => id.slice(0, 12)));
    expect(error.data.builds_on!.map(({ commit }) => commit)).toEqual(later);
  });

  it.each([
    ['typed over', 'five\nfive and a half', 'mine\nfive and a half'],
    ['taken out', 'five\n', ''],
  ])('lines that a person has %s are theirs', async (_how, from, to) => {
    const { repo, fixer, edit, type } = await scene();
    await edit('line 5', 'five\nfive and a half');
    type(from, to);
    const before = repo.read('a.txt');
    const error = await conflict(fixer.undo());
    expect(error.message).toContain('text that did not come through vedit, not recorded yet');
    expect(error.data.builds_on).toMatchObject([{ commit: null }]);
    expect(repo.read('a.txt')).toBe(before);
  });

  it('a line that a person has typed between stays when the others go', async () => {
    const { repo, fixer, edit, type } = await scene();
    await edit('line 5', 'five\nfive and a half');
    type('five\n', 'five\nmine\n');
    await fixer.undo();
    expect(repo.read('a.txt')).toContain('line 4\nline 5\nmine\nline 6\n');
    await sound(repo);
  });

  it('what a person typed over a line that a revert brought back is in the way of its undo', async () => {
    const { repo, fixer, edit, type } = await scene();
    await fixer.revert(await edit('line 5', 'five'));
    type('line 5', 'mine');
    expect(await codeOf(fixer.undo())).toBe('CONFLICT');
    expect(repo.read('a.txt')).toContain('line 4\nmine\nline 6\n');
  });

  it('text where it only took lines out is in the way', async () => {
    const { fixer, edit, type } = await scene();
    await edit('line 5\n', '');
    type('line 4\n', 'line 4\nmine\n');
    expect(await codeOf(fixer.undo())).toBe('CONFLICT');
  });

  it('of equal lines, those of the edit go', async () => {
    const { repo, fixer, edit } = await scene('head\nsame\nfoot\n');
    await edit('head\n', 'head\nsame\n');
    await edit('foot\n', 'same\nfoot\n');
    await edit('head\n', 'HEAD\n');
    await fixer.revert('@~1');
    await fixer.revert('@~3');
    expect(repo.read('a.txt')).toBe('HEAD\nsame\nfoot\n');
    await sound(repo);
  });

  it('several edits at once, in a file that others changed', async () => {
    const { repo, fixer, edit, type } = await scene();
    for (const n of [4, 5, 6]) await edit(`line ${n}`, `LINE ${n}`);
    type('line 7', 'seven');
    await fixer.undo({ count: 3 });
    expect(repo.read('a.txt')).toBe(LINES.replace('line 7', 'seven'));
    await fixer.redo({ count: 2 });
    expect(repo.read('a.txt')).toBe(
      LINES.replace('line 7', 'seven').replace('line 4', 'LINE 4').replace('line 5', 'LINE 5'),
    );
    await sound(repo);
  });

  it.each([
    ['CRLF line ends', LINES.replace(/\n/g, '\r\n')],
    ['a byte order mark', `\ufeff${LINES}`],
    ['no final line end', LINES.slice(0, -1)],
    ['lone CRs', LINES.replace(/\n/g, '\r')],
    ['mixed line ends', LINES.replace('line 3\n', 'line 3\r\n').replace('line 5\n', 'line 5\r\n')],
  ])('every byte beside its lines stays: %s', async (_what, text) => {
    const { repo, fixer, edit, type } = await scene(text);
    await edit('line 5', 'five');
    type('line 6', 'six');
    const wanted = text.replace('line 6', 'six');
    await fixer.undo();
    expect(repo.read('a.txt')).toBe(wanted);
    await fixer.redo();
    expect(repo.read('a.txt')).toBe(wanted.replace('line 5', 'five'));
    await sound(repo);
  });

  it('the last line of a file without a final line end gets one where text follows it', async () => {
    const { repo, fixer, edit, type } = await scene('one\ntwo');
    await edit('two', 'TWO\n');
    type('TWO\n', 'TWO\nthree\n');
    await fixer.undo();
    expect(repo.read('a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('in the file as it is named now, and with the mode that it has', async () => {
    const { repo, fixer, edit, type } = await scene();
    const first = await edit('line 5', 'five');
    type('line 6', 'six');
    chmodSync(repo.path('a.txt'), 0o755);
    await fixer.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    await fixer.revert(first);
    expect(existsSync(repo.path('a.txt'))).toBe(false);
    expect(repo.read('b.txt')).toBe(LINES.replace('line 6', 'six'));
    await fixer.revert('@~1');
    expect(repo.read('a.txt')).toBe(LINES.replace('line 6', 'six'));
    await sound(repo);
  });

  it('a file that a person moved is undone where it is', async () => {
    const { repo, fixer, edit } = await scene();
    await edit('line 5', 'five');
    const before = repo.read('a.txt').replace('five', 'line 5');
    renameSync(repo.path('a.txt'), repo.path('b.txt'));
    await fixer.undo();
    expect(repo.read('b.txt')).toBe(before);
    expect(existsSync(repo.path('a.txt'))).toBe(false);
  });
});

it.each([
  ['of a chain', ['b c', 'a b']],
  ['of a ring', ['a t', 'b a', 't b']],
])('moves %s are taken back together, and put there again, with every text', async (_, moves) => {
  const files = { 'a.txt': LINES, 'b.txt': 'b\nB\n' };
  const repo = personRepo(files);
  const fixer = await repo.session();
  const there = (): Record<string, string> =>
    Object.fromEntries(
      repo
        .git('ls-files', '-o', '-c', '--deduplicate')
        .trim()
        .split('\n')
        .filter(path => existsSync(repo.path(path)))
        .map(path => [path, repo.read(path)]),
    );
  for (const [path, to] of moves.map(one => one.split(' ')))
    await fixer.edit('move', { path: `${path}.txt`, new_path: `${to}.txt` });
  const moved = there();
  await fixer.undo({ count: moves.length });
  expect(there()).toEqual(files);
  await fixer.redo({ count: moves.length });
  expect(there()).toEqual(moved);
  await fixer.rollback('main');
  expect(there()).toEqual(files);
  await sound(repo);
});

it('a move that a person took back is not taken back again, whatever they call the file since', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'c.txt': 'c\n' });
  const workspace = await repo.open();
  const [fixer, writer] = ['fixer', 'writer'].map(agent => workspace.session({ id: agent, agent }));
  await fixer!.change([
    { edit: 'move', path: 'a.txt', new_path: 'b.txt' },
    { edit: 'create', path: 'c.txt', file_text: 'more\nc\n', overwrite: true },
  ]);
  renameSync(repo.path('b.txt'), repo.path('a.txt'));
  await writer!.edit('str_replace', { path: 'a.txt', old_str: 'line 5', new_str: 'five' });
  renameSync(repo.path('a.txt'), repo.path('mine.txt'));
  await fixer!.undo();
  expect(repo.read('mine.txt')).toBe(LINES.replace('line 5', 'five'));
  expect([existsSync(repo.path('a.txt')), repo.read('c.txt')]).toEqual([false, 'c\n']);
  await fixer!.redo();
  expect(repo.read('c.txt')).toBe('more\nc\n');
  await sound(repo);
});

describe('undo says what became of an edit', () => {
  async function two() {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    const edit = async (old_str: string, new_str: string): Promise<string> =>
      (await session.edit('str_replace', { path: 'a.txt', old_str, new_str })).data.commit!;
    return { repo, session, commits: [await edit('line 2', 'two'), await edit('line 8', 'eight')] };
  }

  it('where it had landed', async () => {
    const { repo, session, commits } = await two();
    repo.git('commit', '-qam', 'both');
    const { data, message } = await session.undo();
    const head = repo.git('rev-parse', 'HEAD');
    expect(data.edits).toMatchObject([{ commit: commits[1], landed_in: head }]);
    expect(message).toContain(`${commits[1]!.slice(0, 12)} had landed in ${head.slice(0, 12)}`);
    expect(repo.read('a.txt')).toBe(LINES.replace('line 2', 'two'));
  });

  it('passes over what a stash has, and takes that back once it is there again', async () => {
    const { repo, session, commits } = await two();
    repo.git('stash');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5', new_str: 'five' });
    const { data } = await session.undo();
    expect(data.edits).toMatchObject([{ subject: 'str_replace a.txt (+1 -1)', landed_in: null }]);
    expect(await codeOf(session.undo())).toBe('NO_CHANGE');
    repo.git('stash', 'pop');
    expect((await session.undo()).data.edits).toMatchObject([{ commit: commits[1] }]);
    expect(repo.read('a.txt')).toBe(LINES.replace('line 2', 'two'));
  });
});

it('work-tree line ends stay where git converts them', async () => {
  const repo = personRepo({ 'a.txt': LINES, '.gitattributes': '*.txt text eol=crlf\n' });
  repo.write('a.txt', LINES.replace(/\n/g, '\r\n'));
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5', new_str: 'five' });
  repo.write('a.txt', repo.read('a.txt').replace('line 6', 'six'));
  await session.undo();
  expect(repo.read('a.txt')).toBe(LINES.replace('line 6', 'six').replace(/\n/g, '\r\n'));
  await sound(repo);
});

describe('beside lines that the person committed since, before anybody looked', () => {
  const NEIGHBOURS: ReadonlyArray<readonly [string, from: string, to: string]> = [
    ['above, changed', 'bread\n', 'BREAD\n'],
    ['above, two for one', 'bread\n', 'BREAD\nrolls\n'],
    ['above, typed', 'bread\n', 'bread\ntyped\n'],
    ['above, gone', 'bread\n', ''],
    ['below, changed', 'tea\n', 'TEA\n'],
    ['below, typed', 'tea\n', 'typed\ntea\n'],
    ['below, gone', 'tea\n', ''],
  ];

  it.each(NEIGHBOURS)('a line that comes back stands where it stood: %s', async (_, from, to) => {
    for (const new_str of ['coffee\n', '']) {
      const repo = personRepo({ 'a.txt': 'bread\nmilk\ntea\n' });
      const session = (await repo.open()).session({ agent: 'writer' });
      await session.edit('str_replace', { path: 'a.txt', old_str: 'milk\n', new_str });
      repo.git('commit', '-qam', 'coffee');
      repo.write('a.txt', repo.read('a.txt').replace(from, to));
      repo.git('commit', '-qam', 'mine');
      await session.undo();
      const wanted = ['bread\nmilk\ntea\n'.replace(from, to)];
      // Of what is typed where a line is gone, nobody knows whether above it or below.
      if (new_str === '' && to.includes('typed'))
        wanted.push('bread\nmilk\ntyped\ntea\n', 'bread\ntyped\nmilk\ntea\n');
      expect(wanted).toContain(repo.read('a.txt'));
    }
  });
});

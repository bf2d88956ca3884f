/** Blame of what histories do to lines, each kind as somebody met it. */

import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session, Workspace } from '../../src/index.ts';
import { ADA, git } from '../helpers/landing.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

interface Scene {
  repo: Place;
  workspace: Workspace;
  ann: Session;
  bob: Session;
}

async function scene(make = personRepo, text = TEXT): Promise<Scene> {
  const repo = make({ 'a.txt': text });
  const workspace = await repo.open({ user: ADA });
  const [ann, bob] = ['ann', 'bob'].map(agent => workspace.session({ id: agent, agent }));
  return { repo, workspace, ann: ann!, bob: bob! };
}

const replace = (session: Session, old_str: string, new_str: string, path = 'a.txt'): Promise<unknown> =>
  session.edit('str_replace', { path, old_str, new_str, reason: `as ${new_str.trim()}` });

/** Who wrote each line: `who text`. */
async function told(session: Session, path = 'a.txt'): Promise<string[]> {
  const { lines } = (await session.blame({ path })).data;
  return lines.map(({ agent, author, text }) => `${agent ?? author} ${text}`);
}

const before = ['Ada one', 'ann TWO', 'Ada three', 'Ada four', 'Ada five'];

describe('a rejection gives a line back to who wrote it', () => {
  it.each<[string, (bob: Session) => Promise<unknown>]>([
    ['of a removal', bob => replace(bob, 'TWO\n', '')],
    ['of a replacement', bob => replace(bob, 'TWO\n', 'BOB\n')],
    ['of a deleted file', bob => bob.edit('delete', { path: 'a.txt' })],
    ['of a move', bob => bob.edit('move', { path: 'a.txt', new_path: 'b.txt' })],
  ])('%s', async (_, act) => {
    const { workspace, ann, bob } = await scene();
    await replace(ann, 'two', 'TWO');
    await workspace.accept({ all: true });
    await act(bob);
    const [hunk] = (await workspace.review()).data.hunks;
    await workspace.reject({ at: hunk!.commit, path: hunk!.path, lines: hunk!.lines, reason: 'no' });
    expect(await told(ann)).toEqual(before);
  });
});

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('%s', (_, make) => {
  it('an undo of an edit below a later one leaves that to its author, and a redo gives the edit its lines', async () => {
    const { ann, bob } = await scene(make);
    await replace(ann, 'two', 'TWO');
    await replace(bob, 'four', 'FOUR');
    await ann.undo();
    expect(await told(ann)).toEqual(['Ada one', 'Ada two', 'Ada three', 'bob FOUR', 'Ada five']);
    await ann.redo();
    expect(await told(ann)).toEqual(['Ada one', 'ann TWO', 'Ada three', 'bob FOUR', 'Ada five']);
  });

  it('of lines that are equal, each has the author that put it in', async () => {
    const { ann, bob } = await scene(make, 'a {\n}\n\nb {\n}\n');
    await ann.edit('insert', { path: 'a.txt', insert_line: 3, insert_text: 'c {\n}\n\n', base: '@' });
    await bob.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: 'd {\n}\n\n', base: '@' });
    const lines = ['bob d {', 'bob }', 'bob ', 'Ada a {', 'Ada }', 'Ada '];
    const rest = ['ann c {', 'ann }', 'ann ', 'Ada b {', 'Ada }'];
    expect(await told(ann)).toEqual([...lines, ...rest]);
    await bob.edit('delete', { path: 'a.txt' });
    await bob.undo();
    expect(await told(ann)).toEqual([...lines, ...rest]);
  });

  it('a restore brings the rows of that commit back, also where equal lines stand beside them', async () => {
    const { ann, bob } = await scene(make, 'x\nx\n');
    const { commit } = (
      await ann.edit('insert', { path: 'a.txt', insert_line: 2, insert_text: 'x\n', base: '@' })
    ).data;
    const then = await told(ann);
    await bob.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: 'x\n', base: '@' });
    await bob.edit('replace_lines', { path: 'a.txt', start_line: 3, end_line: 4, base: '@' });
    await bob.restore({ path: 'a.txt', from: commit! });
    expect(await told(ann)).toEqual(then);
  });

  it('is of a past commit what it was then', async () => {
    const { ann, bob } = await scene(make);
    await replace(ann, 'two', 'TWO');
    const first = (await bob.edit('move', { path: 'a.txt', new_path: 'b.txt' })).data.commit!;
    await replace(bob, 'TWO', 'two again', 'b.txt');
    await bob.edit('delete', { path: 'b.txt' });
    const { lines } = (await ann.blame({ path: 'b.txt', at: first })).data;
    expect(lines.map(({ agent, author }) => agent ?? author)).toEqual(['Ada', 'ann', 'Ada', 'Ada', 'Ada']);
    expect(lines[1]).toMatchObject({ text: 'TWO', path: 'a.txt', reason: 'as TWO' });
  });

  it('follows files that change their names with each other', async () => {
    const { repo, ann, bob } = await scene(make);
    repo.write('b.txt', 'uno\ndos\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Spanish');
    await replace(ann, 'two', 'TWO');
    await replace(bob, 'dos', 'DOS', 'b.txt');
    await ann.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    await ann.edit('move', { path: 'b.txt', new_path: 'a.txt' });
    await ann.edit('move', { path: 'c.txt', new_path: 'b.txt' });
    expect(await told(ann, 'b.txt')).toEqual(before);
    expect(await told(ann)).toEqual(['Ada uno', 'bob DOS']);
    for (let step = 0; step < 3; step++) await ann.undo();
    expect(await told(ann)).toEqual(before);
    expect(await told(ann, 'b.txt')).toEqual(['Ada uno', 'bob DOS']);
  });
});

describe('what a command or a person did to the text', () => {
  const code = 'function f() {\n  return "a";\n}\n';

  it.each<[string, (scene: Scene, text: string) => Promise<unknown>]>([
    [
      'a person’s formatter',
      async ({ repo, ann }, text) => {
        repo.write('a.txt', text);
        await ann.record(['a.txt'], { outside: true });
      },
    ],
    [
      'the formatter that an agent ran',
      async ({ repo, bob }, text) =>
        bob.during(async () => repo.write('a.txt', text), { git }).catch(error => Promise.reject(error)),
    ],
    [
      'an agent that writes the file anew',
      ({ bob }, file_text) => bob.edit('create', { path: 'a.txt', file_text, overwrite: true }),
    ],
  ])('%s leaves the lines to their authors', async (_, format) => {
    const all = await scene(personRepo, code);
    await replace(all.ann, '  return "a";\n', '  const b = "b";\n  return b + "c";\n');
    await format(all, "function f() {\n    const b = 'b'\n    return b + 'c'\n}\n");
    const lines = ['Ada function f() {', "ann     const b = 'b'", "ann     return b + 'c'", 'Ada }'];
    expect(await told(all.ann)).toEqual(lines);
  });

  it('a stash and its pop leave lines to their authors', async () => {
    const { repo, ann, bob } = await scene();
    await replace(ann, 'two', 'TWO');
    await bob.during(async () => void repo.git('stash', '-q'), { git });
    await bob.during(async () => void repo.git('stash', 'pop', '-q'), { git });
    expect(await told(ann)).toEqual(before);
  });

  it('a command that switches to a branch and edits there leaves the branch’s lines to their author', async () => {
    const { repo, bob } = await scene();
    repo.git('checkout', '-qb', 'other');
    repo.write('a.txt', TEXT.replace('two', 'two by Bea'));
    repo.git('commit', '-qam', 'hers', '--author', 'Bea <bea@example.com>');
    repo.git('checkout', '-q', 'main');
    await bob.during(
      async () => {
        repo.git('checkout', '-q', 'other');
        repo.write('a.txt', `${repo.read('a.txt')}six\n`);
      },
      { git },
    );
    const lines = ['Ada one', 'Bea two by Bea', 'Ada three', 'Ada four', 'Ada five', 'bob six'];
    expect(await told(bob)).toEqual(lines);
  });

  it('a branch that was squashed leaves the agent’s lines to it, whatever is committed then', async () => {
    const { repo, workspace, ann } = await scene();
    repo.git('checkout', '-qb', 'feature');
    await replace(ann, 'two', 'TWO');
    await workspace.land({ git, message: 'Louder' });
    repo.git('checkout', '-q', 'main');
    repo.git('merge', '-q', '--squash', 'feature');
    repo.git('commit', '-qm', 'squashed');
    expect(await told(ann)).toEqual(before);
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    repo.git('commit', '-qam', 'mine');
    expect(await told(ann)).toEqual([...before, 'Ada mine']);
  });
});

it('a file that somebody renamed since, with nothing recorded of that, is the one that it was', async () => {
  const repo = personRepo({ 'num.txt': 'a\nb\nc\nd\ne\n', 'other.txt': 'other\n' });
  const session = await repo.session();
  const { data } = await session.edit('str_replace', { path: 'num.txt', old_str: 'c', new_str: 'C' });
  mkdirSync(repo.path('src'));
  renameSync(repo.path('num.txt'), repo.path('src/numbers.txt'));
  repo.write('src/numbers.txt', `typed\n${repo.read('src/numbers.txt')}`);
  const blamed = await session.blame({ path: 'src/numbers.txt' });
  expect(blamed.data.lines.map(({ text, path }) => [text, path])).toEqual(
    ['a', 'b', 'C', 'd', 'e'].map(text => [text, 'num.txt']),
  );
  expect(blamed.data.lines[2]!.commit).toBe(data.commit);
  expect(blamed.data.recorded).toBe(false);
  expect(blamed.message).toContain('the history has the file as num.txt');
  const { edit, path_then } = (await (await repo.open()).why({ path: 'src/numbers.txt', line: 4 })).data;
  expect([edit?.commit, path_then]).toEqual([data.commit, 'num.txt']);
  expect((await (await repo.open()).why({ path: 'src/numbers.txt', line: 1 })).data.edit).toBeNull();
  repo.write('new.txt', 'nothing of it\n');
  expect(await codeOf(session.blame({ path: 'new.txt' }))).toBe('FILE_NOT_FOUND');
});

describe('a file that was renamed', () => {
  const long = Array.from({ length: 12 }, (_, at) => `line ${at};\n`).join('');
  const authors = async (session: Session, path: string): Promise<string[]> => [
    ...new Set((await told(session, path)).map(one => one.split(' ')[0]!)),
  ];

  it('and changed in one commit of the person is followed, as git does', async () => {
    const { repo, ann } = await scene(personRepo, long);
    await replace(ann, 'line 3;', 'LINE 3;');
    repo.git('mv', 'a.txt', 'b.txt');
    repo.write('b.txt', repo.read('b.txt').replace('line 7', 'mine'));
    repo.git('commit', '-qam', 'mine');
    const { lines } = (await ann.blame({ path: 'b.txt' })).data;
    expect(new Set(lines.map(({ commit }) => commit)).size).toBe(3);
    expect(lines[3]).toMatchObject({ agent: 'ann', path: 'a.txt' });
  });

  it.each([
    ['in its folder', 'src/a.txt', 'src/b.txt'],
    ['into a folder below', 'a.txt', 'src/b.txt'],
    ['into the folder beside it', 'src/a.txt', 'lib/a.txt'],
    ['with its folder', 'old/deep/a.txt', 'new/deep/a.txt'],
  ])('%s before any edit of it keeps its writers, and lands as a rename', async (_, from, to) => {
    const repo = personRepo({ [from]: long, 'src/x': '', 'lib/x': '' });
    repo.git('commit', '-q', '--amend', '--author', 'Bob <bob@example.com>', '--no-edit');
    mkdirSync(dirname(repo.path(to)), { recursive: true });
    renameSync(repo.path(from), repo.path(to));
    const workspace = await repo.open();
    const ann = workspace.session({ agent: 'ann' });
    expect(await authors(ann, to)).toEqual(['Bob']);
    await replace(ann, 'line 3;', 'LINE 3;', to);
    expect(await authors(ann, to)).toEqual(['Bob', 'ann']);
    await workspace.land({ git, message: 'Landed', outside: true });
    expect(repo.git('show', '--format=', '--name-status', '-M', 'HEAD')).toMatch(
      new RegExp(`^R\\d+\t${from}\t${to}$`),
    );
    expect(await authors(ann, to)).toEqual(['Bob', 'ann']);
  });

  it('and formatted as it was saved is the one that it was', async () => {
    const { repo, ann } = await scene(personRepo, long);
    await replace(ann, 'line 3;', 'LINE 3;');
    renameSync(repo.path('a.txt'), repo.path('b.txt'));
    repo.write('b.txt', repo.read('b.txt').replaceAll(/^/gm, '  ').trimEnd());
    await replace(ann, 'line 9;', 'LINE 9;', 'b.txt');
    expect((await told(ann, 'b.txt')).filter(one => one.startsWith('ann'))).toEqual([
      'ann   LINE 3;',
      'ann   LINE 9;',
    ]);
  });

  it('before it landed under its new name leads to its edits', async () => {
    const { repo, workspace, ann } = await scene(personRepo, long);
    await replace(ann, 'line 3;', 'LINE 3;');
    renameSync(repo.path('a.txt'), repo.path('b.txt'));
    await workspace.land({ git, message: 'Landed', outside: true });
    repo.git('checkout', '-q', '--detach');
    expect(repo.git('ls-files')).toBe('b.txt');
    expect(await authors(ann, 'b.txt')).toEqual(['Ada', 'ann']);
  });

  it('is that file also where the person committed only that the old name went', async () => {
    const { repo, workspace, ann } = await scene(personRepo, long);
    await replace(ann, 'line 3;', 'LINE 3;');
    renameSync(repo.path('a.txt'), repo.path('b.txt'));
    repo.write('b.txt', `${repo.read('b.txt')}typed\n`);
    repo.git('commit', '-qam', 'mine');
    expect((await ann.log({})).data.entries.map(({ status }) => status.now)).toEqual(['open']);
    expect(await authors(ann, 'b.txt')).toEqual(['Ada', 'ann']);
    await workspace.land({ git, message: 'Landed', outside: true });
    expect(repo.git('show', 'HEAD:b.txt')).toBe(repo.read('b.txt').trimEnd());
  });

  it('is known where a landing was taken back and the file stayed', async () => {
    const { repo, workspace, ann, bob } = await scene(personRepo, long);
    await ann.edit('create', { path: 'new.txt', file_text: 'by ann\nby ann too\n' });
    await workspace.land({ git, message: 'Landed' });
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    await replace(bob, 'line 3;', 'LINE 3;');
    expect(new Set(await ann.log({}).then(({ data }) => data.entries.map(({ op }) => op)))).not.toContain(
      'outside',
    );
    repo.git('commit', '-qam', 'mine');
    repo.git('mv', 'new.txt', 'renamed.txt');
    repo.git('commit', '-qm', 'renamed');
    await replace(bob, 'line 5;', 'LINE 5;');
    expect(await authors(ann, 'renamed.txt')).toEqual(['ann']);
  });
});

it.each([
  [
    'turns the line ends',
    'first line\r\nsecond line\r\nthird line\r\n',
    'first line\nSECOND line\nthird line\n',
  ],
  [
    'indents the rest',
    'first line\nsecond line\nthird line\n',
    '  first line\n  SECOND line\n  third line\n',
  ],
])('a tool of another that %s as it edits a line wrote that line alone', async (_, text, written) => {
  const repo = personRepo({ 'a.txt': text });
  const ann = (await repo.open({ user: ADA })).session({ id: 'ann', agent: 'ann' });
  repo.write('a.txt', written);
  await ann.record(['a.txt'], { op: 'Edit', told: { original: text, result: written } });
  expect((await told(ann)).map(one => one.split(' ')[0])).toEqual(['Ada', 'ann', 'Ada']);
  await ann.undo();
  expect(repo.read('a.txt')).toBe(text);
});

import { describe, expect, it } from 'vitest';
import type { ReviewHunk, Workspace } from '../../src/index.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

async function hunksOf(workspace: Workspace, options = {}): Promise<ReviewHunk[]> {
  return (await workspace.review(options)).data.hunks;
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('the review of a trail %s', (_, repository) => {
  it('is empty where nobody edited', async () => {
    const repo = repository({ 'a.txt': LINES });
    const answer = await (await repo.open({ user: ADA })).review();
    expect(answer.data.hunks).toEqual([]);
    expect(answer.message).toBe('Nothing is left to review for Ada.');
  });

  it('has one hunk for forty edits of one place', async () => {
    const repo = repository({ 'a.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    for (let n = 0; n < 40; n++) {
      const old = n === 0 ? 'line 5\n' : `try ${n - 1}\nmore\n`;
      await session.edit('str_replace', { path: 'a.txt', old_str: old, new_str: `try ${n}\nmore\n` });
    }
    const hunks = await hunksOf(workspace);
    expect(hunks).toHaveLength(1);
    const [hunk] = hunks;
    expect(hunk).toMatchObject({
      number: 1,
      path: 'a.txt',
      lines: { start_line: 5, end_line: 6 },
      kind: 'lines',
      before: { line: 5, lines: ['line 5'] },
      after: { line: 5, lines: ['try 39', 'more'] },
      context: { above: ['line 2', 'line 3', 'line 4'], below: ['line 6', 'line 7', 'line 8'] },
      mixed: false,
    });
    expect(new Set(hunk!.edits.map(edit => edit.session))).toEqual(new Set(['s1']));
  });

  it('lists the first files of so many edits alone where that is asked for', async () => {
    const repo = repository({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    for (const [path, line] of [
      ['c.txt', 5],
      ['b.txt', 5],
      ['a.txt', 5],
      ['a.txt', 6],
    ] as const)
      await session.edit('str_replace', { path, old_str: `line ${line}\n`, new_str: 'new\n' });
    const first = async (edits: number): Promise<[paths: string[], more: boolean]> => {
      const { hunks, more = false } = (await workspace.review({ first: edits })).data;
      return [hunks.map(({ path }) => path), more];
    };
    expect(await first(1)).toEqual([['a.txt'], true]);
    expect(await first(2)).toEqual([['a.txt'], true]);
    expect(await first(3)).toEqual([['a.txt', 'b.txt'], true]);
    expect(await first(4)).toEqual([['a.txt', 'b.txt', 'c.txt'], false]);
    expect((await workspace.review()).data.more).toBeUndefined();
  });

  it('leaves out what people wrote where it touches no line of an agent', async () => {
    const repo = repository({ 'a.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n' });
    repo.write('a.txt', repo.read('a.txt').replace('line 20\n', 'twenty, by hand\n'));
    expect((await hunksOf(workspace)).map(({ after }) => after.lines)).toEqual([['five']]);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
    expect((await hunksOf(workspace)).map(({ after }) => after.lines)).toEqual([['five'], ['nine']]);
  });

  it('leaves out what a person edited of whom git knows no address, and not what an agent without a name did', async () => {
    const repo = repository({ 'a.txt': LINES });
    const workspace = await repo.open();
    const person = { name: 'ada', email: 'ada@vedit.invalid' };
    const replace = { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n' };
    await workspace.session({ id: 'ada', person }).edit('str_replace', replace);
    expect(await hunksOf(workspace)).toEqual([]);
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
    expect((await hunksOf(workspace)).map(({ after }) => after.lines)).toEqual([['nine']]);
  });

  it('marks a hunk that a person went on in', async () => {
    const repo = repository({ 'a.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n5\n' });
    repo.write('a.txt', repo.read('a.txt').replace('five\n', 'five\nmine\n'));
    const [hunk] = await hunksOf(workspace);
    expect(hunk).toMatchObject({ mixed: true, after: { lines: ['five', 'mine', '5'] } });
    expect(hunk!.edits.map(({ person, commit }) => [person, commit === null])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('tells of lines that were taken out, of new files, of files that are gone', async () => {
    const repo = repository({ 'a.txt': LINES, 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\nline 6\n', new_str: '' });
    await session.edit('create', { path: 'new.txt', file_text: 'one\ntwo\n' });
    await session.edit('delete', { path: 'b.txt' });
    expect((await hunksOf(workspace)).map(({ path, kind, lines }) => [path, kind, lines])).toEqual([
      ['a.txt', 'lines', { start_line: 5, end_line: 4 }],
      ['b.txt', 'delete', { start_line: 0, end_line: 0 }],
      ['new.txt', 'create', { start_line: 1, end_line: 2 }],
    ]);
  });

  it('can be narrowed to a session, a path, a time', async () => {
    const repo = repository({ 'a.txt': LINES, 'src/b.txt': LINES });
    let clock = new Date('2026-11-20T10:00:00Z');
    const workspace = await repo.open({ user: ADA, now: () => clock });
    const [one, two] = ['one', 'two'].map(id => workspace.session({ id, agent: 'claude' }));
    await one!.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n' });
    clock = new Date('2026-11-21T10:00:00Z');
    await two!.edit('str_replace', { path: 'src/b.txt', old_str: 'line 5\n', new_str: 'five\n' });
    const paths = async (options: object): Promise<string[]> =>
      (await hunksOf(workspace, options)).map(({ path }) => path);
    expect(await paths({})).toEqual(['a.txt', 'src/b.txt']);
    expect(await paths({ session: 'on' })).toEqual(['a.txt']);
    expect(await paths({ path: 'src' })).toEqual(['src/b.txt']);
    expect(await paths({ since: new Date('2026-11-21T00:00:00Z') })).toEqual(['src/b.txt']);
    await expect(workspace.review({ session: 'zzz' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

it('a commit of the branch accepts what it holds, in part too', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n' });
  const first = (await session.log()).data.entries[0]!.commit;
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 6\n', new_str: 'six\n' });
  await workspace.land({ commits: [first], message: 'half' });
  expect((await hunksOf(workspace)).map(({ before, after }) => [before.lines, after.lines])).toEqual([
    [['line 6'], ['six']],
  ]);
  await workspace.land({ message: 'rest' });
  expect(await hunksOf(workspace)).toEqual([]);
});

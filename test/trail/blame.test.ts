import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, personRepo } from '../workspace/person-repo.ts';

interface Line {
  line: number;
  commit: string;
  agent: string | null;
  reason: string;
  path?: string;
}

const lines = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i + 1}\n`).join('');

describe('blame', () => {
  it('agrees with git blame over many edits, outside changes and commits of the person', async () => {
    const repo = ownRepo({ 'a.txt': lines(60) });
    const session = await repo.session();
    let counter = 0;
    for (let round = 0; round < 40; round++) {
      const total = repo.read('a.txt').split('\n').length - 1;
      const at = 1 + ((round * 17) % total);
      const fresh = (): string => `fresh ${++counter}`;
      if (round % 5 === 0) {
        repo.write('a.txt', repo.read('a.txt').replace(/\n/, `\n${fresh()} by hand\n`));
        if (round % 10 === 0) repo.git('commit', '-qam', `hand ${round}`);
      } else if (round % 3 === 0)
        await session.edit('insert', {
          path: 'a.txt',
          insert_line: at,
          insert_text: fresh(),
          version: (await session.view('a.txt')).data.version,
        });
      else if (round % 7 === 0)
        await session.edit('replace_lines', {
          path: 'a.txt',
          start_line: at,
          end_line: at,
          version: (await session.view('a.txt')).data.version,
        });
      else
        await session.edit('replace_lines', {
          path: 'a.txt',
          start_line: at,
          end_line: at,
          new_content: `${fresh()}\n${fresh()}`,
          version: (await session.view('a.txt')).data.version,
        });
    }
    const told = (await session.blame({ path: 'a.txt' })).data.lines as Line[];
    const git = repo
      .git('blame', '--porcelain', 'main', '--', 'a.txt')
      .split('\n')
      .filter(line => /^[0-9a-f]{40} /.test(line));
    expect(told.map(one => one.commit)).toEqual(git.map(line => line.slice(0, 40)));
  });

  it('goes on through a move, and tells agent and reason', async () => {
    const repo = personRepo({ 'a.txt': lines(5) });
    const session = await repo.session();
    const first = await session.edit('str_replace', {
      path: 'a.txt',
      old_str: 'line 2',
      new_str: 'two',
      reason: 'Words.',
    });
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    const told = (await session.blame({ path: 'b.txt' })).data.lines as Line[];
    expect(told[1]).toMatchObject({
      line: 2,
      commit: first.data.commit,
      agent: 'claude',
      reason: 'Words.',
      path: 'a.txt',
    });
    expect(told[0]).toMatchObject({
      commit: repo.git('rev-parse', 'main'),
      agent: null,
      reason: 'start',
      path: 'a.txt',
    });
  });

  it('follows HEAD through a sync', async () => {
    const repo = personRepo({ 'a.txt': lines(20) });
    const session = await repo.session();
    const edit = await session.edit('str_replace', { path: 'a.txt', old_str: 'line 2\n', new_str: 'two\n' });
    repo.write('b.txt', 'b\n');
    repo.git('add', 'b.txt');
    repo.git('commit', '-qm', 'hand');
    await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
    const b = (await session.blame({ path: 'b.txt' })).data.lines as Line[];
    expect(b.map(one => one.commit)).toEqual([repo.git('rev-parse', 'main')]);
    const a = (await session.blame({ path: 'a.txt', view_range: [1, 2] })).data.lines as Line[];
    expect(a.map(one => one.commit)).toEqual([repo.git('rev-parse', 'main~1'), edit.data.commit]);
  });

  it('of an empty file is empty', async () => {
    const session = await personRepo({ 'a.txt': '' }).session();
    expect((await session.blame({ path: 'a.txt' })).data.lines).toEqual([]);
  });

  it('refuses what is not there', async () => {
    const session = await personRepo({ 'a.txt': 'a\n' }).session();
    expect(await codeOf(session.blame({ path: 'none.txt' }))).toBe('FILE_NOT_FOUND');
    expect(await codeOf(session.blame({ path: 'a.txt', view_range: [1, 9] }))).toBe('LINE_OUT_OF_RANGE');
  });
});

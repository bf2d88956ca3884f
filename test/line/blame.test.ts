import { describe, expect, it } from 'vitest';
import type { Answer, DoneData, Session } from '../../src/index.ts';
import { git } from '../helpers/landing.ts';
import { codeOf, ownRepo, personRepo } from '../helpers/person-repo.ts';

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
          version: (await session.view({ path: 'a.txt' })).data.version,
        });
      else if (round % 7 === 0)
        await session.edit('replace_lines', {
          path: 'a.txt',
          start_line: at,
          end_line: at,
          version: (await session.view({ path: 'a.txt' })).data.version,
        });
      else
        await session.edit('replace_lines', {
          path: 'a.txt',
          start_line: at,
          end_line: at,
          new_content: `${fresh()}\n${fresh()}`,
          version: (await session.view({ path: 'a.txt' })).data.version,
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
    const a = (await session.blame({ path: 'a.txt', viewRange: [1, 2] })).data.lines as Line[];
    expect(a.map(one => one.commit)).toEqual([repo.git('rev-parse', 'main~1'), edit.data.commit]);
  });

  it('of an empty file is empty', async () => {
    const session = await personRepo({ 'a.txt': '' }).session();
    expect((await session.blame({ path: 'a.txt' })).data.lines).toEqual([]);
  });

  it('of a file that was no text before begins with the commit that made it one', async () => {
    const repo = personRepo({});
    repo.write('a.txt', new Uint8Array([0, 10]));
    repo.git('add', 'a.txt');
    repo.git('commit', '-qm', 'binary');
    const session = await repo.session();
    const { data } = await session.edit('create', { path: 'a.txt', file_text: 'a\n', overwrite: true });
    const [line] = (await session.blame({ path: 'a.txt' })).data.lines;
    expect(line!.commit).toBe(data.commit);
  });

  it('refuses what is not there', async () => {
    const session = await personRepo({ 'a.txt': 'a\n' }).session();
    expect(await codeOf(session.blame({ path: 'none.txt' }))).toBe('FILE_NOT_FOUND');
    expect(await codeOf(session.blame({ path: 'a.txt', viewRange: [5, 9] }))).toBe('LINE_OUT_OF_RANGE');
  });

  it('goes on from a landed commit to the edits in it, on a trail that begins after it', async () => {
    const repo = personRepo({ 'a.txt': lines(6) });
    const workspace = await repo.open();
    const fixer = workspace.session({ id: 'one', agent: 'fixer' });
    const helper = workspace.session({ id: 'two', agent: 'helper' });
    const edit = (who: Session, line: number): Promise<Answer<DoneData>> =>
      who.edit('str_replace', {
        path: 'a.txt',
        old_str: `line ${line}\n`,
        new_str: `LINE ${line}\n`,
        reason: `R${line}`,
      });
    await edit(fixer, 1);
    await edit(helper, 3);
    await workspace.land({ git, message: 'Landed' });
    repo.write('a.txt', repo.read('a.txt').replace('line 5', 'by hand'));
    repo.git('commit', '-qam', 'Hand', '-m', 'With a body.');
    repo.git('checkout', '-qb', 'feature');
    await edit(await repo.session('three'), 6);
    const told = (await fixer.blame({ path: 'a.txt' })).data.lines;
    expect(told.map(one => `${one.agent ?? one.author}: ${one.reason}`)).toEqual([
      'fixer: R1',
      'Ada: start',
      'helper: R3',
      'Ada: start',
      'Ada: Hand',
      'claude: R6',
    ]);
    repo.git('update-ref', '-d', 'refs/vedit/main');
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now');
    const left = (await (await repo.session()).blame({ path: 'a.txt' })).data.lines;
    expect(left[0]).toMatchObject({ agent: null, reason: 'Landed' });
  });
});

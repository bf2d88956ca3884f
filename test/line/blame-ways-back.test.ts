/** Lines that a way back brought back belong to whoever wrote them first. */

import { describe, expect, it } from 'vitest';
import type { Answer, DoneData, Session } from '../../src/index.ts';
import type { BlameLine } from '../../src/queries/blame.ts';
import { git } from '../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { lots } from '../helpers/random-work.ts';

type Draw = (below: number) => number;

async function linesOf(session: Session, path: string, at?: string): Promise<BlameLine[]> {
  return (await session.blame({ path, at })).data.lines;
}

/** `who: why` of each line. */
async function told(session: Session, path = 'a.txt'): Promise<string[]> {
  const lines = await linesOf(session, path);
  return lines.map(({ agent, author, reason, text }) => `${agent ?? author}: ${reason} | ${text}`);
}

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

const WRITTEN = ['Ada: start | one', 'claude: louder | TWO', 'Ada: start | three'];

async function louder(repo: Place): Promise<Session> {
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO', reason: 'louder' });
  return session;
}

describe('blame after a way back', () => {
  it.each<[string, (session: Session, repo: Place) => Promise<unknown>]>([
    ['undo and redo', async session => [await session.undo(), await session.redo()]],
    ['undo of a rollback', async session => [await session.rollback('~1'), await session.undo({ count: 1 })]],
    [
      'undo of a delete',
      async session => [await session.edit('delete', { path: 'a.txt' }), await session.undo()],
    ],
    [
      'undo of a move, and of an edit at its new place',
      async session => {
        await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
        await session.edit('str_replace', { path: 'c.txt', old_str: 'one', new_str: '1' });
        await session.undo({ count: 2 });
      },
    ],
    [
      'rollback over several edits of several agents',
      async (session, repo) => {
        const other = (await repo.open()).session({ id: 's2', agent: 'gpt' });
        await other.edit('str_replace', { path: 'a.txt', old_str: 'TWO\nthree\n', new_str: '' });
        await session.edit('create', { path: 'a.txt', file_text: 'new\n', overwrite: true });
        await session.rollback('~2', { withOthers: true });
      },
    ],
    [
      'restore from an older commit',
      async session => {
        await session.edit('create', { path: 'a.txt', file_text: 'new\n', overwrite: true });
        await session.restore({ path: 'a.txt', from: '~1' });
      },
    ],
    [
      'revert of an edit in the middle',
      async session => {
        await session.edit('str_replace', { path: 'a.txt', old_str: 'one\n', new_str: '' });
        await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
        await session.revert('~1');
      },
    ],
    ['revert of an undo', async session => [await session.undo(), await session.revert('@')]],
  ])('%s', async (_, act) => {
    for (const make of [personRepo, ownRepo]) {
      const repo = make(FILES);
      const session = await louder(repo);
      await act(session, repo);
      expect(await told(session)).toEqual(WRITTEN);
    }
  });

  it('goes to the commit of a person that a file was restored from', async () => {
    const repo = personRepo(FILES);
    repo.write('a.txt', 'uno\ndos\n');
    repo.git('commit', '-qam', 'Spanish');
    repo.write('a.txt', 'one\ntwo\nthree\n');
    repo.git('commit', '-qam', 'back');
    const session = await louder(repo);
    await session.restore({ path: 'a.txt', from: repo.git('rev-parse', 'HEAD~1') });
    expect(await told(session)).toEqual(['Ada: Spanish | uno', 'Ada: Spanish | dos']);
  });

  it('goes to the edits that a commit of a person holds, whether it landed or was made by plain git', async () => {
    for (const by of ['land', 'git']) {
      const repo = personRepo(FILES);
      const session = await louder(repo);
      if (by === 'land') await (await repo.open()).land({ git });
      else repo.git('commit', '-qam', 'by hand');
      await session.edit('create', { path: 'a.txt', file_text: 'new\n', overwrite: true });
      await session.restore({ path: 'a.txt', from: repo.git('rev-parse', 'HEAD') });
      expect(await told(session)).toEqual(WRITTEN);
    }
  });

  it('goes to the commit of a person that they took a file back to by hand', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: 'new\n', overwrite: true });
    repo.git('checkout', '-q', 'a.txt');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO', reason: 'louder' });
    expect(await told(session)).toEqual(WRITTEN);
  });

  it('keeps what others wrote meanwhile, and what a rollback brought back of theirs', async () => {
    const repo = personRepo(FILES);
    const session = await louder(repo);
    repo.write('a.txt', `by hand 1\n${repo.read('a.txt')}by hand 2\n`);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'by hand 2\n', new_str: '' });
    await session.rollback('~2');
    expect(await told(session)).toEqual(['outside:  | by hand 1', ...WRITTEN, 'outside:  | by hand 2']);
  });

  it('follows a file through a move that overwrites another', async () => {
    const repo = personRepo(FILES);
    const session = await louder(repo);
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt', overwrite: true });
    expect(await told(session, 'b.txt')).toEqual(WRITTEN);
    await session.undo();
    expect(await told(session)).toEqual(WRITTEN);
    expect(await told(session, 'b.txt')).toEqual(['Ada: start | b']);
  });

  it('goes from a landed way back to the edits that it brought back', async () => {
    const repo = personRepo(FILES);
    const session = await louder(repo);
    const workspace = await repo.open();
    await workspace.land({ git, message: 'Louder' });
    await session.undo();
    await workspace.land({ git, message: 'Softer' });
    await session.redo();
    await workspace.land({ git, message: 'Louder again' });
    repo.git('checkout', '-qb', 'feature');
    const fresh = await repo.session('s2');
    await fresh.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    expect(await told(fresh)).toEqual(WRITTEN);
  });
});

/** One step of a random history whose every line is written once. Refusals are part of it. */
function anyStep(repo: Place, session: Session, draw: Draw, step: number): () => unknown {
  const path = ['a.txt', 'b.txt', 'c.txt'][draw(3)]!;
  const [fresh, line, commit] = [`${step} ${path}\n`, draw(6), `~${draw(7)}`];
  const insert = { path, insert_line: line, insert_text: fresh, base: '@' };
  const replace = { path, start_line: 1 + draw(3), end_line: 2 + line, new_content: fresh, base: '@' };
  const byHand = (change: (lines: string[]) => string[]): void =>
    repo.write(path, change(repo.read(path).split(/(?<=\n)/)).join(''));
  const steps: ReadonlyArray<() => unknown> = [
    () => session.edit('insert', insert),
    () => session.edit('insert', insert),
    () => session.edit('replace_lines', replace),
    () => session.edit('replace_lines', { ...replace, new_content: null }),
    () => session.edit('create', { path, file_text: fresh, overwrite: draw(3) === 0 }),
    () => session.edit('delete', { path }),
    () => session.edit('move', { path, new_path: 'moved.txt', overwrite: draw(2) === 0 }),
    () => session.edit('move', { path: 'moved.txt', new_path: path, overwrite: draw(2) === 0 }),
    () => session.undo({ count: 1 + draw(3), scope: draw(2) ? 'trail' : 'session' }),
    () => session.undo({ scope: draw(2) ? 'trail' : 'session' }),
    () => session.redo({ count: 1 + draw(2), scope: draw(2) ? 'trail' : 'session' }),
    () => session.revert(commit),
    () => session.rollback(commit, draw(2) ? {} : { paths: [path] }),
    () => session.restore({ path, from: commit }),
    () => byHand(lines => lines.toSpliced(line, 0, fresh)),
    () => byHand(lines => lines.toSpliced(line, 1)),
    () => repo.git('commit', '-qam', `by hand ${step}`),
  ];
  return steps[draw(steps.length)]!;
}

/** By text, the commit that is the first to hold it, where commits came in this order. */
function firstWriters(repo: Place, commits: readonly string[]): Map<string, string> {
  const writers = new Map<string, string>();
  for (const commit of commits) {
    for (const path of repo.git('ls-tree', '-r', '--name-only', commit).split('\n').filter(Boolean)) {
      for (const line of repo.git('show', `${commit}:${path}`).split('\n').filter(Boolean))
        if (!writers.has(line)) writers.set(line, commit);
    }
  }
  return writers;
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('blame of any history %s', (_, make) => {
  it.each([1, 3])('names the first writer of every line: %i', { timeout: 240_000 }, async seed => {
    const draw = lots(seed * 104_729);
    const repo = make({ 'a.txt': 'a1\na2\na3\na4\n', 'b.txt': 'b1\nb2\n' });
    const quick = { durability: 'journal' } as const;
    const sessions = [await repo.session('s1', quick), await repo.session('s2', quick)];
    const commits = new Set<string>([repo.git('rev-parse', 'main')]);
    for (let step = 0; step < 60; step++) {
      const session = sessions[draw(2)]!;
      await Promise.resolve()
        .then(anyStep(repo, session, draw, step))
        .catch(() => {});
      const heads = repo.git('for-each-ref', '--format=%(objectname)').split('\n');
      for (const one of repo.git('rev-list', '--topo-order', '--reverse', ...heads).split('\n'))
        commits.add(one);
    }
    const writers = firstWriters(repo, [...commits]);
    const { head } = (await sessions[0]!.status()).data;
    let lines = 0;
    for (const path of repo.git('ls-tree', '-r', '--name-only', head!).split('\n').filter(Boolean)) {
      for (const { text, commit } of await linesOf(sessions[0]!, path, head!)) {
        expect([text, repo.git('log', '-1', '--format=%h %s', commit)]).toEqual([
          text,
          repo.git('log', '-1', '--format=%h %s', writers.get(text)!),
        ]);
        lines++;
      }
    }
    expect(lines).toBeGreaterThan(0);
  });

  it.each([1, 2])(
    'is that of the earlier commit, where a file is as it was: %i',
    { timeout: 240_000 },
    async seed => {
      const draw = lots(seed * 15_485_863);
      const repo = make({ 'a.txt': 'x\ny\nx\n', 'b.txt': 'y\n' });
      const session = await repo.session();
      let compared = 0;
      for (let step = 0; step < 70; step++) {
        // Few different lines: the same text goes and comes again by other hands.
        const edit = anyStep(repo, session, draw, draw(2));
        const done = await Promise.resolve()
          .then(edit)
          .catch(() => null);
        const { commit, paths, op } = (done as Answer<DoneData> | null)?.data ?? {};
        if (!commit || !WAYS_BACK.has(op!)) continue;
        for (const { path, version } of paths!.filter(one => one.version)) {
          const earlier = earlierOf(repo, commit, path);
          if (!earlier || repo.git('rev-parse', `${earlier}:${path}`) !== version) continue;
          expect(await linesOf(session, path, commit)).toEqual(await linesOf(session, path, earlier));
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(2);
    },
  );
});

const WAYS_BACK = new Set(['undo', 'redo', 'rollback', 'restore', 'revert']);

/** The commit whose content a way back names for the path. */
function earlierOf(repo: Place, commit: string, path: string): string | undefined {
  const named = (key: string): string[] =>
    repo.git('log', '-1', `--format=%(trailers:key=${key},valueonly)`, commit).split('\n').filter(Boolean);
  const touches = (edit: string): boolean =>
    repo.git('diff-tree', '--name-only', '-r', edit).split('\n').includes(path);
  const undone = named('Vedit-Undoes').filter(touches).at(-1);
  if (undone) return `${undone}^`;
  return named('Vedit-Redoes').filter(touches).at(-1) ?? named('Vedit-Restores')[0];
}

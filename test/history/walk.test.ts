import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { readEntry } from '../../src/history/walk.ts';
import type { LogEntry } from '../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

/** Edits that count a.txt up, the first of them from 0 to 1. */
async function counted(repo: Place, times: number): Promise<void> {
  const session = await repo.session();
  for (let edit = 0; edit < times; edit++) {
    const count = Number(repo.read('a.txt'));
    await session.edit('str_replace', { path: 'a.txt', old_str: `${count}`, new_str: `${count + 1}` });
  }
}

async function logged(repo: Place): Promise<string[]> {
  const { data } = await (await repo.session()).log();
  return (data.entries as LogEntry[]).map(entry => entry.commit);
}

async function undoable(repo: Place): Promise<number> {
  const session = await repo.session();
  for (let count = 0; ; count++) if ((await codeOf(session.undo())) === 'NO_CHANGE') return count;
}

const commits = (repo: Place, range: string): string[] =>
  repo.git('rev-list', '--first-parent', range).split('\n');

describe('a trail beside the branch begins where HEAD’s own history begins', () => {
  it('when the engine itself made that history, while the branch was the trail', async () => {
    const repo = ownRepo({ 'a.txt': '0' });
    await counted(repo, 3);
    repo.git('config', '--unset', 'vedit.trail');
    expect(await logged(repo)).toEqual([]);
    await counted(repo, 2);
    expect(await logged(repo)).toEqual(commits(repo, 'main..vedit/main'));
    expect(await codeOf((await repo.session()).revert('main'))).toBe('INVALID_INPUT');
    expect(await codeOf((await repo.session()).rollback('main~1'))).toBe('INVALID_INPUT');
    await (await repo.session()).rollback('main');
    expect(repo.read('a.txt')).toBe('3');
  });

  it('when it was merged and begins anew', async () => {
    const repo = personRepo({ 'a.txt': '0' });
    await counted(repo, 3);
    repo.git('reset', '-q', '--hard', 'vedit/main');
    repo.git('update-ref', '-d', 'refs/vedit/main');
    await counted(repo, 1);
    expect(await logged(repo)).toEqual(commits(repo, 'main..vedit/main'));
    expect(await undoable(repo)).toBe(1);
  });

  it('and keeps its edits when the branch came up to it', async () => {
    const repo = personRepo({ 'a.txt': '0' });
    const start = repo.git('rev-parse', 'main');
    await counted(repo, 2);
    repo.git('reset', '-q', '--hard', 'vedit/main');
    expect(await logged(repo)).toEqual(commits(repo, `${start}..vedit/main`));
    await counted(repo, 1);
    expect(await logged(repo)).toEqual(commits(repo, `${start}..vedit/main`));
    expect(await undoable(repo)).toBe(3);
    expect(repo.read('a.txt')).toBe('0');
  });

  it('also where there was no commit yet', async () => {
    const repo = personRepo({});
    repo.git('update-ref', '-d', 'refs/heads/main');
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: '0' });
    await counted(repo, 1);
    expect(await logged(repo)).toEqual(commits(repo, 'vedit/main'));
    expect(repo.git('log', '--format=%(trailers:key=Vedit-Line,valueonly,separator=;)', 'vedit/main')).toBe(
      '\n2',
    );
  });

  it('with the commit that recorded what it found', async () => {
    const repo = personRepo({ 'a.txt': '0' });
    repo.write('a.txt', '7');
    await counted(repo, 1);
    expect(await logged(repo)).toEqual(commits(repo, 'main..vedit/main'));
    expect(
      repo.git('log', '--format=%s%(trailers:key=Vedit-Line,valueonly,separator=)', 'main..vedit/main'),
    ).toBe('str_replace a.txt (+1 -1)\noutside a.txt2');
  });
});

describe('the walk', () => {
  it('ends where a shallow clone does', async () => {
    const repo = ownRepo({ 'a.txt': '0' });
    await counted(repo, 3);
    const all = commits(repo, 'main');
    repo.git('clone', '-q', '--depth', '2', `file://${repo.dir}`, repo.path('shallow'));
    const { openWorkspace } = await import('../../src/index.ts');
    const workspace = await openWorkspace({ root: repo.path('shallow'), trail: 'HEAD' });
    const { data } = await workspace.session().log();
    expect((data.entries as LogEntry[]).map(entry => entry.commit)).toEqual(all.slice(0, 2));
    await workspace.close();
  });
});

describe('a trail with a commit that is gone', () => {
  it('is CORRUPT, not a shorter one', async () => {
    const repo = personRepo({ 'a.txt': '0' });
    await counted(repo, 4);
    const gone = repo.git('rev-parse', 'vedit/main~2');
    rmSync(repo.path('.git/objects', gone.slice(0, 2), gone.slice(2)));
    // Else it would be read from there, as after a gc of git's own.
    for (const file of readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal')))
      rmSync(repo.path('.git/vedit', file));
    const session = await repo.session();
    for (const call of [session.log(), session.undo({ count: 3 })])
      await expect(call).rejects.toMatchObject({ code: 'CORRUPT', data: { oid: gone } });
    expect(repo.read('a.txt')).toBe('4');
  });
});

describe('a commit of others', () => {
  it('has its words when they are asked for, copied and written down too', async () => {
    const repo = ownRepo({ 'a.txt': '0' });
    repo.git(
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'subject',
      '-m',
      'one\n\ntwo',
      '-m',
      'Signed-off-by: A <a@b.invalid>',
    );
    const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
    const [author, email, time] = repo.git('log', '-1', '--format=%an%n%ae%n%ct').split('\n');
    const entry = await readEntry(objects, repo.git('rev-parse', 'HEAD'));
    expect({ ...entry }).toMatchObject({
      commit: repo.git('rev-parse', 'HEAD'),
      parents: [repo.git('rev-parse', 'HEAD~1')],
      tree: repo.git('rev-parse', 'HEAD^{tree}'),
      subject: 'subject',
      reason: 'one\n\ntwo\n\nSigned-off-by: A <a@b.invalid>',
      author: { name: author, email },
      time: Number(time),
      meta: null,
    });
    expect(JSON.parse(JSON.stringify(entry))).toEqual({ ...entry });
    await objects.close();
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EditError, LogEntry, Session } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

const files = { 'a.txt': '1\n2\n3\n' };

const edit = (session: Session, n: number, to: string) =>
  session.edit('str_replace', { path: 'a.txt', old_str: `${n}\n`, new_str: `${to}\n` });

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );
}

async function ids(session: Session): Promise<string[]> {
  return ((await session.log()).data.entries as LogEntry[]).map(one => one.commit);
}

describe('names of commits', () => {
  it('are what git calls them, from @ and from the newest on', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    for (const [n, to] of [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ] as const)
      await edit(session, n, to);
    const [newest, , oldest] = await ids(session);
    const start = repo.git('rev-parse', 'main');
    const names = { '@': newest, '~0': newest, '~2': oldest, '@~2': oldest, '~~': oldest, '~1~1': oldest };
    const all = { ...names, '@^': repo.git('rev-parse', 'vedit/main^'), '~3': start, ' ~2 ': oldest };
    for (const [name, commit] of Object.entries(all))
      expect([name, (await session.show(name)).data.commit]).toEqual([name, commit]);
  });

  it('that go too far back are told how far it goes', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    await edit(session, 1, 'one');
    const error = await refusal(session.revert('~9'));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { commits: 1 } });
    expect(error.message).toContain(`ends 1 back, at ${repo.git('rev-parse', 'main').slice(0, 12)}`);
    expect((await refusal(session.show('@^2'))).message).toContain('has no parent number 2');
    for (const name of ['', '^', 'nowhere~1', '@{1}'])
      expect([name, (await refusal(session.show(name))).code]).toEqual([name, 'INVALID_INPUT']);
  });

  it('are the trail’s own where other commits begin with the same digits', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    const { commit } = (await edit(session, 1, 'one')).data;
    const digits = commit!.slice(0, 4);
    const other = sameDigits(repo.git('cat-file', 'commit', 'main'), digits);
    repo.pipe(other, 'hash-object', '-t', 'commit', '-w', '--stdin');
    expect(() => repo.git('rev-parse', '--verify', '-q', `${digits}^{commit}`)).toThrow();
    expect((await session.show(digits)).data.commit).toBe(commit);
    await session.revert(digits);
    expect((await session.show('@')).data.undoes).toEqual([commit]);
    expect((await session.show(`${digits}~1`)).data.commit).toBe(repo.git('rev-parse', 'main'));
  });

  it('mean what they meant when the call was made, whoever edits while it waits', async () => {
    const repo = personRepo(files);
    let go = (): void => {};
    const waiting = new Promise<void>(resolve => {
      go = resolve;
    });
    const workspace = await repo.open();
    const slow = workspace.session({ id: 's2', beforeCommit: () => waiting.then(() => null) });
    const session = workspace.session({ id: 's1' });
    const first = (await edit(session, 1, 'one')).data.commit;
    await edit(session, 3, 'three');
    const other = slow.edit('create', { path: 'b.txt', file_text: 'b\n' });
    const back = session.revert('~1');
    const landed = workspace.land({ commits: ['~1'], dryRun: true });
    expect((await landed).data.commits[0]!.edits).toEqual([first]);
    go();
    await other;
    await back;
    expect((await session.show('@')).data.undoes).toEqual([first]);
    await workspace.close();
  });
});

describe('commits that an answer names', () => {
  it('are there, and not only in the memory of who answered', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    await edit(session, 1, 'one');
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    repo.git('commit', '-qam', 'mine');
    const head = repo.git('rev-parse', 'main');
    const stale = await refusal(
      session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two', base: '@' }),
    );
    expect(stale).toMatchObject({ code: 'STALE', data: { changed_by: [{ commit: head, by: 'outside' }] } });
    const unseen = await refusal(session.edit('insert', { path: 'a.txt', insert_line: 1, insert_text: 'x' }));
    expect(unseen.code).toBe('NOT_VIEWED');
    repo.write('a.txt', `${repo.read('a.txt')}more\n`);
    const dry = await session.edit('str_replace', {
      path: 'a.txt',
      old_str: '2',
      new_str: 'two',
      dry_run: true,
    });
    const newest = repo.git('rev-parse', 'vedit/main');
    expect([stale.data.commit, unseen.data.commit, dry.data.parent]).toEqual([newest, newest, newest]);
  });
});

/** A commit like this one whose id begins with the digits. */
function sameDigits(commit: string, digits: string): string {
  for (let n = 0; ; n++) {
    const text = `${commit}\n${n}\n`;
    const id = createHash('sha1').update(`commit ${text.length}\0${text}`).digest('hex');
    if (id.startsWith(digits)) return text;
  }
}

/** Ways back say what they were decided on: a commit, or a version of a file. */

import { describe, expect, it } from 'vitest';
import type { Answer, DoneData, EditError, Session } from '../../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../../helpers/person-repo.ts';

const LINES = Array.from({ length: 12 }, (_, n) => `${n + 1}\n`).join('');
const word = (n: number, to: string) => ({ path: 'a.txt', old_str: `\n${n}\n`, new_str: `\n${to}\n` });
const other = { path: 'b.txt', old_str: 'b', new_str: 'B' };

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );
}

interface Start {
  repo: Place;
  one: Session;
  two: Session;
  /** The newest commit: an edit of line 6, after one of line 3. */
  base: string;
}

async function start(): Promise<Start> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
  const one = await repo.session('one');
  const two = (await repo.open()).session({ id: 'two', agent: 'codex' });
  await one.edit('str_replace', word(3, 'three'));
  const { commit } = (await one.edit('str_replace', word(6, 'six'))).data;
  return { repo, one, two, base: commit! };
}

type Options = { base?: string; version?: string; dryRun?: true };
type WayBack = (session: Session, options: Options, base: string) => Promise<Answer<DoneData>>;

/** Each a way back that changes a.txt. */
const WAYS: Record<string, WayBack> = {
  undo: (session, options) => session.undo(options),
  revert: (session, options, base) => session.revert(base, options),
  rollback: (session, options, base) => session.rollback(`${base}~1`, options),
  restore: (session, options, base) => session.restore({ path: 'a.txt', from: `${base}~1`, ...options }),
};

describe.each(Object.entries(WAYS))('%s with a base', (op, back) => {
  it('is done when nothing that it is about came since', async () => {
    const { repo, one, two, base } = await start();
    if (op !== 'rollback') await two.edit('str_replace', other);
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
    const { data } = await back(one, { base }, base);
    expect(repo.read('a.txt')).toBe(LINES.replace('3\n', 'three\n'));
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Base,valueonly)', data.commit!)).toContain(
      base,
    );
  });

  it('names the edit of another session', async () => {
    const { repo, one, two, base } = await start();
    const { commit } = (await two.edit('str_replace', word(9, 'nine'))).data;
    const before = repo.read('a.txt');
    const error = await refusal(back(one, { base }, base));
    expect(error).toMatchObject({
      code: 'STALE',
      retryable: true,
      data: { base, commit, path: 'a.txt', changed_by: [{ commit, session: 'two', agent: 'codex' }] },
    });
    expect(error.message).toContain(
      `- ${commit!.slice(0, 12)} str_replace a.txt (+1 -1) (codex, session two)`,
    );
    expect(repo.read('a.txt')).toBe(before);
    await back(one, { base: commit!.slice(0, 12) }, base);
  });

  it('names it also where going back would conflict with it', async () => {
    const { one, two, base } = await start();
    const { commit } = (await two.edit('str_replace', word(7, 'seven'))).data;
    expect(await refusal(back(one, { base, dryRun: true }, base))).toMatchObject({
      code: 'STALE',
      data: { changed_by: [{ commit }] },
    });
  });

  it('names what a person changed, and what to cite instead', async () => {
    const { repo, one, base } = await start();
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    const error = await refusal(back(one, { base, dryRun: true }, base));
    expect(error).toMatchObject({ code: 'STALE', data: { changed_by: [{ commit: null, by: 'outside' }] } });
    repo.git('commit', '-qm', 'my line', 'a.txt');
    const committed = await refusal(back(one, { base, dryRun: true }, base));
    const head = repo.git('rev-parse', 'HEAD');
    expect(committed.data.changed_by).toMatchObject([{ commit: head, by: 'outside', subject: 'my line' }]);
    expect(committed.message).toContain(`${head.slice(0, 12)} my line (a commit of the branch)`);
    const { version } = committed.data as { version: string };
    expect(committed.message).toContain(`version "${version}" in place of base`);
    if (op !== 'restore') await back(one, { version }, base);
  });

  it('refuses one that is no commit of the trail', async () => {
    const { repo, one, base } = await start();
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
    const error = await refusal(back(one, { base: 'main' }, base));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'base' } });
    expect(error.message).toContain(`The newest is ${base.slice(0, 12)}`);
  });
});

describe.each(Object.entries(WAYS))('%s with a version', (_op, back) => {
  it('is done when the file has it, and STALE with the difference when it has not', async () => {
    const { repo, one, two, base } = await start();
    const { version } = (await one.view({ path: 'a.txt' })).data as { version: string };
    await two.edit('str_replace', word(10, 'ten'));
    const error = await refusal(back(one, { version }, base));
    expect(error).toMatchObject({ code: 'STALE', data: { path: 'a.txt', changed_by: [{ session: 'two' }] } });
    expect(error.message).toContain('+ten\n');
    for (const bad of ['no id', '', version.slice(0, 3)])
      expect(await codeOf(back(one, { version: bad }, base))).toBe('INVALID_INPUT');
    await back(one, { version: error.data.version as string }, base);
    expect(repo.read('a.txt')).not.toContain('six');
  });
});

describe('on the checked-out branch', () => {
  it('a commit of the person is what came since, where it changes the file', async () => {
    const repo = ownRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const one = await repo.session('one');
    const { commit } = (await one.edit('str_replace', word(3, 'three'))).data;
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
    await one.undo({ base: commit!, dryRun: true });
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    repo.git('commit', '-qam', 'mine');
    const head = repo.git('rev-parse', 'HEAD');
    const error = await refusal(one.undo({ base: commit! }));
    expect(error).toMatchObject({ code: 'STALE', data: { changed_by: [{ commit: head, op: 'commit' }] } });
    await one.undo({ base: head });
    expect(repo.read('a.txt')).toBe(`${LINES}mine\n`);
  });
});

describe('before the first edit', () => {
  it('the base is HEAD’s commit', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', 'second\n');
    repo.git('commit', '-qam', 'second');
    const one = await repo.session('one');
    const { commit } = (await one.view({ path: 'a.txt' })).data as { commit: string };
    await one.restore({ path: 'a.txt', from: 'main~1', base: commit });
    expect(repo.read('a.txt')).toBe(LINES);
    await one.undo({ base: '@' });
    expect(await codeOf(one.redo({ base: commit }))).toBe('STALE');
  });
});

describe('a version', () => {
  it('is that of any file that the way back changes', async () => {
    const { repo, one, two } = await start();
    await one.change([
      { edit: 'str_replace', ...word(9, 'nine') },
      { edit: 'str_replace', ...other },
    ]);
    const { version } = (await one.view({ path: 'b.txt' })).data as { version: string };
    await one.undo({ version, dryRun: true });
    await two.edit('create', { path: 'b.txt', file_text: 'B\nmore\n', overwrite: true });
    const error = await refusal(one.undo({ version: version.slice(0, 8) }));
    expect(error).toMatchObject({ code: 'STALE', data: { path: 'b.txt', base_version: version } });
    expect(repo.read('a.txt')).toContain('nine');
  });
});

describe('what is counted', () => {
  it.each([
    ['revert', 1, (session: Session, options: Options) => session.revert('~1', options)],
    ['rollback', 1, (session: Session, options: Options) => session.rollback('@~1', options)],
    [
      'restore',
      2,
      (session: Session, options: Options) =>
        session.restore({ path: 'a.txt', from: 'vedit/main~2', ...options }),
    ],
  ])('%s: counts from the base, or is refused with what it was then and is now', async (_op, back, call) => {
    const { repo, one } = await start();
    const then = repo.git('rev-parse', `vedit/main~${back}`);
    const base = repo.git('rev-parse', 'vedit/main');
    await one.edit('str_replace', other);
    const now = repo.git('rev-parse', `vedit/main~${back}`);
    const error = await refusal(call(one, { base }));
    expect(error.code).toBe('STALE');
    expect(error.message).toContain(`named ${then.slice(0, 12)} then, and ${now.slice(0, 12)} now`);
    await call(one, { base: '@' });
  });

  it('undo: an answer that was lost does not make a second undo of the retry', async () => {
    const { repo, one, base } = await start();
    const { commit } = (await one.undo({ base })).data;
    const error = await refusal(one.undo({ base }));
    expect(error).toMatchObject({ code: 'STALE', data: { changed_by: [{ commit, op: 'undo' }] } });
    expect(error.message).toContain('(your own)');
    expect(repo.read('a.txt')).toContain('three');
    await one.undo({ base: '@' });
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('undo: an edit of the session in another file since is not what it is about', async () => {
    const { repo, one, base } = await start();
    await one.edit('str_replace', other);
    expect(await codeOf(one.undo({ base }))).toBe('STALE');
    expect(await codeOf(one.undo({ base, path: 'a.txt' }))).toBe(null);
    expect([repo.read('a.txt').includes('six'), repo.read('b.txt')]).toEqual([false, 'B\n']);
  });

  it('redo: what was put back meanwhile is not put back again, and nothing else is', async () => {
    const { repo, one } = await start();
    await one.undo({ count: 2 });
    const base = repo.git('rev-parse', 'vedit/main');
    const { commit } = (await one.redo({ base })).data;
    expect(await refusal(one.redo({ base }))).toMatchObject({
      code: 'STALE',
      data: { changed_by: [{ commit, op: 'redo' }] },
    });
    await one.redo({ base: commit! });
    expect(repo.read('a.txt')).toBe(LINES.replace('3\n', 'three\n').replace('6\n', 'six\n'));
  });

  it('redo: an edit since, which ends what can be put back, is named', async () => {
    const { repo, one } = await start();
    await one.undo();
    const base = repo.git('rev-parse', 'vedit/main');
    const { commit } = (await one.edit('str_replace', other)).data;
    expect(await refusal(one.redo({ base }))).toMatchObject({
      code: 'STALE',
      data: { changed_by: [{ commit }] },
    });
  });
});

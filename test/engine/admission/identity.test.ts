import { describe, expect, it } from 'vitest';
import { personRepo } from '../../helpers/person-repo.ts';

const BOT = { name: 'Acme Bot', email: 'bot@acme.example' };

describe('the host’s identity', () => {
  const identity = {
    committer: BOT,
    email: (agent: string) => `${agent}@agents.acme.example`,
    trailers: { 'Co-authored-by': ['Ada <ada@example.com>'] },
  };

  it('is committer, address and real trailers of each commit, and verify knows it', async () => {
    const repo = personRepo({ 'a.ts': 'one\n' });
    await using workspace = await repo.open({ identity });
    const session = workspace.session({ agent: 'fixer', trailers: { Ticket: ['ACME-12', 'ACME-13'] } });
    const { data } = await session.edit('str_replace', {
      path: 'a.ts',
      old_str: 'one',
      new_str: 'two',
      reason: 'It was one.',
    });
    const show = (format: string): string =>
      repo.git('show', '-s', `--format=${format}`, data.commit!).trim();
    expect(show('%cn <%ce>')).toBe('Acme Bot <bot@acme.example>');
    expect(show('%an <%ae>')).toBe('fixer <fixer@agents.acme.example>');
    expect(show('%(trailers:key=Ticket,valueonly,separator=%x2C)')).toBe('ACME-12,ACME-13');
    expect(show('%(trailers:key=Co-authored-by,valueonly)')).toBe('Ada <ada@example.com>');
    expect(show('%(trailers:key=Vedit-Op,valueonly)')).toBe('str_replace');
    repo.write('a.ts', 'two\nby hand\n');
    await session.edit('str_replace', { path: 'a.ts', old_str: 'two', new_str: 'three' });
    repo.git('commit', '-qam', 'mine');
    await session.edit('str_replace', { path: 'a.ts', old_str: 'three', new_str: 'four' });
    await session.undo();
    expect((await workspace.verify()).data.faults).toEqual([]);
    await repo.close();
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('of another committer than the commit names is a fault', async () => {
    const repo = personRepo({ 'a.ts': 'one\n' });
    await using workspace = await repo.open({ identity });
    await workspace.session({ agent: 'fixer' }).edit('create', { path: 'b.ts', file_text: 'b\n' });
    await repo.close();
    repo.git(
      '-c',
      'user.name=Eve',
      '-c',
      'user.email=eve@example.com',
      'update-ref',
      'refs/vedit/main',
      repo
        .git(
          'commit-tree',
          '-p',
          'vedit/main~1',
          '-m',
          repo.git('show', '-s', '--format=%B', 'vedit/main'),
          'vedit/main^{tree}',
        )
        .trim(),
    );
    const { faults } = (await (await repo.open()).verify()).data;
    expect(faults.map(({ kind }) => kind)).toContain('rewritten');
  });

  it.each([
    [{ trailers: { 'Vedit-Op': 'x' } }, 'trailers'],
    [{ trailers: { 'Two words': 'x' } }, 'trailers'],
    [{ trailers: { Ticket: 'a\nVedit-Op: undo' } }, 'trailers'],
    [{ committer: { name: 'a\nb', email: 'c' } }, 'committer'],
  ])('%j is refused by name', async (wrong, field) => {
    const error = await personRepo({})
      .open({ identity: wrong })
      .catch(one => one);
    expect([error.code, error.message]).toEqual(['INVALID_INPUT', expect.stringContaining(field)]);
  });
});

describe('limits', () => {
  const create = (n: number, text = 'four\n') => ['create', { path: `${n}.txt`, file_text: text }] as const;
  const ruleOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'done',
      error => error.data.rule ?? error.code,
    );

  it('count edits and bytes of all sessions of the workspace', async () => {
    const repo = personRepo({});
    await using workspace = await repo.open({ limits: { edits: 3, bytes: 12 } });
    const [one, two] = [workspace.session(), workspace.session()];
    expect(await ruleOf(one.edit(...create(1)))).toBe('done');
    expect(await ruleOf(two.edit(...create(2, 'eight!!!\n')))).toBe('bytes');
    expect(await ruleOf(two.edit(...create(3)))).toBe('done');
    expect(await ruleOf(one.edit('delete', { path: '1.txt' }))).toBe('done');
    expect(await ruleOf(one.undo())).toBe('edits');
    await using other = await repo.open();
    expect(await ruleOf(other.session().edit(...create(4)))).toBe('done');
  });

  it('say when the next change of a minute may be made', async () => {
    let now = Date.UTC(2026, 10, 24);
    const session = await personRepo({}).session('s', { limits: { perMinute: 2 }, now: () => new Date(now) });
    for (const n of [1, 2]) await session.edit(...create(n));
    now += 20_000;
    const error = await session.edit(...create(3)).catch(one => one);
    expect([error.data.rule, error.message]).toEqual([
      'perMinute',
      expect.stringContaining('wait 40 seconds'),
    ]);
    now += 40_001;
    expect(await ruleOf(session.edit(...create(3)))).toBe('done');
  });
});

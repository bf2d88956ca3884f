import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

/** A repository whose files a.txt and b.txt an agent edited, and c.txt nobody. */
async function edited(make: typeof personRepo): Promise<Place> {
  const repo = make({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
  return repo;
}

describe.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
] as const)('what changed outside, %s', (_where, make, trail) => {
  it('is nothing at first', async () => {
    const { data, message } = await (await (await edited(make)).session()).diff({ outside: true });
    expect(data).toMatchObject({ to: null, diff: '', paths: [], checked_paths: 2 });
    expect(message).toBe('Nothing but vedit changed the 2 files looked at.');
  });

  it('is what git diff shows of these files against the trail', async () => {
    const repo = await edited(make);
    repo.write('a.txt', 'A\nmore\n');
    rmSync(repo.path('b.txt'));
    repo.write('c.txt', 'C\n');
    const { data } = await (await repo.session()).diff({ outside: true });
    const git = repo.git('diff', trail, '--', 'a.txt', 'b.txt').replace(/^index .*\n/gm, '');
    expect(data.diff).toBe(`${git}\n`);
    expect(data.paths.map(one => `${one.kind} ${one.path}`)).toEqual(['modify a.txt', 'delete b.txt']);
  });

  it('is looked for in a file that nobody edited when it is named, and only in a folder that is named', async () => {
    const repo = await edited(make);
    repo.write('c.txt', 'C\n');
    repo.write('a.txt', 'by hand\n');
    repo.write('new/n.txt', 'n\n');
    const session = await repo.session();
    const paths = async (path: string): Promise<string[]> =>
      (await session.diff({ outside: true, path })).data.paths.map(one => `${one.kind} ${one.path}`);
    expect(await paths('c.txt')).toEqual(['modify c.txt']);
    expect(await paths('new/n.txt')).toEqual(['create new/n.txt']);
    expect(await paths('new')).toEqual([]);
  });

  it('is what the next edit records, execute bits too', async () => {
    const repo = await edited(make);
    repo.write('a.txt', 'by hand\n');
    chmodSync(repo.path('b.txt'), 0o755);
    const session = await repo.session();
    const { data } = await session.diff({ outside: true });
    expect(data.diff).toContain('old mode 100644\nnew mode 100755\n');
    await session.change([
      { edit: 'str_replace', path: 'a.txt', old_str: 'by', new_str: 'BY' },
      { edit: 'str_replace', path: 'b.txt', old_str: 'B', new_str: 'BB' },
    ]);
    expect((await session.show('~1')).data).toMatchObject({ op: 'outside', diff: data.diff });
  });

  it('is told of a file that cannot be read', async () => {
    const repo = await edited(make);
    rmSync(repo.path('a.txt'));
    execFileSync('mkfifo', [repo.path('a.txt')]);
    rmSync(repo.path('b.txt'));
    mkdirSync(repo.path('b.txt'));
    const session = await repo.session();
    const { data, message } = await session.diff({ outside: true });
    expect(data.unreadable).toEqual([{ path: 'a.txt', code: 'SPECIAL_FILE' }]);
    expect(data.paths).toEqual([{ path: 'b.txt', kind: 'delete', added: 0, removed: 1 }]);
    expect(message).toContain('[a.txt changed and cannot be read: SPECIAL_FILE]');
    expect((await session.status()).data.outside).toEqual([
      { path: 'a.txt', kind: 'modified', unreadable: 'SPECIAL_FILE' },
      { path: 'b.txt', kind: 'deleted' },
    ]);
  });
});

describe('outside changes beside the branch', () => {
  it('are not what HEAD brought meanwhile', async () => {
    const repo = await edited(personRepo);
    repo.write('c.txt', 'C\n');
    repo.write('a.txt', 'A\nmore\n');
    repo.git('commit', '-qam', 'all of it');
    repo.write('b.txt', 'B\nby hand\n');
    const { data } = await (await repo.session()).status();
    expect(data).toMatchObject({ behind_head: true, outside: [{ path: 'b.txt', kind: 'modified' }] });
  });

  it('are found in files that were edited long ago', async () => {
    const repo = await edited(personRepo);
    const session = await repo.session();
    for (let edit = 0; edit < 210; edit++)
      await session.edit('create', { path: 'n.txt', file_text: `${edit}`, overwrite: true });
    repo.write('a.txt', 'by hand\n');
    expect((await session.status()).data).toMatchObject({
      outside: [{ path: 'a.txt', kind: 'modified' }],
      checked_paths: 3,
      last: { subject: 'write n.txt (+1 -1)', agent: 'claude' },
    });
  });

  it('are not compared with two commits at once', async () => {
    const session = await (await edited(personRepo)).session();
    await expect(session.diff({ outside: true, from: '~1' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

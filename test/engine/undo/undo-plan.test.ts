import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const B = 'x\ny\nz\n';

async function discarded(makeRepo: typeof personRepo): Promise<Place> {
  const repo = makeRepo({ 'a.txt': '1\n2\n', 'b.txt': B });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
  await session.edit('str_replace', { path: 'b.txt', old_str: 'y', new_str: 'why' });
  repo.write('b.txt', B);
  return repo;
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('edits that the person took back by hand, %s', (_where, makeRepo) => {
  it('are passed over by undo, which says so and does not count them as undone', async () => {
    const repo = await discarded(makeRepo);
    const session = await repo.session();
    const { data } = await session.undo();
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['1\n2\n', B]);
    expect(data.notes?.join()).toMatch(/^[0-9a-f]{12} is passed over: nothing left$/);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    expect(await codeOf(session.undo())).toBe('NO_CHANGE');
    await session.redo();
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['1\ntwo\n', B]);
    expect(await codeOf(session.redo())).toBe('NO_CHANGE');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('are nothing left where there is nothing else to undo', async () => {
    const repo = await discarded(makeRepo);
    const session = await repo.session();
    expect(await codeOf(session.undo({ path: 'b.txt' }))).toBe('NO_CHANGE');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['1\ntwo\n', B]);
  });

  it('with other text beside it: that text is no part of the undo', async () => {
    const repo = await discarded(makeRepo);
    repo.write('b.txt', `${B}1\n2\n3\nby hand\n`);
    const session = await repo.session();
    await session.undo();
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['1\n2\n', `${B}1\n2\n3\nby hand\n`]);
    const { faults } = (await (await repo.open()).verify()).data;
    expect(faults).toEqual([]);
    expect(await codeOf(session.undo())).toBe('NO_CHANGE');
  });

  it('do not count where so many are asked for', async () => {
    const repo = await discarded(makeRepo);
    const session = await repo.session();
    const { data } = await session.undo({ dryRun: true });
    expect(data.paths.map(one => one.path)).toEqual(['a.txt']);
    expect(await codeOf(session.undo({ count: 2 }))).toBe('NO_CHANGE');
  });

  it('are nothing left for revert, too', async () => {
    const repo = await discarded(makeRepo);
    expect(await codeOf((await repo.session()).revert('@'))).toBe('NO_CHANGE');
  });
});

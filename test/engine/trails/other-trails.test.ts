/** Trails that grew apart: the files hold work that the trail of this branch knows nothing of. */

import { describe, expect, it } from 'vitest';
import { git, LINES } from '../../helpers/landing.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';

/** Each of two branches has a trail of its own; the work on main’s was carried over to the other one. */
async function carriedOver(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  repo.git('switch', '-q', '-c', 'other');
  const other = await repo.session('s2');
  await other.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
  repo.git('commit', '-qam', 'b');
  repo.git('switch', '-q', 'main');
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
  repo.git('switch', '-q', 'other');
  return repo;
}

const WORDS =
  'the history of main has 2 edits in a.txt that this one knows nothing of (vedit log --trail main)';

describe('work that only another trail knows', () => {
  it('is named by status, log, undo and land', async () => {
    const repo = await carriedOver();
    const session = await repo.session('s2');
    const { data, message } = await session.status();
    expect(data.elsewhere).toEqual([
      { trail: 'refs/vedit/main', edits: 2, paths: ['a.txt'], message: WORDS },
    ]);
    expect([data.continues, message]).toEqual([null, expect.stringContaining(WORDS)]);
    expect((await session.log()).message).toContain(`Note: ${WORDS}`);
    expect((await session.undo({ dryRun: true })).data.notes).toContain(WORDS);
    await expect((await repo.session('s9')).undo()).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining(WORDS),
      data: { elsewhere: data.elsewhere },
    });
    await expect((await repo.open()).land({ git })).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining(WORDS),
    });
    await session.edit('str_replace', { path: 'b.txt', old_str: 'one', new_str: '1' });
    expect((await (await repo.open()).land({ git })).data.notes).toContain(WORDS);
  });

  it('lands from there', async () => {
    const repo = await carriedOver();
    await (await repo.open({ trail: 'main' })).land({ git });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await (await repo.session('s2')).status()).data.elsewhere).toEqual([]);
  });

  it('is nobody’s own when an edit needs the file: blame finds who wrote it', async () => {
    const repo = await carriedOver();
    const session = await repo.session('s2');
    const done = await session.edit('str_replace', { path: 'a.txt', old_str: 'four', new_str: 'FOUR' });
    expect(done.data.outside?.paths).toEqual(['a.txt']);
    const main = repo.git('rev-parse', 'vedit/main');
    expect(repo.git('rev-parse', 'vedit/other~1^2')).toBe(main);
    const { lines } = (await session.blame({ path: 'a.txt' })).data;
    expect(lines.map(({ agent, author }) => agent ?? author)).toEqual([
      'claude',
      'Ada',
      'Ada',
      'claude',
      'Ada',
      'Ada',
      'claude',
    ]);
    expect(lines[0]).toMatchObject({ reason: 'Louder.', session: 's1', op: 'str_replace' });
    expect((await session.status()).data.elsewhere).toMatchObject([{ edits: 2 }]);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    const shown = await session.show('~1');
    expect(shown.data.diff).toContain('+ONE');
    const exported = [];
    for await (const entry of session.export()) exported.push(entry);
    expect(exported[1]).toMatchObject({ op: 'outside', files: [{ path: 'a.txt', added: 2 }] });
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('is a fault where it holds nothing of the text', async () => {
    const repo = await carriedOver();
    await (await repo.session('s2')).edit('str_replace', { path: 'a.txt', old_str: 'four', new_str: 'FOUR' });
    const message = repo.git('log', '-1', '--format=%B', 'vedit/other~1');
    const tree = repo.git('rev-parse', 'vedit/other~1^{tree}');
    const parents = ['-p', 'vedit/other~2', '-p', 'vedit/main~2'];
    const env = ['-c', 'user.name=vedit', '-c', 'user.email=vedit@vedit.invalid'];
    const forged = repo.git(...env, 'commit-tree', tree, ...parents, '-m', message);
    repo.git('update-ref', 'refs/vedit/other', forged);
    const { faults } = (await (await repo.open()).verify()).data;
    expect(faults.map(one => one.message).join()).toContain('holds none of the text that it records');
  });

  it('is not what both trails have', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('switch', '-q', '-c', 'two');
    await session.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
    repo.git('checkout', '-q', 'b.txt');
    repo.git('switch', '-q', '-c', 'three', 'main');
    await session.edit('str_replace', { path: 'b.txt', old_str: 'three', new_str: 'THREE' });
    for (const branch of ['main', 'two', 'three']) {
      repo.git('switch', '-q', branch);
      const { data } = await session.status();
      expect(data.elsewhere.map(one => [branch, one.trail, one.paths])).toEqual(
        branch === 'two' ? [['two', 'refs/vedit/three', ['b.txt']]] : [],
      );
    }
  });

  it('is not told of where there is none', async () => {
    const repo = await carriedOver();
    repo.git('checkout', '-q', 'a.txt');
    expect((await (await repo.session()).status()).data.elsewhere).toEqual([]);
    repo.write('a.txt', LINES.replace('one', 'Uno'));
    expect((await (await repo.session()).status()).data.elsewhere).toEqual([]);
    expect(await codeOf((await repo.session('s9')).undo())).toBe('NO_CHANGE');
  });

  it('is named for a trail that was picked by its name', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const session = await repo.session('s2', { trail: 'mine' });
    expect((await session.status()).data.elsewhere).toMatchObject([{ trail: 'refs/vedit/main', edits: 1 }]);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    const { lines } = (await session.blame({ path: 'a.txt' })).data;
    expect(lines.slice(0, 2).map(one => one.session)).toEqual(['s1', 's2']);
  });
});

/** What nobody tampered with raises no alarm. */

import { describe, expect, it } from 'vitest';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';
import { lots, randomWork } from '../helpers/random-work.ts';
import { TRAIL, trailCommits } from '../helpers/tampering.ts';
import { found, history, LINES, started, verified } from './verified-history.ts';

describe('a sound trail', () => {
  it('beside the branch, with everything that makes commits', async () => {
    const repo = await started();
    const first = trailCommits(repo)[0]!;
    expect(await verified(repo, first, first.slice(0, 7).toUpperCase())).toMatchObject({
      sound: true,
      head: repo.git('rev-parse', TRAIL),
      commits: 7,
      files: 2,
      faults: [],
    });
  });

  it('on the checked-out branch, with commits of a person in between', async () => {
    const repo = ownRepo({ 'a.txt': LINES, 'b.txt': LINES });
    await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
    repo.write('m.txt', 'm\n');
    repo.git('add', 'm.txt');
    repo.git('commit', '-qm', 'by hand');
    await history(repo);
    expect(await verified(repo)).toMatchObject({ sound: true, commits: 8, files: 3 });
  });

  it('after HEAD moved, and while a change of the person is not yet in the trail', async () => {
    const repo = await started();
    repo.write('b.txt', `${repo.read('b.txt')}committed by hand\n`);
    repo.git('commit', '-qm', 'hand', 'b.txt');
    expect(await found(repo)).toEqual([]);
    await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
    expect(await found(repo)).toEqual([]);
  });

  it('where an undo of a deletion brings what HEAD got while the file was away', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: `first\n${LINES}`, overwrite: true });
    repo.git('commit', '-qam', 'first');
    await session.undo();
    repo.git('commit', '-qam', 'second');
    await session.edit('delete', { path: 'a.txt' });
    repo.git('reset', '-q', 'HEAD~1');
    await session.undo();
    expect(await found(repo)).toEqual([]);
  });

  it('where HEAD was put on the trail, and in another branch that began there', async () => {
    const repo = await started();
    repo.git('update-ref', 'refs/heads/main', TRAIL);
    repo.git('reset', '-q');
    await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
    expect((await verified(repo)).faults).toEqual([]);
    repo.git('checkout', '-q', '-b', 'other');
    await (await repo.session()).edit('create', { path: 'o.txt', file_text: 'o\n' });
    expect((await verified(repo)).faults).toEqual([]);
  });

  it.each([1, 2, 3])('of random edits, ways back and work of a person: %i', async seed => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    await randomWork(repo, lots(seed));
    const { faults, commits } = await verified(repo);
    expect(faults).toEqual([]);
    expect(commits).toBeGreaterThan(10);
  });

  it('of a restore after a rejection, over what a person typed since', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    const end = LINES.trimEnd().split('\n').length;
    const last = { path: 'a.txt', start_line: end, end_line: end, new_content: 'LAST\n' };
    const { data } = await session.edit('replace_lines', { ...last, base: '@' });
    await session.edit('delete', { path: 'a.txt' });
    const workspace = await repo.open();
    const [gone] = (await workspace.review()).data.hunks;
    await workspace.reject({ at: gone!.commit, path: 'a.txt', lines: gone!.lines, reason: 'no' });
    expect(repo.read('a.txt')).toBe(LINES);
    repo.write('a.txt', `typed\n${LINES}`);
    await session.restore({ path: 'a.txt', from: data.commit! });
    expect(repo.read('a.txt')).toBe(`typed\n${LINES.replace(/.*\n$/, 'LAST\n')}`);
    expect((await verified(repo)).faults).toEqual([]);
  });

  it('that has not begun', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    expect(await verified(repo)).toMatchObject({ sound: true, head: null, commits: 0 });
    expect((await verified(repo, 'abcd1234')).faults).toMatchObject([{ kind: 'expected' }]);
  });

  it('in a shallow clone', async () => {
    const repo = await started();
    const clone = repo.path('../clone');
    repo.git('clone', '-q', '--depth', '2', `file://${repo.dir}`, clone);
    repo.git('-C', clone, 'fetch', '-q', '--depth', '3', 'origin', `+${TRAIL}:${TRAIL}`);
    repo.git('-C', clone, 'checkout', '-q', TRAIL, '--', '.');
    const workspace = await repo.open({ root: clone });
    expect((await workspace.verify()).data).toMatchObject({ commits: 3, faults: [] });
  });
});

/** Sequences after which a landing committed what nobody wrote, or log said of an edit what no file holds. */

import { describe, expect, it } from 'vitest';
import type { EditStatus, LogEntry } from '../../src/index.ts';
import { edit, git, LINES, land } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const files = (): Place => personRepo({ 'a.txt': LINES });

/** What is said of each edit, by its commit. */
async function said(repo: Place): Promise<Record<string, EditStatus>> {
  const { entries } = (await (await repo.session('reader')).log()).data;
  return Object.fromEntries((entries as LogEntry[]).map(one => [one.commit, one.status]));
}

const head = (repo: Place): string => `${repo.git('show', 'HEAD:a.txt')}\n`;

describe('a landing takes what the file holds', () => {
  it('after a rejection that was taken back, of a line that was edited twice', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'five', '5five'], ['a.txt', '5five', 'FIVE']);
    const workspace = await repo.open();
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    await workspace.unreview();
    await land(repo);
    expect(head(repo)).toBe(repo.read('a.txt'));
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('after a line was set back by hand, and put back by hand', async () => {
    const repo = files();
    const [first, second] = await edit(repo, ['a.txt', 'five', '5five'], ['a.txt', '5five', 'FIVE']);
    repo.write('a.txt', LINES);
    await edit(repo, ['a.txt', 'one', 'ONE']);
    repo.write('a.txt', repo.read('a.txt').replace('five', 'FIVE'));
    const status = await said(repo);
    expect([status[first!]!.now, status[second!]!.now]).toEqual(['superseded', 'open']);
    await land(repo);
    expect(head(repo)).toBe(repo.read('a.txt'));
  });

  it('after an agent deleted a line, which was rejected and taken back', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'five\n', '']);
    const workspace = await repo.open();
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    await workspace.unreview();
    await edit(repo, ['a.txt', 'one', 'ONE']);
    await land(repo);
    expect(head(repo)).toBe(LINES.replace('five\n', '').replace('one', 'ONE'));
  });
});

describe('log says what the files hold', () => {
  it('of edits that were stashed, while something else of the file was committed', async () => {
    const repo = files();
    const [first, second] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'two', 'TWO']);
    repo.git('stash', '-q');
    const [third] = await edit(repo, ['a.txt', 'seven', 'SEVEN']);
    const stashed = await said(repo);
    expect([stashed[first!]!.now, stashed[first!]!.by]).toEqual(['away', 'stash@{0}']);
    repo.git('commit', '-qam', 'wip');
    repo.git('stash', 'pop', '-q');
    const status = await said(repo);
    expect([first, second].map(one => status[one!]!.now)).toEqual(['open', 'open']);
    expect(status[third!]).toMatchObject({ now: 'landed', landed_in: repo.git('rev-parse', 'HEAD') });
    await land(repo);
    expect(head(repo)).toBe(repo.read('a.txt'));
  });

  it('of edits that only deleted, and were stashed: lines, and a file', async () => {
    const repo = files();
    repo.write('gone.txt', 'g\n');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'g');
    repo.git('branch', 'before');
    const [lines] = await edit(repo, ['a.txt', 'five\n', '']);
    const { data } = await (await repo.session()).edit('delete', { path: 'gone.txt' });
    repo.git('stash', '-q');
    const stashed = await said(repo);
    for (const one of [lines!, data.commit!])
      expect([stashed[one]!.now, stashed[one]!.by]).toEqual(['away', 'stash@{0}']);
    repo.git('stash', 'drop', '-q');
    const dropped = await said(repo);
    for (const one of [lines!, data.commit!]) expect(dropped[one]!.now).toBe('taken out by hand');
  });

  it('says nothing of a branch that lacks a line because it is older', async () => {
    const repo = files();
    repo.git('branch', 'older');
    repo.write('a.txt', LINES.replace('five', 'five\nadded'));
    repo.git('commit', '-qam', 'added');
    const [taken] = await edit(repo, ['a.txt', 'added\n', '']);
    repo.git('checkout', '-q', 'a.txt');
    expect((await said(repo))[taken!]!.now).toBe('taken out by hand');
  });

  it('after switch, land and rebase, of the edits of a branch', async () => {
    const repo = files();
    repo.write('g.txt', 'g\n');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'g');
    const [first] = await edit(repo, ['a.txt', 'one', 'ONE']);
    repo.git('switch', '-qc', 'feature');
    const [second] = await edit(repo, ['a.txt', 'ONE', 'Uno']);
    repo.git('switch', '-q', 'main');
    await land(repo);
    repo.git('switch', '-q', 'feature');
    repo.git('merge', '-q', '--ff-only', 'main');
    const status = await said(repo);
    expect(head(repo)).toBe(repo.read('a.txt'));
    expect(status[second!]?.now).toBe('landed');
    expect(status[first!]?.now ?? 'superseded').toBe('superseded');
    repo.git('switch', '-qc', 'docs', 'HEAD~1');
    repo.write('g.txt', 'docs\n');
    repo.git('commit', '-qam', 'docs');
    repo.git('switch', '-q', 'main');
    repo.git('merge', '-q', '-m', 'merged', 'docs');
    repo.git('rebase', '-q', 'docs');
    expect(head(repo)).toBe(repo.read('a.txt'));
    const rebased = await said(repo);
    expect(rebased[second!]?.now ?? 'landed').toBe('landed');
    expect(rebased[first!]?.now).toBe('superseded');
  });

  it('of an edit that a person rewrote, set back, and undid', async () => {
    const repo = files();
    const [one, two, three] = await edit(
      repo,
      ['a.txt', 'one', 'ONE'],
      ['a.txt', 'three', 'THREE'],
      ['a.txt', 'seven', 'SEVEN'],
    );
    await (await repo.open()).session({ id: 's1' }).undo();
    repo.write('a.txt', LINES.replace('three', 'by hand'));
    const status = await said(repo);
    expect([one, two, three].map(commit => status[commit!]!.now)).toEqual([
      'taken out by hand',
      'rewritten',
      'taken back',
    ]);
    await expect((await repo.open()).land({ git })).rejects.toMatchObject({ code: 'NO_CHANGE' });
    expect(head(repo)).toBe(LINES);
  });

  it('of a moved file that was deleted, and is back at its first name', async () => {
    const repo = files();
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'moved.txt' });
    const gone = (await session.edit('delete', { path: 'moved.txt' })).data.commit!;
    expect((await said(repo))[gone]!.now).toBe('open');
    await session.restore({ path: 'a.txt', from: 'HEAD' });
    expect((await said(repo))[gone]!.now).toBe('taken back');
  });

  it('of an edit of a file that took the name of another one since it landed', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'other\n' });
    const [changed] = await edit(repo, ['a.txt', 'one', 'ONE']);
    repo.git('commit', '-qam', 'change');
    const landed = repo.git('rev-parse', 'HEAD');
    for (const [from, to] of [
      ['b.txt', 'c.txt'],
      ['a.txt', 'b.txt'],
    ] as const) {
      repo.git('mv', from, to);
      repo.git('commit', '-qm', `${from} is ${to}`);
      await edit(repo, ['c.txt', 'other', 'other o']);
    }
    expect((await said(repo))[changed!]).toMatchObject({ now: 'landed', landed_in: landed });
  });

  it('of edits of a file that a person moved, and an agent went on in: each line stays its writer’s', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'other\n' });
    const [one] = await edit(repo, ['a.txt', 'one', 'ONE']);
    repo.git('mv', 'a.txt', 'moved.txt');
    const [two] = await edit(repo, ['moved.txt', 'two', 'TWO', 's2']);
    const { lines } = (await (await repo.session()).blame({ path: 'moved.txt' })).data;
    expect(lines.slice(0, 3).map(({ commit, session }) => [commit, session])).toEqual([
      [one, 's1'],
      [two, 's2'],
      [repo.git('rev-parse', 'HEAD'), null],
    ]);
    const status = await said(repo);
    expect([one, two].map(commit => status[commit!]!.now)).toEqual(['open', 'open']);
    repo.git('commit', '-qam', 'all');
    const after = await said(repo);
    expect([one, two].map(commit => after[commit!]!.now)).toEqual(['landed', 'landed']);
  });
});

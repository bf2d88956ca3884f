/** Rejecting by hand is an answer: a landing takes what is there. */

import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dirty, edit, files, LINES, land, refusal, shown, three } from '../helpers/landing.ts';
import type { Place } from '../helpers/person-repo.ts';

describe('after git checkout, when an agent went on in the file', () => {
  async function goneOn(): Promise<{ repo: Place; edits: string[] }> {
    const repo = files();
    const before = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.git('checkout', '-q', 'a.txt');
    return { repo, edits: [...before, ...(await edit(repo, ['a.txt', 'one', 'Uno']))] };
  }

  it('the next landing takes what is there', async () => {
    const { repo, edits } = await goneOn();
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'Uno')));
    expect(dirty(repo)).toEqual([]);
    expect(data.commits.map(one => one.edits)).toEqual([[edits[2]]]);
    expect(data).toMatchObject({ discarded: [], outside: [], left: 0 });
    expect(data.taken_back).toEqual([
      { commit: edits[0], path: 'a.txt', part: false },
      { commit: edits[1], path: 'a.txt', part: false },
    ]);
    expect(data.notes).toEqual([
      `Left out of a.txt: ${edits[0]!.slice(0, 12)}, ${edits[1]!.slice(0, 12)} taken out by hand.`,
    ]);
    expect((await refusal(repo)).code).toBe('NO_CHANGE');
  });

  it.each([{ each: true }, { session: 's1' }, { dryRun: true }, { onto: 'release' }])(
    'also with %j',
    async options => {
      const { repo, edits } = await goneOn();
      repo.git('branch', 'release');
      const { data } = await land(repo, options);
      expect(data.commits.map(one => one.edits)).toEqual([[edits[2]]]);
      expect(data.diff).toContain('+Uno');
      expect(data.diff).not.toMatch(/ONE|SEVEN/);
      if ('dryRun' in options) return;
      const branch = 'onto' in options ? 'release' : 'main';
      expect(repo.git('show', `${branch}:a.txt`)).toBe(shown(LINES.replace('one', 'Uno')));
      expect(repo.git('log', '-p', '--format=', branch)).not.toMatch(/ONE|SEVEN/);
      expect(repo.read('a.txt')).toBe(LINES.replace('one', 'Uno'));
    },
  );

  it('edits that were taken back do not land when they are named either', async () => {
    const { repo, edits } = await goneOn();
    const { code, message } = await refusal(repo, { commits: [edits[1]!] });
    expect(code).toBe('NO_CHANGE');
    expect(message).toContain('To land them all the same, bring them back first');
    expect(repo.git('log', '--format=%s')).toBe('start');
  });

  it('all that was made by hand lands when it is asked for', async () => {
    const { repo } = await goneOn();
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    await land(repo, { outside: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(`${LINES.replace('one', 'Uno')}mine\n`));
    expect(dirty(repo)).toEqual([]);
    expect((await refusal(repo)).code).toBe('NO_CHANGE');
  });
});

describe('a part that was taken back', () => {
  it('of two edits one', async () => {
    const repo = files();
    const [first] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('seven', 'SEVEN'));
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('seven', 'SEVEN')));
    expect(dirty(repo)).toEqual([]);
    expect(data.taken_back).toEqual([{ commit: first, path: 'a.txt', part: false }]);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Lands,valueonly)').trim()).not.toContain(
      first,
    );
  });

  it('of one edit one hunk', async () => {
    const repo = files();
    const session = await repo.session();
    const text = LINES.replace('one', 'ONE').replace('four', 'FOUR').replace('seven', 'SEVEN');
    const { data: made } = await session.edit('create', { path: 'a.txt', file_text: text, overwrite: true });
    repo.write('a.txt', text.replace('FOUR', 'four'));
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(text.replace('FOUR', 'four')));
    expect(data.taken_back).toEqual([{ commit: made.commit, path: 'a.txt', part: true }]);
    expect(data.notes[0]).toContain(`${made.commit!.slice(0, 12)} 1 of 3 lines taken out by hand`);
    expect([dirty(repo), data.left]).toEqual([[], 0]);
  });

  it('of lines beside each other some', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'two\nthree\nfour', 'TWO\nTHREE\nFOUR']);
    repo.write('a.txt', LINES.replace('two', 'TWO').replace('four', 'FOUR'));
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(repo.read('a.txt')));
  });

  it('and more was edited in the same place', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'ONE', 'ONE ONE'], ['a.txt', 'two', 'TWO']);
    repo.write('a.txt', LINES.replace('two', 'TWO'));
    await edit(repo, ['a.txt', 'two'.toUpperCase(), 'TWO TWO']);
    await land(repo, { each: true });
    expect(repo.git('log', '--format=%s', 'HEAD~1..HEAD').split('\n')).toHaveLength(1);
    expect(repo.git('log', '-p', '--format=', 'HEAD')).not.toContain('ONE');
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('two', 'TWO TWO')));
    expect(dirty(repo)).toEqual([]);
  });

  it('of one session, while the other’s stays', async () => {
    const repo = files();
    await edit(
      repo,
      ['a.txt', 'one', 'ONE', 's1'],
      ['a.txt', 'three', 'THREE', 's2'],
      ['a.txt', 'seven', 'SEVEN', 's1'],
    );
    repo.write('a.txt', LINES.replace('three', 'THREE').replace('seven', 'SEVEN'));
    const { data } = await land(repo, { session: 's1' });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('seven', 'SEVEN')));
    expect(data.sessions).toEqual(['s1']);
    await land(repo, { session: 's2' });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(repo.read('a.txt')));
    expect(dirty(repo)).toEqual([]);
  });

  it('while text of the person’s own stays uncommitted', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    const own = LINES.replace('seven', 'SEVEN').replace('four', 'four\nmine');
    repo.write('a.txt', own);
    const { data } = await land(repo);
    expect(three(repo, 'a.txt')).toEqual({
      head: shown(LINES.replace('seven', 'SEVEN')),
      index: shown(LINES.replace('seven', 'SEVEN')),
      file: own,
    });
    expect(data.outside).toEqual(['a.txt']);
  });

  it('on another branch with text of its own', async () => {
    const repo = files();
    repo.git('switch', '-q', '-c', 'release');
    repo.write('a.txt', LINES.replace('four', 'release'));
    repo.git('commit', '-qam', 'release');
    repo.git('switch', '-q', 'main');
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN'], ['b.txt', 'one', 'ONE']);
    repo.write('a.txt', LINES.replace('seven', 'SEVEN'));
    repo.git('checkout', '-q', 'b.txt');
    const { data } = await land(repo, { onto: 'release' });
    expect(repo.git('show', 'release:a.txt')).toBe(
      shown(LINES.replace('four', 'release').replace('seven', 'SEVEN')),
    );
    expect(repo.git('show', 'release:b.txt')).toBe(shown(LINES));
    expect(data.discarded).toEqual(['b.txt']);
    expect(dirty(repo)).toEqual([' M a.txt']);
  });
});

describe('a file that was deleted or made anew', () => {
  it('an edited one that is gone: it lands without the edit, and stays deleted', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['b.txt', 'two', 'TWO']);
    rmSync(repo.path('a.txt'));
    const { data } = await land(repo);
    expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('b.txt');
    expect([data.discarded, dirty(repo)]).toEqual([['a.txt'], [' D a.txt']]);
  });

  it('an edited one with another text: nothing of the edit lands, and the text is the person’s', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['b.txt', 'two', 'TWO']);
    rmSync(repo.path('a.txt'));
    repo.write('a.txt', 'quite another\n');
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES));
    expect([repo.read('a.txt'), dirty(repo)]).toEqual(['quite another\n', [' M a.txt']]);
  });

  it.each(['deleted', 'made anew'])('a created one that was %s', async kind => {
    const repo = files();
    const session = await repo.session();
    await session.edit('create', { path: 'n.txt', file_text: 'by the agent\n' });
    await edit(repo, ['b.txt', 'two', 'TWO']);
    rmSync(repo.path('n.txt'));
    if (kind === 'made anew') repo.write('n.txt', 'by hand\n');
    const { data } = await land(repo);
    expect(repo.git('ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'b.txt']);
    expect(data.discarded).toEqual(['n.txt']);
    expect(repo.git('status', '--porcelain')).toBe(kind === 'made anew' ? '?? n.txt' : '');
  });

  it('a created one that was deleted, and that an agent made again', async () => {
    const repo = files();
    const session = await repo.session();
    await session.edit('create', { path: 'n.txt', file_text: 'first\n' });
    rmSync(repo.path('n.txt'));
    await session.edit('create', { path: 'n.txt', file_text: 'second\n' });
    await land(repo, { each: true });
    expect(repo.git('log', '-p', '--format=', 'HEAD', '--', 'n.txt')).not.toContain('first');
    expect([repo.git('show', 'HEAD:n.txt'), dirty(repo)]).toEqual(['second', []]);
  });

  it('a deleted one that was restored, or written anew', async () => {
    const repo = files();
    const session = await repo.session();
    await session.edit('delete', { path: 'a.txt' });
    await session.edit('delete', { path: 'b.txt' });
    repo.git('restore', 'a.txt');
    repo.write('b.txt', 'by hand\n');
    expect((await refusal(repo)).code).toBe('NO_CHANGE');
    expect(repo.git('status', '--porcelain')).toBe(' M b.txt');
  });

  it('a moved one that was moved back', async () => {
    const repo = files();
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    await session.edit('str_replace', { path: 'c.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('checkout', '-q', 'a.txt');
    rmSync(repo.path('c.txt'));
    expect((await refusal(repo)).code).toBe('NO_CHANGE');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('a mode that was set back', async () => {
    const repo = files();
    const session = await repo.session();
    const patch =
      'diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n';
    await session.edit('unified_diff', { patch });
    repo.git('update-index', '-q', '--refresh');
    const { chmodSync } = await import('node:fs');
    chmodSync(repo.path('a.txt'), 0o644);
    await land(repo);
    expect(repo.git('ls-tree', 'HEAD', 'a.txt')).toMatch(/^100644/);
    expect([repo.git('show', 'HEAD:a.txt'), dirty(repo)]).toEqual([shown(LINES.replace('one', 'ONE')), []]);
  });
});

it('a line that the person typed stays theirs where an agent took it, somebody brought it back, and HEAD lost it since', async () => {
  const repo = files();
  repo.write('a.txt', LINES.replace('two\n', 'two\ntyped\n'));
  await edit(repo, ['a.txt', 'one', 'ONE']);
  repo.git('commit', '-qam', 'all');
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'typed\n', new_str: '' });
  await session.undo();
  repo.git('reset', '-q', 'HEAD~1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
  await land(repo);
  const landed = LINES.replace('one', 'ONE').replace('seven', 'SEVEN');
  expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(landed));
});

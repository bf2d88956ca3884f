/** Of text that a person changed by hand: what lands in its place, and what becomes of the edits. */

import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/index.ts';
import { dirty, edit, files, LINES, land, refusal, shown } from '../helpers/landing.ts';
import { codeOf } from '../helpers/person-repo.ts';

describe('text of the person in place of an edit’s', () => {
  it('for all of a place: neither lands', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('one', 'mine').replace('seven', 'SEVEN'));
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('seven', 'SEVEN')));
    expect(repo.git('diff', '-U0')).toMatch(/-one\n\+mine$/);
  });

  it('for a part of one: it is asked for, also where the edit is named', async () => {
    const repo = files();
    const session = await repo.session();
    const { data: made } = await session.edit('create', { path: 'n.txt', file_text: 'a\nb\nc\n' });
    await edit(repo, ['b.txt', 'two', 'TWO']);
    repo.write('n.txt', 'a\nB\nc\n');
    for (const options of [{}, { commits: [made.commit!] }]) {
      const { code, message } = await refusal(repo, options);
      expect([code, message]).toEqual([
        'CONFLICT',
        `n.txt (line 2): you changed there a part of what ${made.commit!.slice(0, 12)} wrote. To land it as the files have it, land with what is yours (outside: true). Nothing was committed.`,
      ]);
    }
    expect(repo.git('log', '--format=%s')).toBe('start');
    await land(repo, { commits: [made.commit!], outside: true });
    expect([repo.git('show', 'HEAD:n.txt'), dirty(repo)]).toEqual(['a\nB\nc', [' M b.txt']]);
  });

  it('that an edit wrote over: naming the edit is no way, and is not advised', async () => {
    const repo = files();
    repo.write('a.txt', LINES.replace('two', 'mine'));
    const [made] = await edit(repo, ['a.txt', 'mine', 'mine, better']);
    for (const options of [{}, { commits: [made!] }]) {
      const { code, message, data } = await refusal(repo, options);
      expect([code, data.needs_outside, data.revised]).toEqual(['CONFLICT', true, undefined]);
      expect(message).toContain(`edit ${made!.slice(0, 12)} was made on text that the branch does not have`);
      expect(message).toContain('land them with it (outside: true)');
    }
    await land(repo, { outside: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('two', 'mine, better')));
  });

  it('lands with it when that is asked for, recorded or not', async () => {
    for (const isRecorded of [true, false]) {
      const repo = files();
      await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'a\nb\nc\n' });
      repo.write('n.txt', 'a\nB\nc\n');
      if (isRecorded) await edit(repo, ['n.txt', 'c', 'C']);
      const { data } = await land(repo, { outside: true });
      expect(repo.git('show', 'HEAD:n.txt')).toBe(isRecorded ? 'a\nB\nC' : 'a\nB\nc');
      expect([dirty(repo), data.outside]).toEqual([[], []]);
    }
  });

  it('that an agent wrote over lands as the agent left it', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('one', 'mine'));
    await edit(repo, ['a.txt', 'mine', 'mine, better']);
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'mine, better')));
    expect(dirty(repo)).toEqual([]);
  });
});

describe('what became of the edits', () => {
  it('nothing is lost: restore brings back what was taken back, and it lands', async () => {
    const repo = files();
    const [, second] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.git('checkout', '-q', 'a.txt');
    const { code, message } = await refusal(repo);
    expect([code, message]).toEqual([
      'NO_CHANGE',
      expect.stringContaining(`restore a.txt from: "${second!.slice(0, 12)}"`),
    ]);
    await (await repo.session()).restore({ path: 'a.txt', from: second! });
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'ONE').replace('seven', 'SEVEN')));
  });

  it('so does the person who brings it back by hand', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE']);
    repo.git('stash', '-q');
    await edit(repo, ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('one', 'ONE').replace('seven', 'SEVEN'));
    const { data } = await land(repo);
    expect(data.commits[0]!.edits).toHaveLength(2);
    expect([repo.git('show', 'HEAD:a.txt'), dirty(repo)]).toEqual([shown(repo.read('a.txt')), []]);
  });

  it('verify finds no fault, and the trail goes on', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('seven', 'SEVEN'));
    await land(repo);
    await edit(repo, ['a.txt', 'two', 'TWO']);
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('seven', 'SEVEN').replace('two', 'TWO')));
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    expect(await codeOf(land(repo))).toBe('NO_CHANGE');
    const { entries } = (await (await repo.session()).log()).data as { entries: LogEntry[] };
    expect(entries.filter(one => one.status.landed_in !== null).length).toBeGreaterThan(1);
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});

describe('where HEAD moved in between', () => {
  it.each(['another file', 'the same file'])('by a commit of %s', async which => {
    const repo = files();
    const [first] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    const theirs = which === 'the same file' ? LINES.replace('four', 'FOUR') : LINES;
    repo.git('stash', '-q');
    repo.write('a.txt', theirs);
    repo.write('b.txt', `${LINES}eight\n`);
    repo.git('commit', '-qam', 'by hand');
    repo.git('stash', 'pop', '-q');
    repo.write('a.txt', theirs.replace('seven', 'SEVEN'));
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(theirs.replace('seven', 'SEVEN')));
    expect(data.taken_back).toEqual([{ commit: first, path: 'a.txt', part: false }]);
    expect(dirty(repo)).toEqual([]);
  });

  it('by a commit of a part of the work', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'four', 'FOUR'], ['a.txt', 'seven', 'SEVEN']);
    const all = repo.read('a.txt');
    repo.write('a.txt', LINES.replace('one', 'ONE'));
    repo.git('commit', '-qam', 'a part');
    repo.write('a.txt', all.replace('FOUR', 'four'));
    await edit(repo, ['a.txt', 'six', 'SIX']);
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(repo.read('a.txt')));
    expect(dirty(repo)).toEqual([]);
  });

  it('by git switch -c: the other branch takes what is there as well', async () => {
    const repo = files();
    const [first] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
    repo.write('a.txt', LINES.replace('seven', 'SEVEN'));
    repo.git('switch', '-q', '-c', 'feature');
    const { data } = await land(repo);
    expect(data).toMatchObject({ onto: 'feature', taken_back: [{ commit: first }] });
    expect(repo.git('show', 'feature:a.txt')).toBe(shown(LINES.replace('seven', 'SEVEN')));
    expect(dirty(repo)).toEqual([]);
  });
});

describe('a line that was only formatted by hand or by a hook', () => {
  it('is still its edit’s, and lands as the file has it', async () => {
    const repo = files();
    const edits = await edit(repo, ['a.txt', 'two\nthree', 'call(two)\nother'], ['b.txt', 'one', 'f(a, b)']);
    repo.write('a.txt', `${repo.read('a.txt').replace('call(two)', '  call(two);')}mine\n`);
    repo.write('b.txt', repo.read('b.txt').replace('f(a, b)', 'f(\n  a,\n  b,\n)'));
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('two\nthree', '  call(two);\nother')));
    expect(repo.git('show', 'HEAD:b.txt')).toBe(shown(repo.read('b.txt')));
    expect([data.commits[0]!.edits, data.outside, data.taken_back]).toEqual([edits, ['a.txt'], []]);
    expect((await refusal(repo)).code).toBe('NO_CHANGE');
  });

  it('is the person’s where it says something else, or is there twice', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'two', 'call(two)'], ['b.txt', 'one', 'ONE']);
    repo.write('a.txt', repo.read('a.txt').replace('call(two)', 'call(two);\ncall(two);'));
    repo.write('b.txt', repo.read('b.txt').replace('ONE', 'another'));
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('two', 'call(two);')));
    expect(repo.git('show', 'HEAD:b.txt')).toBe(shown(LINES));
    expect(data.outside).toEqual(['a.txt', 'b.txt']);
  });
});

import { describe, expect, it } from 'vitest';
import type { TimelineOptions } from '../../src/queries/read-options.ts';
import type { Timeline } from '../../src/queries/timeline.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const LONG = Array.from({ length: 200 }, (_, at) => `line ${at}\n`).join('');

async function timelineOf(repo: Place, options: TimelineOptions = {}): Promise<Timeline> {
  return (await repo.session()).timeline(options);
}

/** Edits of a.txt, one a number. */
async function edited(repo: Place, ...numbers: number[]): Promise<void> {
  const session = await repo.session();
  for (const number of numbers) {
    const to = `line ${number} edited\n`;
    await session.edit('str_replace', { path: 'a.txt', old_str: `line ${number}\n`, new_str: to });
  }
}

describe('timeline', () => {
  it('holds the diff of each edit', async () => {
    const repo = personRepo({ 'a.txt': LONG });
    await edited(repo, 3, 50, 120);
    const { entries, more, left_out } = await timelineOf(repo);
    expect(entries.map(entry => /^\+line .*/m.exec(entry.files[0]!.diff!)?.[0])).toEqual(
      [120, 50, 3].map(number => `+line ${number} edited`),
    );
    expect({ more, left_out }).toEqual({ more: false, left_out: 0 });
  });

  it('is empty before the first edit', async () => {
    const repo = personRepo({ 'a.txt': LONG });
    expect(await timelineOf(repo)).toMatchObject({
      entries: [],
      trail: 'vedit/main',
      head: null,
      more: false,
    });
  });

  it('says that there is more than was asked for', async () => {
    const repo = personRepo({ 'a.txt': LONG });
    await edited(repo, 3, 50, 120);
    const { entries, more } = await timelineOf(repo, { limit: 2 });
    expect([entries.length, more]).toEqual([2, true]);
    expect((await timelineOf(repo, { limit: 3 })).more).toBe(false);
  });

  it('leaves out what has no room, and counts it', async () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    const repo = personRepo({ 'a.txt': LONG, 'large.txt': `${LONG}${long}\n` });
    await edited(repo, 3);
    const session = await repo.session();
    await session.edit('str_replace', { path: 'large.txt', old_str: long, new_str: 'short' });
    await edited(repo, 120);
    const { entries, left_out } = await timelineOf(repo);
    const [newest, large, oldest] = entries.map(entry => entry.files[0]!);
    expect([newest!.diff, oldest!.diff]).toEqual([expect.any(String), expect.any(String)]);
    expect(large).toMatchObject({ added: 1, removed: 1, kind: 'modify', diff: null });
    expect(left_out).toBe(1);
  });

  it('names binary files without their bytes', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.write('picture', new Uint8Array([0, 1, 2]));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'a picture');
    const [entry] = (await timelineOf(repo)).entries;
    expect(entry!.files).toMatchObject([{ path: 'picture', binary: true, kind: 'create' }]);
  });

  it('shows of a person’s large commit the edited files first, and counts the rest', async () => {
    const repo = ownRepo(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}.txt`, 'x\n'])));
    await (await repo.session()).edit('str_replace', { path: 'f149.txt', old_str: 'x', new_str: 'y' });
    const { entries } = await timelineOf(repo);
    const [, start] = entries;
    expect([start!.op, start!.files.length, start!.other_files]).toEqual([null, 100, 50]);
    expect(start!.files[0]!.path).toBe('f149.txt');
  });

  it('shows of a sync only what became of the edited files', async () => {
    const repo = personRepo({ 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.write('a.txt', repo.read('a.txt').replace('8', 'eight'));
    repo.write('b.txt', 'other\n');
    repo.git('commit', '-qam', 'by hand');
    await session.edit('str_replace', { path: 'a.txt', old_str: '4', new_str: 'four' });
    const sync = (await timelineOf(repo)).entries.find(entry => entry.op === 'head')!;
    expect([sync.files.map(file => file.path), sync.other_files]).toEqual([['a.txt'], 1]);
    expect(sync.files[0]!.diff).toContain('\n+eight\n');
  });
});

/** What a landing makes of files that are no text, that have another name, or that go. */

import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { edit, files, git, LINES, land, refusal } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

describe('a file', () => {
  it('that is no text, moved by an agent and changed by hand, lands with what is the person’s', async () => {
    const repo = personRepo({ 'i.bin': 'a\0b' });
    await (await repo.session()).edit('move', { path: 'i.bin', new_path: 'j.bin' });
    repo.write('j.bin', 'a\0c');
    await land(repo, { outside: true });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('j.bin');
    expect(repo.git('show', 'HEAD:j.bin')).toBe('a\0c');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('that was moved back by hand does not land under its new name, also where the move is named', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const { data } = await (await repo.session()).edit('move', { path: 'a.txt', new_path: 'b.txt' });
    renameSync(repo.path('b.txt'), repo.path('a.txt'));
    expect((await refusal(repo, { commits: [data.commit!] })).code).toBe('NO_CHANGE');
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('a.txt');
  });

  it('stays at the name that another one had, and that one lands as the file has it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    await session.edit('create', { path: 'a.txt', file_text: `${LINES}mine\n` });
    repo.git('commit', '-qam', 'by hand');
    await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(`${LINES}mine`);
    expect(repo.git('show', 'HEAD:b.txt')).toBe(LINES.trimEnd());
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('goes only with what another session took out of it, and the refusal says so', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const [below] = await edit(repo, ['a.txt', 'two\nthree\n', '', 's2']);
    await (await repo.session('s1')).edit('delete', { path: 'a.txt' });
    const { code, message } = await refusal(repo, { session: 's1' });
    expect(code).toBe('CONFLICT');
    expect(message).toContain(`land ${below!.slice(0, 12)} with it`);
    await (await repo.open()).land({ git });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('');
  });

  it('that has the name which another one had lands by itself', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session('s1');
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    rmSync(repo.path('b.txt'));
    repo.git('commit', '-qam', 'gone');
    await (await repo.session('s2')).edit('create', { path: 'z.txt', file_text: 'z\n' });
    repo.write('a.txt', 'another\nfile\n');
    await edit(repo, ['a.txt', 'file', 'text'], ['a.txt', 'text', 'book', 's2']);
    await land(repo, { outside: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe('another\nbook');
  });
});

describe('the answer names', () => {
  it('a file in which nothing landed, where the person’s own text stays', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['b.txt', 'one', 'ONE']);
    await land(repo);
    repo.write('b.txt', `${repo.read('b.txt')}mine\n`);
    await edit(repo, ['a.txt', 'two', 'TWO']);
    expect((await land(repo)).data.outside).toEqual(['b.txt']);
  });

  it('a file with text of a commit that was reset away', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE']);
    await land(repo);
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    repo.git('commit', '-qam', 'mine');
    await edit(repo, ['a.txt', 'two', 'TWO']);
    repo.git('reset', '-q', 'HEAD~1');
    const { data } = await land(repo);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.replace('one', 'ONE').replace('two', 'TWO').trimEnd());
    expect(data.outside).toEqual(['a.txt']);
  });
});

it('an edit that was set back and put in again by hand lands on another branch, too', async () => {
  const repo = files();
  repo.git('branch', 'release');
  await edit(repo, ['a.txt', 'one', 'ONE']);
  const text = repo.read('a.txt');
  repo.write('a.txt', LINES);
  await edit(repo, ['a.txt', 'two', 'TWO'], ['a.txt', 'TWO', 'two']);
  repo.write('a.txt', text);
  await land(repo, { onto: 'release' });
  expect(repo.git('show', 'release:a.txt')).toBe(text.trimEnd());
});

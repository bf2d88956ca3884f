/** HEAD moved and no edit was made since: readers show the file as it is, with the person as author of what was pulled. */

import { describe, expect, it } from 'vitest';
import { LINES } from '../helpers/landing.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

/** An agent’s edit of a.txt that is not committed, then commits of others that arrive by a pull. */
async function pulled(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'old.txt': LINES });
  repo.git('clone', '-q', repo.dir, repo.path('../upstream'));
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' });
  repo.write('../upstream/b.txt', `zero\n${LINES}`);
  repo.write('../upstream/new.txt', 'new\n');
  const upstream = (...args: string[]): string =>
    repo.git(
      '-C',
      repo.path('../upstream'),
      '-c',
      'user.name=Bea',
      '-c',
      'user.email=bea@example.com',
      ...args,
    );
  upstream('rm', '-q', 'old.txt');
  upstream('add', '-A');
  upstream('commit', '-q', '-m', 'zero');
  repo.git('pull', '-q', '--no-rebase', repo.path('../upstream'), 'HEAD');
  return repo;
}

describe('after a pull', () => {
  it('blame shows what was pulled as the work of who committed it', async () => {
    const repo = await pulled();
    const session = await repo.session();
    const { data } = await session.blame({ path: 'b.txt' });
    const head = repo.git('rev-parse', 'HEAD');
    expect(data.lines.slice(0, 2)).toMatchObject([
      { text: 'zero', commit: head, op: null },
      { text: 'one', author: 'Ada' },
    ]);
    expect([data.lines.length, data.recorded, data.commit]).toEqual([8, true, head]);
    expect((await session.blame({ path: 'new.txt' })).data.lines).toMatchObject([{ commit: head }]);
    expect(await codeOf(session.blame({ path: 'old.txt' }))).toBe('FILE_NOT_FOUND');
    const { lines } = (await session.blame({ path: 'a.txt' })).data;
    expect(lines[0]).toMatchObject({ agent: 'claude', reason: 'Louder.', op: 'str_replace' });
  });

  it('also where the agents and others changed the same file', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const theirs = LINES.replace('seven', 'SEVEN');
    repo.git('stash', '-q');
    repo.write('a.txt', theirs);
    repo.git('commit', '-qam', 'seven');
    repo.git('stash', 'pop', '-q');
    expect(repo.read('a.txt')).toBe(theirs.replace('one', 'ONE'));
    const { data } = await session.blame({ path: 'a.txt' });
    const head = repo.git('rev-parse', 'HEAD');
    expect([data.lines[0]!.agent, data.lines[6]!.commit, data.recorded]).toEqual(['claude', head, true]);
    const all = new Set(repo.git('rev-list', '--all').split('\n'));
    expect(data.lines.filter(one => !all.has(one.commit))).toEqual([]);
  });

  it('view calls the file recorded, and names a commit that holds it', async () => {
    const repo = await pulled();
    const session = await repo.session();
    const head = repo.git('rev-parse', 'HEAD');
    const b = await session.view({ path: 'b.txt' });
    expect(b.data).toMatchObject({ recorded: true, commit: head, lines: 8 });
    expect(b.message).not.toContain('differs');
    expect((await session.view({ path: 'a.txt' })).data).toMatchObject({
      recorded: true,
      commit: repo.git('rev-parse', 'vedit/main'),
    });
    const edit = { path: 'b.txt', old_str: 'zero', new_str: 'ZERO', base: b.data.commit as string };
    await session.edit('str_replace', edit);
    expect((await session.view({ path: '.' })).data.commit).toBe(repo.git('rev-parse', 'vedit/main'));
  });

  it('a listing names no commit that is not there', async () => {
    const repo = await pulled();
    const { data } = await (await repo.session()).view({ path: '.' });
    expect(repo.git('cat-file', '-t', data.commit as string)).toBe('commit');
  });

  it('a file that was changed by hand as well is told of', async () => {
    const repo = await pulled();
    repo.write('b.txt', `${repo.read('b.txt')}by hand\n`);
    const session = await repo.session();
    expect((await session.view({ path: 'b.txt' })).data).toMatchObject({ recorded: false });
    const { data } = await session.blame({ path: 'b.txt' });
    expect([data.recorded, data.lines.length, data.lines[0]!.text]).toEqual([false, 8, 'zero']);
  });
});

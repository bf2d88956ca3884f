/** The person moves to another branch and takes the agents’ uncommitted work along: the work stays known there. */

import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/index.ts';
import { git, LINES } from '../helpers/landing.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

type Move = (repo: Place) => void;

/** Ways to stand on another branch with the same files; `branch`: what is checked out then. */
const MOVES: ReadonlyArray<readonly [name: string, branch: string | null, move: Move]> = [
  ['git switch -c', 'feature', repo => repo.git('switch', '-q', '-c', 'feature')],
  ['git checkout -b', 'feature', repo => repo.git('checkout', '-q', '-b', 'feature')],
  ['a detached HEAD', null, repo => repo.git('checkout', '-q', '--detach')],
  ['git branch -m', 'trunk', repo => repo.git('branch', '-m', 'trunk')],
  ['a branch that was there', 'other', repo => repo.git('switch', '-q', 'other')],
  [
    'a new branch with the work committed',
    'feature',
    repo => {
      repo.git('switch', '-q', '-c', 'feature');
      repo.git('add', '-A');
      repo.git('commit', '-q', '-m', 'all of it');
    },
  ],
  [
    'a new branch with some of it committed',
    'feature',
    repo => {
      repo.git('switch', '-q', '-c', 'feature');
      repo.git('commit', '-q', '-m', 'some of it', 'b.txt');
    },
  ],
];

/** Agents’ edits on main that are not committed, and a branch `other` that has a commit of its own. */
async function worked(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': LINES });
  repo.git('switch', '-q', '-c', 'other');
  repo.write('c.txt', `${LINES}eight\n`);
  repo.git('commit', '-q', '-am', 'eight');
  repo.git('switch', '-q', 'main');
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' });
  await session.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
  return repo;
}

async function ops(repo: Place): Promise<Array<string | null>> {
  const { data } = await (await repo.session()).log();
  return (data.entries as LogEntry[]).map(entry => entry.op);
}

/** Who wrote each line of a file: an agent, or a person’s name. */
async function writers(repo: Place, path: string): Promise<string[]> {
  const { data } = await (await repo.session()).blame({ path });
  return data.lines.map(({ agent, author, op }) => agent ?? `${author} ${op}`);
}

const EDITS = ['str_replace', 'str_replace', 'str_replace'];

describe.each(MOVES)('%s', (_name, branch, move) => {
  it('is told, and the work is known before any edit', async () => {
    const repo = await worked();
    const tip = repo.git('rev-parse', 'vedit/main');
    move(repo);
    const { data } = await (await repo.session()).status();
    expect(data).toMatchObject({ trail: 'refs/vedit/main', branch, head: tip, outside: [] });
    expect(await ops(repo)).toEqual(EDITS);
    expect((await writers(repo, 'a.txt')).filter(who => who === 'claude')).toHaveLength(2);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit')).toBe('refs/vedit/main');
    expect((await (await repo.open()).verify()).data).toMatchObject({ faults: [], head: tip });
  });

  it('goes on with the same trail', async () => {
    const repo = await worked();
    const tip = repo.git('rev-parse', 'vedit/main');
    move(repo);
    const session = await repo.session('s2');
    const done = await session.edit('str_replace', { path: 'a.txt', old_str: 'four', new_str: 'FOUR' });
    expect(done.data.outside).toBeUndefined();
    expect(repo.git('rev-list', '--first-parent', 'vedit/main').split('\n')).toContain(tip);
    const named = repo.git('log', '-1', '--format=%(trailers:key=Vedit-Branch,valueonly)', 'vedit/main');
    expect(named.trim()).toBe(branch ?? '');
    expect((await ops(repo)).filter(op => op !== 'head')).toEqual([...EDITS, 'str_replace']);
    expect(await writers(repo, 'a.txt')).toEqual([
      'claude',
      'Ada null',
      'Ada null',
      'claude',
      'Ada null',
      'Ada null',
      'claude',
    ]);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    await session.undo({ scope: 'trail', count: 2 });
    expect(repo.read('a.txt')).toBe(LINES.replace('one', 'ONE'));
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('undoes, and an edit_id of before is known', async () => {
    const repo = await worked();
    const session = await repo.session('s1');
    const input = { path: 'c.txt', old_str: 'three', new_str: 'THREE', edit_id: 'e-1' };
    if (branch !== 'other') await session.edit('str_replace', input);
    move(repo);
    const here = await repo.session('s1');
    if (branch !== 'other') {
      expect((await here.edit('str_replace', input)).data.repeated).toBe(true);
      await here.undo();
    }
    await here.undo();
    expect(repo.read('a.txt')).toBe(LINES.replace('one', 'ONE'));
  });

  it('lands what is not committed there', async () => {
    const repo = await worked();
    move(repo);
    const before = repo.git('rev-parse', 'HEAD');
    const { left } = (await (await repo.session()).status()).data;
    const landed = await codeOf((await repo.open()).land({ git }));
    expect(landed).toBe(left === 0 ? 'NO_CHANGE' : null);
    expect(repo.git('status', '--porcelain', '-uno')).toBe('');
    expect(repo.git('show', 'HEAD:a.txt')).toBe(
      LINES.replace('one', 'ONE').replace('seven', 'SEVEN').trimEnd(),
    );
    if (left > 0) expect(repo.git('rev-parse', 'HEAD~1')).toBe(before);
    expect((await (await repo.session()).status()).data.left).toBe(0);
  });
});

describe('back again', () => {
  it('all is as it was, and what was done meanwhile is known', async () => {
    const repo = await worked();
    repo.git('switch', '-q', '-c', 'feature');
    const refusing = await repo.session('s1', { outside: 'refuse' });
    await refusing.edit('str_replace', { path: 'a.txt', old_str: 'four', new_str: 'FOUR' });
    repo.git('switch', '-q', 'main');
    expect((await refusing.status()).data).toMatchObject({ branch: 'main', left: 4, outside: [] });
    const done = await refusing.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    expect(done.data.outside).toBeUndefined();
    expect((await writers(repo, 'a.txt')).filter(who => who === 'claude')).toHaveLength(4);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('a branch that another one took its edits to, committed, has none of them', async () => {
    const repo = await worked();
    repo.git('switch', '-q', '-c', 'feature');
    repo.git('commit', '-q', '-am', 'all of it');
    const edit = { path: 'c.txt', old_str: 'four', new_str: 'FOUR' };
    await (await repo.session('s1')).edit('str_replace', edit);
    repo.git('commit', '-q', '-am', 'and that');
    repo.git('switch', '-q', 'main');
    const session = await repo.session('s1');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'four', new_str: 'FOUR' });
    expect(await writers(repo, 'b.txt')).not.toContain('claude');
    await session.undo();
    expect(await codeOf(session.undo())).toBe('NO_CHANGE');
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.git('switch', '-q', 'feature');
    expect((await writers(repo, 'a.txt')).filter(who => who === 'claude')).toHaveLength(2);
  });
});

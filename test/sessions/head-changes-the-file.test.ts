/** The person commits, rebases or lands in the very file that the agents work on, and goes on in it. */

import { describe, expect, it } from 'vitest';
import { ADA } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const NINE = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

async function replace(repo: Place, session: string, line: string, word: string): Promise<void> {
  const input = { path: 'a.txt', old_str: `${line}\n`, new_str: `${word}\n` };
  await (await repo.session(session)).edit('str_replace', input);
}

/** How many edits are not in HEAD, and what is wrong with the trail itself. */
async function open(repo: Place): Promise<[number, string[]]> {
  const workspace = await repo.open();
  const { data } = await workspace.session().status();
  const { data: found } = await workspace.verify();
  return [data.left, found.faults.map(({ message }) => message)];
}

describe('HEAD changes a file of the agents', () => {
  it('by a rebase that keeps their edit in the file', async () => {
    const repo = personRepo({ 'a.txt': NINE });
    repo.git('switch', '-qc', 'up');
    repo.write('a.txt', NINE.replace('1', 'uno'));
    repo.git('commit', '-qam', 'up');
    repo.git('switch', '-q', 'main');
    await replace(repo, 'B', '5', 'five');
    repo.git('rebase', '-q', '--autostash', 'up');
    expect(await open(repo)).toEqual([1, []]);
    await replace(repo, 'B', '9', 'nine');
    const blame = await (await repo.session()).blame({ path: 'a.txt' });
    expect(blame.data.lines[4]).toMatchObject({ op: 'str_replace' });
    await (await repo.open({ user: ADA })).land({});
    expect(repo.git('show', 'HEAD:a.txt')).toBe('uno\n2\n3\n4\nfive\n6\n7\n8\nnine');
    expect(await open(repo)).toEqual([0, []]);
  });

  it('by landing one session, while the person writes on in it', async () => {
    const repo = personRepo({ 'a.txt': NINE });
    await replace(repo, 'S', '2', 'two');
    await replace(repo, 'T', '5', 'five');
    repo.write('a.txt', repo.read('a.txt').replace('9', 'NEUN'));
    await (await repo.open({ user: ADA })).land({ session: 'S' });
    expect(await open(repo)).toEqual([1, []]);
    const session = await repo.session('T');
    expect((await session.diff({ outside: true })).message).toContain('+NEUN');
    await session.edit('str_replace', { path: 'a.txt', old_str: '7\n', new_str: 'seven\n' });
    await session.undo();
    expect(repo.git('log', '-3', '--format=%s', 'vedit/main')).toMatch(/^undo .*\nstr_replace .*\noutside /);
    await (await repo.open({ user: ADA })).land({});
    expect(repo.git('show', 'HEAD:a.txt')).toBe('1\ntwo\n3\n4\nfive\n6\n7\n8\n9');
    expect(repo.read('a.txt')).toBe('1\ntwo\n3\n4\nfive\n6\n7\n8\nNEUN\n');
  });

  it('and the person took their edit out of the file: it is not brought back', async () => {
    const repo = personRepo({ 'a.txt': NINE });
    await replace(repo, 'S', '5', 'five');
    repo.git('checkout', '-q', 'a.txt');
    repo.write('a.txt', NINE.replace('1', 'uno'));
    repo.git('commit', '-qam', 'own');
    repo.write('a.txt', NINE.replace('1', 'uno').replace('9', 'neun'));
    await replace(repo, 'S', '7', 'seven');
    expect(await open(repo)).toEqual([1, []]);
    expect(repo.read('a.txt')).toBe('uno\n2\n3\n4\n5\n6\nseven\n8\nneun\n');
    expect(repo.git('show', 'vedit/main:a.txt')).toBe('uno\n2\n3\n4\n5\n6\nseven\n8\nneun');
  });
});

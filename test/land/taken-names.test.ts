import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EditErrorOf } from '../../src/errors.ts';
import { dirty, git, LINES } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

/** A file is moved away, and a new one is made at its name. */
async function split() {
  const repo = personRepo({ 'a.txt': LINES });
  const workspace = await repo.open();
  const [ann, bob] = ['ann', 'bob'].map(agent => workspace.session({ id: agent, agent }));
  await ann!.edit('move', { path: 'a.txt', new_path: 'b.txt' });
  await bob!.edit('create', { path: 'a.txt', file_text: 'new\n' });
  return { repo, workspace, ann: ann!, bob: bob! };
}

const inHead = (repo: Place): string[] =>
  repo
    .git('ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .map(path => `${path} ${repo.git('show', `HEAD:${path}`).split('\n')[0]}`);
const FIRST = LINES.split('\n')[0]!;

describe('a new file at the name of one that was moved away', () => {
  it('lands with the move, each under its name', async () => {
    const { repo, workspace } = await split();
    await workspace.land({ git });
    expect(inHead(repo)).toEqual(['a.txt new', `b.txt ${FIRST}`]);
    expect(dirty(repo)).toEqual([]);
  });

  it('stays in the files where the move alone lands, and lands after it', async () => {
    const { repo, workspace } = await split();
    await workspace.land({ git, agent: 'ann' });
    expect(inHead(repo)).toEqual([`b.txt ${FIRST}`]);
    expect(repo.git('status', '--short')).toBe('?? a.txt');
    await workspace.land({ git });
    expect(inHead(repo)).toEqual(['a.txt new', `b.txt ${FIRST}`]);
  });

  it('does not land over the file that the branch has there: it needs the move', async () => {
    const { repo, workspace, ann } = await split();
    const { entries } = (await ann.log({})).data;
    const refused: EditErrorOf<'CONFLICT'> = await workspace
      .land({ git, agent: 'bob' })
      .catch(error => error);
    expect(refused.code).toBe('CONFLICT');
    expect(refused.data).toMatchObject({ needs: [entries[1]!.commit], needs_outside: false });
    expect(inHead(repo)).toEqual([`a.txt ${FIRST}`]);
  });

  it('lands one by one', async () => {
    const { repo, workspace } = await split();
    await workspace.land({ git, each: true });
    expect(repo.git('log', '--format=', '--name-status', '-M', '-2')).toBe('A\ta.txt\nR100\ta.txt\tb.txt');
    expect(dirty(repo)).toEqual([]);
  });

  it('goes with an undo of both and comes with a redo, and the undo of what landed lands', async () => {
    const { repo, workspace, ann } = await split();
    await workspace.land({ git });
    await ann.undo({ scope: 'trail', count: 2 });
    expect([repo.read('a.txt'), existsSync(repo.path('b.txt'))]).toEqual([LINES, false]);
    await ann.redo({ scope: 'trail', count: 2 });
    expect(dirty(repo)).toEqual([]);
    expect((await ann.log({})).data.entries.filter(({ op }) => op === 'create')[0]!.status.now).toBe(
      'landed',
    );
    await ann.rollback('main~1');
    await workspace.land({ git });
    expect(repo.git('diff', '--stat', 'HEAD~2')).toBe('');
    expect(dirty(repo)).toEqual([]);
    expect((await workspace.verify()).data.faults).toEqual([]);
  });
});

it('the second of two moves in a chain does not land over the first', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'second\n' });
  const ann = (await repo.open()).session({ agent: 'ann' });
  await ann.edit('move', { path: 'b.txt', new_path: 'c.txt' });
  await ann.edit('move', { path: 'a.txt', new_path: 'b.txt' });
  const workspace = await repo.open();
  await expect(workspace.land({ git, commits: ['@'] })).rejects.toMatchObject({ code: 'CONFLICT' });
  await workspace.land({ git });
  expect(inHead(repo)).toEqual([`b.txt ${FIRST}`, 'c.txt second']);
  expect(dirty(repo)).toEqual([]);
});

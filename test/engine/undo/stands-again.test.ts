/** An edit that was undone and that git brought back stands in the files again: each way back takes it, as log says of it. */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/index.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const BEFORE = '1\n2\n3\n4\n5\n6\n7\n8\n';
const AFTER = BEFORE.replace('2', 'two').replace('7', 'seven');

/** Two edits of one turn in a commit of the person's; the newest was undone, and then restored by git. */
async function undoneAndRestored(): Promise<{ repo: Place; session: Session; newest: string }> {
  const repo = personRepo({ 'a.txt': BEFORE });
  const session = await repo.session();
  const newest = await session.inTurn(
    async own => {
      await own.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
      return own.edit('str_replace', { path: 'a.txt', old_str: '7', new_str: 'seven' });
    },
    { turn: 'one-turn' },
  );
  repo.git('commit', '-qam', 'both');
  await session.undo();
  repo.git('restore', 'a.txt');
  return { repo, session, newest: newest.data.commit! };
}

describe('an undone edit that git restored', () => {
  it.each<[string, (session: Session, newest: string) => Promise<unknown>, string]>([
    ['undo', session => session.undo(), AFTER.replace('seven', '7')],
    ['undo of two', session => session.undo({ count: 2 }), BEFORE],
    ['revert', (session, newest) => session.revert(newest), AFTER.replace('seven', '7')],
    ['undo of the newest turn', session => session.undo({ turn: 'latest' }), BEFORE],
  ])('is taken out by %s', async (_, back, text) => {
    const { repo, session, newest } = await undoneAndRestored();
    await back(session, newest);
    expect(repo.read('a.txt')).toBe(text);
  });

  it('is nothing to redo', async () => {
    const { session } = await undoneAndRestored();
    await expect(session.redo()).rejects.toThrow('This session has nothing to redo.');
  });

  it('stands in the way of a rollback by another session’s count', async () => {
    const { repo, session, newest } = await undoneAndRestored();
    const other = await repo.session('other');
    await other.edit('str_replace', { path: 'a.txt', old_str: '4', new_str: 'four' });
    const { data } = await session.log();
    const steps = data.entries.findIndex(({ commit }) => commit === newest) + 1;
    await expect(other.rollback(`~${steps}`)).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { others: [expect.objectContaining({ commit: newest })] },
    });
  });

  it.each<[string, (repo: Place, session: Session) => Promise<unknown>]>([
    ['a restore that git restored', (_, session) => session.restore({ path: 'a.txt', from: 'main~1' })],
    ['a rollback that git restored', (_, session) => session.rollback('main~1')],
    [
      'an undo that git reverted',
      async (repo, session) => {
        await session.undo({ count: 2 });
        repo.git('commit', '-qam', 'without');
        repo.git('revert', '--no-edit', 'HEAD');
      },
    ],
  ])('is not lost with what it replaced, after %s', async (_, back) => {
    const repo = personRepo({ 'a.txt': BEFORE, 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    await session.edit('str_replace', { path: 'a.txt', old_str: '7', new_str: 'seven' });
    repo.git('commit', '-qam', 'both');
    await back(repo, session);
    repo.git('restore', 'a.txt');
    expect(repo.read('a.txt')).toBe(AFTER);
    await session.edit('str_replace', { path: 'a.txt', old_str: '4', new_str: 'four' });
    await session.undo({ count: 3 });
    expect(repo.read('a.txt')).toBe(BEFORE);
  });
});

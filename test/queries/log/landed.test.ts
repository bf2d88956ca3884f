import { describe, expect, it } from 'vitest';
import type { LogEntry, Session } from '../../../src/index.ts';
import { edited, git, LINES } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

/** Oldest first: what was edited, and the subject of the commit that says it landed. */
async function marks(repo: Place, session: Session): Promise<string[]> {
  const entries: LogEntry[] = [];
  for await (const entry of session.entries()) entries.unshift(entry);
  return entries.map(({ op, commit, status: { landed_in: landed } }) => {
    const where = landed === commit ? 'itself' : landed && repo.git('log', '-1', '--format=%s', landed);
    return `${op}${where ? `: ${where}` : ''}`;
  });
}

describe('the log says what has landed', () => {
  it('and on which commit: one session, then the rest', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    const session = workspace.session({ id: 's3' });
    expect(await marks(repo, session)).toEqual(['str_replace', 'str_replace', 'create']);
    await workspace.land({ git, session: 's1', message: 'First' });
    expect(await marks(repo, session)).toEqual(['str_replace: First', 'str_replace', 'create: First']);
    await workspace.land({ git, message: 'Second' });
    expect(await marks(repo, session)).toEqual([
      'str_replace: First',
      'str_replace: Second',
      'create: First',
    ]);
    const { data } = await session.show('~1');
    expect(data.status.landed_in).toBe(repo.git('rev-parse', 'HEAD'));
    expect((await session.status()).data.last?.status.landed_in).toBe(repo.git('rev-parse', 'HEAD~1'));
    expect((await session.log()).message).toContain(`[landed in ${data.status.landed_in!.slice(0, 12)}]`);
  });

  it('but not of a change of others inside a row, of what came later, or of a sync', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.write('a.txt', repo.read('a.txt').replace('four', 'by hand'));
    await session.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
    await (await repo.open()).land({ git, message: 'Landed' });
    await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    const expected = ['str_replace: Landed', 'outside', 'str_replace: Landed', 'head', 'str_replace'];
    expect(await marks(repo, session)).toEqual(expected);
  });

  it('also where the commit was amended or squashed; not where it is on another branch alone', async () => {
    const repo = await edited();
    repo.git('branch', 'release');
    const workspace = await repo.open();
    const session = workspace.session({ id: 's3' });
    await workspace.land({ git, session: 's2', onto: 'release', message: 'Released' });
    expect(await marks(repo, session)).toEqual(['str_replace', 'str_replace', 'create']);
    await workspace.land({ git, each: true });
    repo.git('reset', '-q', '--soft', 'HEAD~3');
    repo.git('commit', '-qm', `Squashed\n\n${repo.git('log', '--format=%B', 'HEAD..HEAD@{1}')}`);
    const squashed = await marks(repo, session);
    expect([squashed[0], squashed[2]]).toEqual(['str_replace: Squashed', 'create: Squashed']);
  });

  it('also where the branch took in the trail itself', async () => {
    const repo = await edited();
    const session = await repo.session('s3');
    repo.git('stash', '-qu');
    repo.git('merge', '-q', '--no-ff', '-m', 'Merged', 'vedit/main~1');
    expect(await marks(repo, session)).toEqual(['str_replace: itself', 'str_replace: itself', 'create']);
  });

  it('where the trail is the checked-out branch, only by what says so', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('config', 'vedit.trail', 'HEAD');
    repo.git('branch', 'clean');
    const workspace = await repo.open();
    const session = workspace.session({ id: 's1' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('branch', 'copy');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    await workspace.land({ git, commits: ['~1'], onto: 'clean', message: 'Clean' });
    expect(await marks(repo, session)).toEqual(['null', 'str_replace: Clean', 'str_replace']);
  });

  it('and a damaged branch keeps nobody from reading the trail', async () => {
    const repo = await edited();
    repo.write('.git/refs/heads/broken', 'not an id\n');
    expect(await marks(repo, await repo.session())).toEqual(['str_replace', 'str_replace', 'create']);
  });
});

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ADA } from '../helpers/landing.ts';
import { codeOf, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

/** `main` here, and `feat` in a linked work tree, in which an agent edited a.txt. */
async function withAgentBeside(): Promise<{ repo: Place; side: Place }> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const dir = join(repo.dir, '..', 'side');
  repo.git('worktree', 'add', '-q', '-b', 'feat', dir);
  const side = place(at(dir));
  await (await side.session()).edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  return { repo, side };
}

it('of the trail of another work tree, nobody says that this one’s files took it back', async () => {
  const { repo } = await withAgentBeside();
  const workspace = await repo.open({ trail: 'worktree/side' });
  const session = workspace.session({ agent: 'claude' });
  const { entries } = (await session.log()).data;
  expect(entries).toMatchObject([{ status: { now: 'open', landed_in: null } }]);
  expect((await session.status()).data).toMatchObject({ taken_back: 0, outside: [] });
  expect((await workspace.verify()).data.sound).toBe(true);
  expect((await session.read({ path: 'a.txt' })).data.text).toBe('A\n');
});

it('what landed on its branch counts as landed', async () => {
  const { repo, side } = await withAgentBeside();
  const { data } = await (await side.open({ user: ADA })).land();
  const session = (await repo.open({ trail: 'worktree/side' })).session({ agent: 'claude' });
  expect((await session.log()).data.entries).toMatchObject([
    { status: { now: 'landed', landed_in: data.commits[0]!.commit } },
  ]);
  expect((await session.status()).data).toMatchObject({ left: 0 });
});

it('it is not written from here: the refusal names the work tree', async () => {
  const { repo, side } = await withAgentBeside();
  const workspace = await repo.open({ trail: 'worktree/side', user: ADA });
  const session = workspace.session({ agent: 'claude' });
  const before = repo.git('for-each-ref');
  await expect(session.undo({ scope: 'trail' })).rejects.toThrow(realpathSync(side.dir));
  const create = { path: 'b.txt', file_text: 'b\n' };
  expect(await codeOf(session.edit('create', create))).toBe('INVALID_INPUT');
  expect(await codeOf(workspace.land())).toBe('INVALID_INPUT');
  expect(repo.git('for-each-ref')).toBe(before);
  expect(repo.git('status', '--porcelain')).toBe('');
});

it('from the linked work tree, the same holds for the main one', async () => {
  const { repo, side } = await withAgentBeside();
  await (await repo.session()).edit('create', { path: 'b.txt', file_text: 'b\n' });
  const session = (await side.open({ trail: 'main' })).session({ agent: 'claude' });
  expect((await session.log()).data.entries[0]!.status.now).toBe('open');
  await expect(session.undo({ scope: 'trail' })).rejects.toThrow(realpathSync(repo.dir));
});

it('when the work tree is gone, its trail is still read, and not written', async () => {
  const { repo } = await withAgentBeside();
  repo.git('worktree', 'remove', '--force', '../side');
  const session = (await repo.open({ trail: 'worktree/side' })).session({ agent: 'claude' });
  expect((await session.log()).data.entries).toHaveLength(1);
  expect(await codeOf(session.restore({ path: 'a.txt', from: '@' }))).toBe('INVALID_INPUT');
});

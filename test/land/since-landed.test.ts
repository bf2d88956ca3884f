/** Landings of files that landed before, that are new, or that are on another branch: what is beside each other there. */

import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { edit, LINES, land, refusal, shown } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

/** With a file that an agent made. */
async function withNew(options: { trail?: 'HEAD' } = {}): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  if (options.trail) repo.git('config', 'vedit.trail', options.trail);
  await (await repo.session('s1')).edit('create', { path: 'n.txt', file_text: LINES });
  return repo;
}

function typed(repo: Place, from: string, to: string): void {
  repo.write('n.txt', repo.read('n.txt').replace(from, to));
}

describe('in a file that landed as a whole', () => {
  it('a line of yours keeps no other line of an agent from landing', async () => {
    const repo = await withNew();
    await land(repo);
    for (const [mine, theirs] of [
      ['six', 'one'],
      ['five', 'two'],
    ] as const) {
      typed(repo, mine, `my ${mine}`);
      await edit(repo, ['n.txt', theirs, theirs.toUpperCase()]);
      expect((await land(repo)).data.outside).toEqual(['n.txt']);
    }
    expect(repo.git('show', 'HEAD:n.txt')).toBe(shown(LINES.replace('one', 'ONE').replace('two', 'TWO')));
  });

  it('nor where you committed it yourself, or an agent rewrote all of it before', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edit(repo, ['a.txt', 'a', 'A']);
    repo.write('n.txt', LINES);
    repo.git('add', '.');
    repo.git('commit', '-qm', 'mine');
    await edit(repo, ['n.txt', 'four', 'FOUR'], ['a.txt', 'A', LINES.trimEnd()]);
    await land(repo);
    typed(repo, 'six', 'my six');
    repo.write('a.txt', repo.read('a.txt').replace('six', 'my six'));
    await edit(repo, ['n.txt', 'one', 'ONE'], ['a.txt', 'one', 'ONE']);
    expect((await land(repo)).data.outside).toEqual(['a.txt', 'n.txt']);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'ONE')));
    expect(repo.git('show', 'HEAD:n.txt')).toBe(shown(LINES.replace('one', 'ONE').replace('four', 'FOUR')));
  });
});

describe('a file that an agent made', () => {
  it.each([false, true])(
    'lands with the mode that you gave it, and as the file is (edited since: %s)',
    async since => {
      const repo = await withNew();
      chmodSync(repo.path('n.txt'), 0o755);
      if (since) await edit(repo, ['n.txt', 'six', 'SIX']);
      expect((await land(repo)).data.outside).toEqual([]);
      expect(repo.git('ls-tree', 'HEAD', 'n.txt')).toMatch(/^100755 /);
      expect(repo.git('status', '--short')).toBe('');
    },
  );

  it('asks, where you changed a line that it wrote and it has not landed', async () => {
    const repo = await withNew();
    typed(repo, 'six', 'my six');
    await edit(repo, ['n.txt', 'one', 'ONE']);
    expect(await refusal(repo)).toMatchObject({ code: 'CONFLICT' });
    await land(repo, { outside: true });
    expect(repo.git('status', '--short')).toBe('');
  });
});

it('on another branch edits land only with what you committed over them, where the branch is the trail', async () => {
  const repo = await withNew({ trail: 'HEAD' });
  repo.git('branch', 'release', 'HEAD~1');
  typed(repo, 'six', 'my six');
  repo.git('commit', '-qam', 'mine');
  expect((await refusal(repo, { onto: 'release' })).code).toBe('CONFLICT');
  await land(repo, { onto: 'release', outside: true });
  expect(repo.git('show', 'release:n.txt')).toBe(shown(LINES.replace('six', 'my six')));
});

it('an edit landed where its line came, not where somebody else took out the one that it replaced', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  repo.git('checkout', '-qb', 'feature');
  await edit(repo, ['a.txt', 'two', 'TWO']);
  await land(repo);
  repo.git('checkout', '-q', 'main');
  repo.write('a.txt', LINES.replace('two', 'mine'));
  repo.git('commit', '-qam', 'mine');
  repo.git('checkout', '-q', 'feature');
  expect(() => repo.git('rebase', '-q', 'main')).toThrow();
  // The agent edits amid the rebase, so that the history sees HEAD where it began.
  repo.write('b.txt', 'b\n');
  await edit(repo, ['b.txt', 'b', 'B']);
  repo.write('a.txt', LINES.replace('two', 'mine\nTWO'));
  repo.git('add', 'a.txt');
  repo.git('-c', 'core.editor=true', 'rebase', '--continue');
  const { entries } = (await (await repo.session('s2')).log()).data;
  const { status } = entries.find(one => one.op === 'str_replace' && one.paths?.includes('a.txt'))!;
  expect(status).toMatchObject({ now: 'landed', landed_in: repo.git('rev-parse', 'HEAD') });
});

/** A few small trees that hold each other ten times over, pushed by a peer: all that looks at them ends, and says why. */

import { expect, it } from 'vitest';
import { edit, git, shared, using } from '../helpers/clones.ts';
import { codeOf, type Place } from '../helpers/person-repo.ts';
import type { Sandbox } from '../helpers/real-git.ts';

/** The id of a tree with ten to the power of eight files, of eight objects; beside them what `tree` has. */
function bomb(box: Sandbox, tree: string): string {
  const blob = box.pipe('x\n', 'hash-object', '-w', '--stdin').toString().trim();
  let made = '';
  for (let level = 0; level < 8; level++) {
    const entry = (n: number): string =>
      made ? `040000 tree ${made}\tf${n}\n` : `100644 blob ${blob}\tf${n}\n`;
    const lines = Array.from({ length: 10 }, (_, n) => entry(n)).join('');
    made = box.pipe(lines, 'mktree').toString().trim();
  }
  const rest = box.git('ls-tree', tree);
  return box.pipe(`${rest}\n040000 tree ${made}\tbomb\n`, 'mktree').toString().trim();
}

const fewer = (box: Place): string => box.git('config', 'vedit.maxEntries', '5000');

it('stops no edit, and its diff, review and verify are refused by name', async () => {
  const { ada, bob } = shared({ 'a.txt': 'one\ntwo\n' });
  await edit(ada, 'a.txt', 'two', '2');
  const trailers = ada
    .git('log', '-1', '--format=%(trailers)', 'vedit/main')
    .replace(/^Vedit-Line: .*\n/m, '')
    .trim();
  const message = `create bomb (+1 -0)\n\n${trailers}`;
  const tree = bomb(ada, 'vedit/main');
  const commit = ada.git('commit-tree', tree, '-p', 'vedit/main', '-m', message);
  ada.git('push', '-q', 'origin', `${commit}:refs/vedit-peers/mallory-12345678/trail/main`);
  fewer(bob);
  const { data } = await using(bob, one => one.fetch({ git }));
  expect(data.fetched).toMatchObject([{ name: 'mallory-12345678/main' }]);
  const peer = 'mallory-12345678/main';
  const verified = await using(bob, one => one.verify(), peer);
  expect(verified.data.faults).toContainEqual(expect.objectContaining({ kind: 'unreadable', commit }));
  await using(
    bob,
    async one => {
      expect(await codeOf(one.session().diff({ from: '~1' }))).toBe('TOO_LARGE');
      expect(await codeOf(one.review())).toBe('TOO_LARGE');
      expect((await one.session().log()).data.entries).toHaveLength(2);
    },
    peer,
  );
  await edit(bob, 'a.txt', 'one', '1');
});

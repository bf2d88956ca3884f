/** Clones that lack something, and branches and names that went away under a trail. */

import { expect, it } from 'vitest';
import { cloneOf, edit, git, serverRefs, shared, using } from '../helpers/clones.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'folder/b.txt': 'b\n', 'c.txt': 'c\n' };

it.each(['--depth=1', '--filter=blob:none', '--filter=tree:0'])(
  'a clone made with %s publishes',
  async option => {
    const { server, ada, bob } = shared(FILES);
    server.git('config', 'uploadpack.allowFilter', 'true');
    ada.git('commit', '-q', '--allow-empty', '-m', 'more');
    ada.git('push', '-q', 'origin', 'main');
    const thin = cloneOf(server, 'thin', option);
    const tip = await edit(thin, 'a.txt', 'two', '2');
    const { data } = await using(thin, one => one.push({ git }));
    expect(data).toMatchObject({ counts: { edits: 1, outside: 0, unpushed_commits: 0 } });
    expect(server.git('rev-parse', data.trails[0]!.ref!)).toBe(tip);
    expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);
    await using(bob, one => one.fetch({ git }));
    const name = `${data.clone}/main`;
    expect((await using(bob, one => one.session().show('@'), name)).data.commit).toBe(tip);
    expect((await using(bob, one => one.verify(), name)).data.faults).toEqual([]);
  },
);

it('a branch that was force-pushed: the trail goes on, is pushed, and says on what it stands', async () => {
  const { server, ada, bob } = shared(FILES);
  ada.write('c.txt', 'of ada\n');
  ada.git('commit', '-qam', 'soon gone');
  ada.git('push', '-q', 'origin', 'main');
  await edit(ada, 'a.txt', 'two', '2');
  const { data } = await using(ada, one => one.push({ git }));
  bob.write('d.txt', 'd\n');
  bob.git('add', '-A');
  bob.git('commit', '-qm', 'in its place');
  bob.git('push', '-q', '--force', 'origin', 'main');
  bob.git('fetch', '-q');
  await using(bob, one => one.fetch({ git }));
  ada.git('stash', '-q');
  ada.git('fetch', '-q');
  ada.git('reset', '-q', '--hard', 'origin/main');
  const next = await edit(ada, 'a.txt', 'three', '3');
  const again = await using(ada, one => one.push({ git, withOutside: true }));
  expect(again.data.trails).toMatchObject([{ to: next, result: 'pushed' }]);
  expect(again.data.counts.unpushed_commits).toBe(0);
  await using(bob, one => one.fetch({ git }));
  expect(bob.git('show', `refs/vedit-peers/${data.clone}/trail/main:c.txt`)).toBe('c');
  expect((await using(ada, one => one.verify())).data.faults).toEqual([]);
  expect((await using(bob, one => one.verify(), `${data.clone}/main`)).data.faults).toEqual([]);
  expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);
});

it('a clone that a person renamed publishes under the new name; the old one is left to prune', async () => {
  const { server, ada, bob } = shared(FILES);
  await edit(ada, 'a.txt', 'two', '2');
  await using(ada, one => one.push({ git }));
  ada.git('config', 'vedit.clone', 'ada-laptop-00000007');
  const tip = await edit(ada, 'a.txt', 'three', '3');
  const { data } = await using(ada, one => one.push({ git }));
  expect(data).toMatchObject({
    clone: 'ada-laptop-00000007',
    trails: [{ from: null, to: tip, result: 'pushed' }],
  });
  expect(serverRefs(server)).toHaveLength(3);
  await using(bob, one => one.fetch({ git }));
  expect((await using(bob, one => one.peers())).data.peers.map(({ head }) => head)).toContain(tip);
  ada.git('config', 'vedit.clone', 'Ada');
  await expect(using(ada, one => one.push({ git }))).rejects.toMatchObject({
    code: 'CORRUPT',
    message: expect.stringContaining('git config --unset vedit.clone'),
  });
});

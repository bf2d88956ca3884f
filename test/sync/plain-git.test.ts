/** What a person's plain git does to trails, on both sides: docs/history.md has the table. */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cloneOf, edit, git, type Shared, shared, using } from '../helpers/clones.ts';
import { at, type Sandbox, succeeds } from '../helpers/real-git.ts';

const trails = (box: Sandbox): string => box.git('for-each-ref', 'refs/vedit', 'refs/vedit-peers');

/** Ada has published, bob has fetched. */
async function published(): Promise<Shared> {
  const all = shared({ 'a.txt': 'one\ntwo\nthree\n' });
  await edit(all.ada, 'a.txt', 'two', '2');
  await using(all.ada, one => one.push({ git }));
  await using(all.bob, one => one.fetch({ git }));
  return all;
}

/** The trail that bob has is read to its end. */
async function isWhole(box: Shared['bob']): Promise<void> {
  const { data } = await using(box, one => one.peers());
  const { data: log } = await using(box, one => one.session().log(), data.peers[0]!.name);
  expect(log.entries).toHaveLength(1);
  expect(box.git('fsck', '--strict')).not.toMatch(/error|missing/);
}

describe('in a clone', () => {
  it.each([
    ['fetch', '--prune', 'origin'],
    ['remote', 'prune', 'origin'],
    ['remote', 'update', '--prune'],
    ['fetch', '--prune', '--prune-tags', 'origin'],
    ['pull', '-q', '--prune'],
    ['gc', '-q', '--prune=now'],
    ['repack', '-adq'],
    ['pack-refs', '--all', '--prune'],
  ])('git %s %s leaves trails and mirrors as they are', async (...command) => {
    const { ada, bob } = await published();
    for (const box of [ada, bob]) {
      const before = trails(box);
      box.git(...command.filter(Boolean));
      expect(trails(box)).toBe(before);
    }
    await isWhole(bob);
    expect((await using(ada, one => one.verify())).data.faults).toEqual([]);
    expect((await using(bob, one => one.fetch({ git }))).message).toContain('Nothing new');
  });

  it('git clone and git fetch bring no trail', async () => {
    const { server } = await published();
    const carl = cloneOf(server, 'carl');
    carl.git('fetch', '-q', '--all', '--tags');
    expect(trails(carl)).toBe('');
  });
});

describe('on the server', () => {
  it.each([
    ['gc', '-q', '--prune=now'],
    ['repack', '-adq'],
    ['pack-refs', '--all', '--prune'],
  ])('git %s %s keeps trails', async (...command) => {
    const { server, ada, bob } = await published();
    const before = trails(server);
    server.git(...command.filter(Boolean));
    expect(trails(server)).toBe(before);
    await edit(ada, 'a.txt', 'three', '3');
    await using(ada, one => one.push({ git }));
    expect((await using(bob, one => one.fetch({ git }))).data.fetched).toHaveLength(1);
  });
});

describe('pushes that delete', () => {
  const PUSHES: ReadonlyArray<readonly [string, ...string[]]> = [
    ['of a plain clone, mirrored', '--mirror'],
    ['of a plain clone, pruned', '--prune', 'refs/*:refs/*'],
    ['of one name', ':refs/vedit-peers/NAME/trail/main'],
  ];

  it.each(PUSHES)(
    '%s: the next push of the clone restores the trail, and mirrors stay',
    async (_, ...options) => {
      const all = await published();
      const before = trails(all.server);
      const carl = cloneOf(all.server, 'carl');
      const [name] = /[a-z]+-\d{8}/.exec(before)!;
      expect(succeeds(carl, 'push', '-q', 'origin', ...options.map(one => one.replace('NAME', name)))).toBe(
        true,
      );
      expect(trails(all.server)).toBe('');
      expect((await using(all.bob, one => one.fetch({ git }))).data.gone).toHaveLength(1);
      await isWhole(all.bob);
      await using(all.ada, one => one.push({ git }));
      expect(trails(all.server)).toBe(before);
    },
  );

  it('a mirror of the server has the trails, follows them, and gives them back', async () => {
    const { server, ada } = await published();
    execFileSync('git', ['clone', '-q', '--mirror', server.dir, server.path('..', 'mirror.git')], {
      stdio: 'ignore',
    });
    const mirror = at(server.path('..', 'mirror.git'));
    expect(trails(mirror)).toBe(trails(server));
    await edit(ada, 'a.txt', 'three', '3');
    await using(ada, one => one.push({ git }));
    const newest = trails(server);
    mirror.git('fetch', '-q', '--prune');
    expect(trails(mirror)).toBe(newest);
    server.git('update-ref', '-d', /refs\/\S+/.exec(newest)![0]);
    mirror.git('push', '-q', '--mirror');
    expect(trails(server)).toBe(newest);
  });
});

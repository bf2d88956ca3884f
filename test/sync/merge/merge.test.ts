/** Taking a peer's edits: one commit with both histories, or a refusal that says what to do. */

import { describe, expect, it } from 'vitest';
import type { MergeOptions } from '../../../src/index.ts';
import { edit, git, type Shared, shared, using } from '../../helpers/clones.ts';
import type { Place } from '../../helpers/person-repo.ts';

const LINES = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`).join('');
const FILES = { 'a.txt': LINES, 'b.txt': 'b\n' };

const push = (at: Place) => using(at, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));
const fetching = (at: Place) => using(at, one => one.fetch({ git }));
const merge = (at: Place, peer: string, options: Partial<MergeOptions> = {}) =>
  using(at, one => one.merge({ peer, ...options }));
const faults = async (at: Place): Promise<string[]> =>
  (await using(at, one => one.verify())).data.faults.map(({ kind, message }) => `${kind}: ${message}`);

/** Ada edits and pushes, bob fetches. Answers the name of ada's trail. */
async function handed(
  all: Shared,
  ...edits: Array<readonly [path: string, from: string, to: string]>
): Promise<string> {
  for (const one of edits) await edit(all.ada, ...one, 'ada-agent');
  const { data } = await push(all.ada);
  await fetching(all.bob);
  return `${data.clone}/main`;
}

describe('workspace.merge', () => {
  it('is one commit with two parents; blame, log, verify, undo and redo know it', async () => {
    const all = shared(FILES);
    const { ada, bob } = all;
    const own = await edit(bob, 'a.txt', 'line 10', 'ten', 'bob-agent');
    const peer = await handed(all, ['a.txt', 'line 2', 'two'], ['b.txt', 'b', 'B']);
    const theirs = ada.git('rev-parse', 'refs/vedit/main');
    const dry = await merge(bob, peer, { dryRun: true });
    expect(dry.data).toMatchObject({ commit: null, paths: [{ path: 'a.txt' }, { path: 'b.txt' }] });
    expect(bob.git('rev-parse', 'refs/vedit/main')).toBe(own);
    const { data } = await merge(bob, peer, { reason: 'ada has the second line' });
    expect(data).toMatchObject({ op: 'merge', subject: `merge ${peer} (+2 -2)` });
    expect(bob.git('log', '-1', '--format=%P', data.commit!)).toBe(`${own} ${theirs}`);
    expect(bob.read('a.txt')).toBe(LINES.replace('line 10', 'ten').replace('line 2', 'two'));
    expect(bob.read('b.txt')).toBe('B\n');
    expect(await faults(bob)).toEqual([]);
    expect(bob.git('fsck', '--strict')).not.toMatch(/error|missing/);
    await using(bob, async workspace => {
      const session = workspace.session();
      const { data: blame } = await session.blame({ path: 'a.txt' });
      const agents = Object.fromEntries(blame.lines.map(({ text, agent }) => [text, agent]));
      expect(agents).toMatchObject({ two: 'ada-agent', ten: 'bob-agent', 'line 1': null });
      const { data: log } = await session.log();
      expect(log.entries.map(({ op }) => op)).toEqual(['merge', 'str_replace']);
      await session.undo({ scope: 'trail' });
      expect(bob.read('a.txt')).toBe(LINES.replace('line 10', 'ten'));
      await session.redo({ scope: 'trail' });
      expect(bob.read('b.txt')).toBe('B\n');
      await session.revert(theirs);
      expect(bob.read('b.txt')).toBe('b\n');
      expect(bob.read('a.txt')).toContain('two');
    });
    expect(await faults(bob)).toEqual([]);
    await expect(merge(bob, peer)).rejects.toMatchObject({ code: 'NO_CHANGE' });
    // And back: ada takes what bob did, with her own edits in it.
    const back = (await push(bob)).data.clone!;
    await fetching(ada);
    await merge(ada, back);
    expect(ada.read('a.txt')).toBe(bob.read('a.txt'));
    expect(await faults(ada)).toEqual([]);
  });

  it('begins a trail where there is none, and lands', async () => {
    const all = shared(FILES);
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    await merge(all.bob, peer.split('/')[0]!);
    expect(await faults(all.bob)).toEqual([]);
    await using(all.bob, one => one.land({ message: 'as ada wants it' }));
    expect(all.bob.git('log', '-1', '--format=%B')).toMatch(/^Assisted-by: ada-agent\nVedit-Session: /m);
    expect(all.bob.git('show', 'HEAD:a.txt')).toBe(LINES.replace('line 2', 'two').trimEnd());
    expect(await faults(all.bob)).toEqual([]);
  });

  it('keeps unsaved work in the same file, recorded first', async () => {
    const all = shared(FILES);
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    all.bob.write('a.txt', LINES.replace('line 9', 'what bob types'));
    const { data } = await merge(all.bob, peer);
    expect(data.outside?.paths).toEqual(['a.txt']);
    expect(all.bob.read('a.txt')).toBe(LINES.replace('line 9', 'what bob types').replace('line 2', 'two'));
    expect(await faults(all.bob)).toEqual([]);
    all.bob.write('b.txt', 'bob\n');
    await handed(all, ['b.txt', 'b', 'ada']);
    const conflict = { code: 'CONFLICT', data: { paths: ['b.txt'] } };
    await expect(merge(all.bob, peer)).rejects.toMatchObject(conflict);
    expect(all.bob.read('b.txt')).toBe('bob\n');
  });

  it('names both sides of a conflict, writes nothing, and lets a person decide', async () => {
    const all = shared(FILES);
    const { bob } = all;
    await edit(bob, 'a.txt', 'line 2\n', 'zwei\n', 'bob-agent');
    const peer = await handed(all, ['a.txt', 'line 2\n', 'two\n'], ['b.txt', 'b', 'B']);
    const tip = bob.git('rev-parse', 'refs/vedit/main');
    const failed = await merge(bob, peer).catch(error => error);
    expect(failed).toMatchObject({
      code: 'CONFLICT',
      data: {
        conflicts: [
          {
            path: 'a.txt',
            regions: [{ start_line: 2, end_line: 2, present: 'zwei\n', wanted: 'two\n' }],
            mine: [{ agent: 'bob-agent' }],
            theirs: [{ agent: 'ada-agent' }],
          },
        ],
      },
    });
    for (const words of ['bob-agent', 'ada-agent', 'keep: "mine" or keep: "theirs"', 'Nothing was merged'])
      expect(failed.message).toContain(words);
    expect(bob.git('rev-parse', 'refs/vedit/main')).toBe(tip);
    expect(bob.read('b.txt')).toBe('b\n');
    await expect(merge(bob, peer, { keep: 'mine', paths: ['b.txt'] })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await merge(bob, peer, { keep: 'mine' });
    expect(bob.read('a.txt')).toContain('zwei');
    expect(bob.read('b.txt')).toBe('B\n');
    expect(await faults(bob)).toEqual([]);
    await using(bob, one => one.session().undo({ scope: 'trail' }));
    expect(bob.read('b.txt')).toBe('b\n');
  });

  it('takes theirs where that is decided, and keeps mine in history', async () => {
    const all = shared(FILES);
    await edit(all.bob, 'a.txt', 'line 2\n', 'zwei\n', 'bob-agent');
    const peer = await handed(all, ['a.txt', 'line 2\n', 'two\n']);
    const { data } = await merge(all.bob, peer, { keep: 'theirs', paths: ['a.txt'] });
    expect(all.bob.read('a.txt')).toContain('two');
    expect(all.bob.git('log', '-1', '--format=%(trailers:key=Vedit-Keeps,valueonly)', data.commit!)).toBe(
      'theirs a.txt\n',
    );
    expect(await faults(all.bob)).toEqual([]);
  });

  it('takes some edits, without saying that all of the trail is here', async () => {
    const all = shared(FILES);
    const peer = await handed(
      all,
      ['a.txt', 'line 2', 'two'],
      ['a.txt', 'line 5', 'five'],
      ['a.txt', 'line 8', 'eight'],
    );
    const { data } = await merge(all.bob, peer, { edits: '~1' });
    expect(all.bob.read('a.txt')).toBe(LINES.replace('line 5', 'five'));
    expect(all.bob.git('log', '-1', '--format=%P', data.commit!).split(' ')).toHaveLength(1);
    await merge(all.bob, peer, { edits: '~1..@' });
    expect(all.bob.read('a.txt')).toBe(LINES.replace('line 5', 'five').replace('line 8', 'eight'));
    const { data: blame } = await using(all.bob, one =>
      one.session().blame({ path: 'a.txt', viewRange: [5, 5] }),
    );
    expect(blame.lines).toMatchObject([{ text: 'five', agent: 'ada-agent' }]);
    await merge(all.bob, peer);
    expect(all.bob.read('a.txt')).toContain('two');
    expect(await faults(all.bob)).toEqual([]);
    for (const edits of ['@..~1', '0000000', 'nonsense..@'])
      await expect(merge(all.bob, peer, { edits })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('merges criss-cross histories', async () => {
    const all = shared(FILES);
    const { ada, bob } = all;
    await edit(bob, 'a.txt', 'line 10', 'ten', 'bob-agent');
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    const back = (await push(bob)).data.clone!;
    await fetching(ada);
    // Both merge the same two tips, each on their own.
    await merge(bob, peer);
    await merge(ada, back);
    await edit(bob, 'a.txt', 'line 12', 'twelve', 'bob-agent');
    await handed(all, ['a.txt', 'line 6', 'six']);
    await merge(bob, peer);
    for (const text of ['two', 'six', 'ten', 'twelve']) expect(bob.read('a.txt')).toContain(text);
    expect(await faults(bob)).toEqual([]);
  });
});

describe('a peer on another HEAD', () => {
  /** Ada commits on main; `pushed`: the server has it. */
  function commit(ada: Place, path: string, text: string, pushed: boolean): void {
    ada.write(path, text);
    ada.git('add', '-A');
    ada.git('commit', '-qm', `ada: ${path}`);
    if (pushed) ada.git('push', '-q', 'origin', 'main');
  }

  it('that was never pushed: STALE, and the peer has to push; pushed: pull, and it merges', async () => {
    const all = shared(FILES);
    commit(all.ada, 'c.txt', 'c\n', false);
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    const stale = {
      code: 'STALE',
      data: { paths: ['c.txt'], branch: null },
      message: expect.stringContaining('to push'),
    };
    await expect(merge(all.bob, peer)).rejects.toMatchObject(stale);
    expect(all.bob.git('for-each-ref', 'refs/vedit')).toBe('');
    all.ada.git('push', '-q', 'origin', 'main');
    all.bob.git('fetch', '-q');
    const pull = {
      code: 'STALE',
      data: { branch: 'origin/main' },
      message: expect.stringContaining('git pull'),
    };
    await expect(merge(all.bob, peer)).rejects.toMatchObject(pull);
    all.bob.git('merge', '-q', '--ff-only', 'origin/main');
    await merge(all.bob, peer);
    expect(all.bob.read('a.txt')).toContain('two');
    expect(all.bob.git('status', '--porcelain')).toBe(' M a.txt');
    expect(await faults(all.bob)).toEqual([]);
  });

  it('that is older than ours merges', async () => {
    const all = shared(FILES);
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    commit(all.bob, 'd.txt', 'd\n', false);
    all.bob.write('a.txt', LINES.replace('line 11', 'eleven'));
    all.bob.git('commit', '-qam', 'bob goes on');
    await merge(all.bob, peer);
    expect(all.bob.read('a.txt')).toBe(LINES.replace('line 11', 'eleven').replace('line 2', 'two'));
    expect(await faults(all.bob)).toEqual([]);
  });

  it.each(['squash', 'rebase'])('whose text came by a %s merge is told by content', async how => {
    const all = shared(FILES);
    all.ada.git('checkout', '-q', '-b', 'topic');
    all.ada.git('config', 'vedit.trail', 'main');
    all.ada.write('a.txt', LINES.replace('line 4', 'four'));
    all.ada.git('commit', '-qam', 'ada: four');
    all.ada.write('a.txt', LINES.replace('line 4', 'four').replace('line 7', 'seven'));
    all.ada.git('commit', '-qam', 'ada: seven');
    const peer = await handed(all, ['a.txt', 'four', 'FOUR']);
    await expect(merge(all.bob, peer)).rejects.toMatchObject({ code: 'STALE' });
    all.bob.write('e.txt', 'e\n');
    all.bob.git('add', '-A');
    all.bob.git('commit', '-qm', 'bob first');
    all.bob.git('fetch', '-q', `${all.ada.dir}`, 'topic');
    if (how === 'squash') {
      all.bob.git('merge', '-q', '--squash', 'FETCH_HEAD');
      all.bob.git('commit', '-qm', 'squashed');
    } else all.bob.git('cherry-pick', 'FETCH_HEAD~1', 'FETCH_HEAD');
    await merge(all.bob, peer);
    expect(all.bob.read('a.txt')).toBe(LINES.replace('line 4', 'FOUR').replace('line 7', 'seven'));
    expect(await faults(all.bob)).toEqual([]);
  });
});

describe('a peer that is not here', () => {
  it('is refused by name, with those that are', async () => {
    const all = shared(FILES);
    await expect(merge(all.bob, 'eve-12345678/main')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('vedit fetch'),
    });
    const peer = await handed(all, ['a.txt', 'line 2', 'two']);
    await expect(merge(all.bob, 'eve-12345678/main')).rejects.toMatchObject({
      message: expect.stringContaining(peer),
    });
  });
});

describe('a landed commit that came by the branch', () => {
  it('leads blame on into the trail of whoever made it', async () => {
    const all = shared(FILES);
    await edit(all.ada, 'a.txt', 'line 2', 'two', 'ada-agent');
    await using(all.ada, one => one.land({ message: 'landed', git }));
    all.ada.git('push', '-q', 'origin', 'main');
    all.bob.git('pull', '-q');
    const blamed = async () =>
      (await using(all.bob, one => one.session().blame({ path: 'a.txt', viewRange: [2, 2] }))) as never as {
        message: string;
        data: { lines: unknown[]; fetch_may_know?: boolean };
      };
    const before = await blamed();
    expect(before.data.lines).toMatchObject([{ text: 'two', agent: null }]);
    expect(before.data.fetch_may_know).toBe(true);
    expect(before.message).toContain('vedit fetch');
    await push(all.ada);
    await fetching(all.bob);
    const after = await blamed();
    expect(after.data.lines).toMatchObject([{ text: 'two', agent: 'ada-agent', reason: 'line 2 to two' }]);
    expect(after.data.fetch_may_know).toBeUndefined();
  });
});

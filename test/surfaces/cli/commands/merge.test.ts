/** A merge with conflicts, finished in the files as git does it. */

import { describe, expect, it } from 'vitest';
import { edit, type Shared, shared, using } from '../../../helpers/clones.ts';
import type { Place } from '../../../helpers/person-repo.ts';
import { hasPython, onTerminal } from '../../../helpers/pty.ts';
import { vedit } from '../../../helpers/vedit.ts';

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

const onPty = hasPython || process.env.CI ? it : it.skip;

/** Ada and bob changed the same line of a.txt; ada changed b.txt too, and bob typed in a.txt. Answers her trail. */
async function apart(all: Shared): Promise<string> {
  const { ada, bob } = all;
  await edit(ada, 'a.txt', 'line 2\n', 'two\n', 'ada-agent');
  await edit(ada, 'b.txt', 'b', 'B', 'ada-agent');
  await edit(bob, 'a.txt', 'line 2\n', 'zwei\n', 'bob-agent');
  bob.write('a.txt', bob.read('a.txt').replace('line 9', 'typed'));
  expect((await vedit(ada, ['push', '--with-outside', '--with-unpushed-commits'])).code).toBe(0);
  const { out } = await vedit(bob, ['fetch']);
  return /^fetched: (\S+)/.exec(out)![1]!;
}

const begun = async (): Promise<{ bob: Place; peer: string; tip: string; all: Shared }> => {
  const all = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
  const peer = await apart(all);
  const tip = all.bob.git('rev-parse', 'refs/vedit/main');
  const { code, err } = await vedit(all.bob, ['merge', peer, '--conflict', 'merge']);
  expect([code, err]).toEqual([3, expect.stringContaining('Conflict markers are in a.txt.\n')]);
  return { bob: all.bob, peer, tip, all };
};

const MARKED = '<<<<<<< ours\nzwei\n=======\ntwo\n>>>>>>> theirs\n';

describe('vedit merge by hand', () => {
  it('writes markers, refuses while they are there, and records what the person made of them', async () => {
    const { bob, peer, tip } = await begun();
    expect(bob.read('a.txt')).toBe(LINES.replace('line 2\n', MARKED).replace('line 9', 'typed'));
    expect(bob.read('b.txt')).toBe('b\n');
    expect(bob.git('diff', '--stat', `${tip}..refs/vedit/main`)).toContain('a.txt | 2 +-');
    expect((await vedit(bob, ['status'])).out).toMatch(/^A merge of \S+ is under way in a\.txt\. Finish it/);
    const early = await vedit(bob, ['merge', '--continue']);
    expect([early.code, early.err]).toEqual([3, expect.stringContaining('left: a.txt line 2')]);
    const again = await vedit(bob, ['merge', peer]);
    expect([again.code, again.err]).toEqual([3, expect.stringContaining('vedit merge --abort')]);
    bob.write('a.txt', bob.read('a.txt').replace(MARKED, 'zwei, two\n'));
    expect((await vedit(bob, ['merge', '--continue'])).code).toBe(0);
    expect(bob.read('b.txt')).toBe('B\n');
    const trailers = ['log', '-1', '--format=%P%n%(trailers:key=Vedit-Keeps,valueonly)', 'refs/vedit/main'];
    expect(bob.git(...trailers)).toMatch(/^\w{40} \w{40}\nresolved a\.txt\n$/);
    expect((await using(bob, one => one.verify())).data.faults).toEqual([]);
    expect((await vedit(bob, ['merge', '--continue'])).err).toContain('No merge is under way');
    await using(bob, one => one.session().undo({ scope: 'trail' }));
    expect(bob.read('a.txt')).toBe(LINES.replace('line 2', 'zwei').replace('line 9', 'typed'));
  });

  it('merges what was shown, though the peer went on', async () => {
    const { bob, all } = await begun();
    await edit(all.ada, 'a.txt', 'two\n', 'TWO\n', 'ada-agent');
    await vedit(all.ada, ['push', '--with-outside', '--with-unpushed-commits']);
    await vedit(bob, ['fetch']);
    bob.write('a.txt', bob.read('a.txt').replace(MARKED, 'zwei, two\n'));
    expect((await vedit(bob, ['merge', '--continue'])).code).toBe(0);
    expect(bob.read('a.txt')).toContain('zwei, two\n');
    expect((await using(bob, one => one.verify())).data.faults).toEqual([]);
  });

  it('is taken back byte for byte, and keeps what was typed', async () => {
    const { bob } = await begun();
    bob.write('a.txt', bob.read('a.txt').replace(MARKED, 'half done\n'));
    const { code, err } = await vedit(bob, ['merge', '--abort']);
    expect(code).toBe(0);
    const [, blob] = /Your text of a\.txt is kept: git cat-file -p (\w{40})\n/.exec(err) ?? [];
    expect(bob.git('cat-file', '-p', blob!)).toContain('half done\n');
    expect(bob.read('a.txt')).toBe(LINES.replace('line 2', 'zwei').replace('line 9', 'typed'));
    expect((await vedit(bob, ['merge', '--abort'])).code).toBe(1);
  });

  it('leaves a file alone that was edited since', async () => {
    const { bob } = await begun();
    await edit(bob, 'a.txt', 'line 5', 'five', 'bob-agent');
    const { err } = await vedit(bob, ['merge', '--abort']);
    expect(err).toContain('a.txt was edited since the merge began, and stays as it is.');
    expect(bob.read('a.txt')).toContain(MARKED);
  });

  it('runs the merge tool of git, and merges where it succeeds', async () => {
    const all = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const peer = await apart(all);
    const { bob } = all;
    bob.git('config', 'merge.tool', 'both');
    bob.git('config', 'mergetool.keepBackup', 'false');
    bob.git('config', 'mergetool.both.trustExitCode', 'true');
    bob.git(
      'config',
      'mergetool.both.cmd',
      'git merge-file -p --union "$LOCAL" "$BASE" "$REMOTE" > "$MERGED"',
    );
    expect((await vedit(bob, ['merge', peer, '--tool'])).code).toBe(0);
    expect(bob.read('a.txt')).toBe(LINES.replace('line 2', 'zwei\ntwo').replace('line 9', 'typed'));
    expect((await using(bob, one => one.verify())).data.faults).toEqual([]);
    expect(bob.git('status', '--short')).toBe(' M a.txt\n M b.txt');
  });

  it('is refused as before for programs, and says what does not go together', async () => {
    const all = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const peer = await apart(all);
    expect((await vedit(all.bob, ['merge', peer])).code).toBe(3);
    expect(all.bob.read('a.txt')).not.toContain('<<<<<<<');
    for (const args of [
      ['--continue', '--abort'],
      ['x', '--abort'],
      [peer, '--edits', '@', '--tool'],
    ])
      expect((await vedit(all.bob, ['merge', ...args])).code).toBe(2);
  });

  onPty('writes markers for a person at a terminal', async () => {
    const all = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const peer = await apart(all);
    all.bob.git('config', 'merge.conflictStyle', 'diff3');
    const { code, out } = onTerminal(all.bob, ['merge', peer], []);
    expect([code, out]).toEqual([3, expect.stringContaining('then vedit merge --continue')]);
    expect(all.bob.read('a.txt')).toContain('||||||| base\nline 2\n=======\n');
  });
});

/** A merge that is not what it says is found, whoever made it. */

import { describe, expect, it } from 'vitest';
import { edit, git, shared, using } from '../helpers/clones.ts';
import type { Place } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

/** Bob has merged ada's trail; both had edits, and one line in conflict that was kept. */
async function merged(): Promise<{ bob: Place; tip: string; theirs: string }> {
  const { ada, bob } = shared({ 'a.txt': LINES, 'b.txt': 'b\n', 'c.txt': 'c\n' });
  await edit(ada, 'a.txt', 'line 2', 'two', 'ada-agent');
  await edit(ada, 'b.txt', 'b', 'ADA', 'ada-agent');
  const { clone } = (await using(ada, one => one.push({ git }))).data;
  await edit(bob, 'a.txt', 'line 8', 'eight', 'bob-agent');
  await edit(bob, 'b.txt', 'b', 'BOB', 'bob-agent');
  await using(bob, one => one.fetch({ git }));
  await using(bob, one => one.merge({ peer: clone!, keep: 'mine', paths: ['b.txt'] }));
  return {
    bob,
    tip: bob.git('rev-parse', 'refs/vedit/main'),
    theirs: ada.git('rev-parse', 'refs/vedit/main'),
  };
}

const faults = async (bob: Place): Promise<string[]> =>
  (await using(bob, one => one.verify())).data.faults.map(({ kind }) => kind);

/** The newest commit made anew, with another tree, parents or message, by whom the old one names. */
function forge(
  bob: Place,
  tip: string,
  change: { files?: Record<string, string>; parents?: string[]; message?: (text: string) => string },
): void {
  let tree = bob.git('rev-parse', `${tip}^{tree}`);
  for (const [path, text] of Object.entries(change.files ?? {})) {
    const blob = bob.pipe(text, 'hash-object', '-w', '--stdin').toString().trim();
    const lines = bob
      .git('ls-tree', tree)
      .split('\n')
      .map(line => (line.endsWith(`\t${path}`) ? `100644 blob ${blob}\t${path}` : line));
    tree = bob
      .pipe(`${lines.join('\n')}\n`, 'mktree')
      .toString()
      .trim();
  }
  const raw = bob.git('cat-file', 'commit', tip);
  const [head, ...body] = raw.split('\n\n');
  const parents = change.parents ?? [...head!.matchAll(/^parent (.*)$/gm)].map(([, oid]) => oid!);
  const people = head!.split('\n').filter(line => /^(author|committer) /.test(line));
  const message = (change.message ?? (text => text))(body.join('\n\n'));
  const content = [`tree ${tree}`, ...parents.map(oid => `parent ${oid}`), ...people, '', message].join('\n');
  const oid = bob.pipe(`${content}\n`, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim();
  bob.git('update-ref', 'refs/vedit/main', oid);
}

describe('verify', () => {
  it('finds a merge sound that is forged as it was', async () => {
    const { bob, tip } = await merged();
    forge(bob, tip, {});
    expect(await faults(bob)).toEqual([]);
  });

  it('finds a merge sound right above a rejection, of text that would have stood against it', async () => {
    const { ada, bob } = shared({ 'a.txt': LINES });
    await edit(ada, 'a.txt', 'line 2', 'two', 'ada-agent');
    const { clone } = (await using(ada, one => one.push({ git }))).data;
    await edit(bob, 'a.txt', 'line 2', 'zwei', 'bob-agent');
    await using(bob, one => one.reject({ path: 'a.txt' }));
    await using(bob, one => one.fetch({ git }));
    await using(bob, one => one.merge({ peer: clone! }));
    expect(bob.read('a.txt')).toBe(LINES.replace('line 2', 'two'));
    expect(await faults(bob)).toEqual([]);
  });

  it.each<
    readonly [
      string,
      readonly string[],
      (at: { tip: string; theirs: string; bob: Place }) => Parameters<typeof forge>[2],
    ]
  >([
    ['drops a line of the peer', ['paths'], () => ({ files: { 'a.txt': LINES.replace('line 8', 'eight') } })],
    [
      'drops a line of its own side',
      ['merge'],
      () => ({ files: { 'a.txt': LINES.replace('line 2', 'two') } }),
    ],
    [
      'adds what neither side has',
      ['merge'],
      () => ({ files: { 'a.txt': LINES.replace('line 2', 'two').replace('line 8', 'eight, and more') } }),
    ],
    ['changes a file that neither side touched', ['paths'], () => ({ files: { 'c.txt': 'slipped in\n' } })],
    ['takes theirs where it says mine', ['paths'], () => ({ files: { 'b.txt': 'ADA\n' } })],
    [
      'does not say who decided a conflict',
      ['merge'],
      () => ({ message: text => text.replace(/^Vedit-Keeps: .*\n?/m, '') }),
    ],
    [
      'says that a person resolved what merges by itself',
      ['merge'],
      () => ({
        files: { 'a.txt': LINES },
        message: text => text.replace(/^Vedit-Keeps: .*$/m, '$&\nVedit-Keeps: resolved a.txt'),
      }),
    ],
    [
      'says that it merged what is not behind it',
      ['link'],
      ({ bob, tip }) => ({ parents: [bob.git('rev-parse', `${tip}^1`)] }),
    ],
    [
      'has another trail behind it than it says',
      ['link'],
      ({ bob, tip }) => ({ parents: [bob.git('rev-parse', `${tip}^1`), bob.git('rev-parse', 'main')] }),
    ],
    [
      'names a trail that is not here',
      ['link', 'unreadable'],
      () => ({ message: text => text.replace(/^(Vedit-Merges: ).*$/m, `$1${'1'.repeat(40)}`) }),
    ],
  ])('finds a merge that %s', async (_, kinds, change) => {
    const { bob, tip, theirs } = await merged();
    forge(bob, tip, change({ bob, tip, theirs }));
    const found = await faults(bob);
    expect(found).toEqual(kinds);
  });
});

import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { commitsBetween } from '../../src/git/between.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { repository, type Sandbox } from './real-git.ts';

/** A history of merges with clocks that go wrong: each commit has one to three parents among those before it. */
function history(repo: Sandbox, count: number, seed: number): string[] {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const tree = repo.pipe('', 'mktree').toString().trim();
  const commits: string[] = [];
  for (let n = 0; n < count; n++) {
    const parents = new Set(n === 0 ? [] : [commits[n - 1 - draw(Math.min(n, 4))]!]);
    while (n > 0 && draw(3) === 0) parents.add(commits[draw(n)]!);
    const time = 1_700_000_000 + n * 10 - (draw(8) === 0 ? 200 : 0);
    const who = `A <a@b.invalid> ${time} +0000`;
    const lines = [
      `tree ${tree}`,
      ...[...parents].map(one => `parent ${one}`),
      `author ${who}`,
      `committer ${who}`,
    ];
    const text = `${lines.join('\n')}\n\ncommit ${n}\n`;
    commits.push(repo.pipe(text, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim());
  }
  return commits;
}

describe('commitsBetween', () => {
  it.each([1, 2, 3])('finds what git rev-list finds: history %i', async seed => {
    const repo = repository();
    const commits = history(repo, 40, seed);
    const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
    for (let n = 0; n < 40; n++) {
      const [from, exclude] = [commits[(n * 7) % 40]!, commits[(n * 11 + 3) % 40]!];
      const found = [...(await commitsBetween(objects, from, exclude)).keys()].sort();
      const expected = repo.git('rev-list', from, `^${exclude}`).split('\n').filter(Boolean).sort();
      expect(found).toEqual(expected);
    }
    const all = await commitsBetween(objects, commits[39]!, null);
    expect(all.size).toBe(Number(repo.git('rev-list', '--count', commits[39]!)));
  });

  it('is empty where nothing is missing, and where there is no such commit', async () => {
    const repo = repository();
    for (let n = 0; n < 3; n++) repo.git('commit', '-q', '--allow-empty', '-m', String(n));
    const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
    const head = repo.git('rev-parse', 'HEAD');
    expect((await commitsBetween(objects, head, head)).size).toBe(0);
    expect([...(await commitsBetween(objects, head, repo.git('rev-parse', 'HEAD~1'))).keys()]).toEqual([
      head,
    ]);
    expect((await commitsBetween(objects, '1'.repeat(40), head)).size).toBe(0);
  });
});

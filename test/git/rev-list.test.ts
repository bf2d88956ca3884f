import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { type ObjectDatabase, openObjects } from '../../src/git/objects/object-database.ts';
import { ancestors, firstParents, isAncestor, revList } from '../../src/git/rev-list.ts';
import { repository, type Sandbox, succeeds } from '../helpers/real-git.ts';
import { history } from './merge-histories.ts';

function open(repo: Sandbox): ObjectDatabase {
  return openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: repo.path('.git/objects') });
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

/** Asks everything of a history, and expects what git answers. */
async function expectAsGit(
  repo: Sandbox,
  objects: ObjectDatabase,
  commits: readonly string[],
): Promise<void> {
  const { length } = commits;
  for (let n = 0; n < 40; n++) {
    const [from, exclude] = [commits[(n * 7) % length]!, commits[(n * 11 + 3) % length]!];
    const found = [...(await revList(objects, from, exclude))].sort();
    expect(found).toEqual(lines(repo.git('rev-list', from, `^${exclude}`)).sort());
    const isBelow = succeeds(repo, 'merge-base', '--is-ancestor', exclude, from);
    expect(await isAncestor(objects, exclude, from)).toBe(isBelow);
    expect(await isAncestor(objects, from, exclude)).toBe(
      succeeds(repo, 'merge-base', '--is-ancestor', from, exclude),
    );
  }
  const last = commits.at(-1)!;
  expect((await revList(objects, last, null)).size).toBe(Number(repo.git('rev-list', '--count', last)));
  const line: string[] = [];
  for await (const { oid } of firstParents(objects, last)) line.push(oid);
  expect(line).toEqual(lines(repo.git('rev-list', '--first-parent', last)));
  const walked = await idsOf(ancestors(objects, [last, commits[5]!]));
  expect(walked).toEqual(lines(repo.git('rev-list', last, commits[5]!)));
}

async function idsOf(walk: AsyncIterable<{ oid: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { oid } of walk) found.push(oid);
  return found;
}

describe('walks of history', () => {
  it.each([1, 2, 3])('find what git finds: history %i', async seed => {
    const repo = repository();
    const commits = history(repo, 40, seed);
    await expectAsGit(repo, open(repo), commits);
  });

  it('find what git finds in a long history', async () => {
    const repo = repository();
    const commits = history(repo, 1500, 11);
    const old = commits.slice(0, 60);
    const objects = open(repo);
    for (let n = 0; n < 12; n++) {
      const [from, exclude] = [commits[1499 - n * 3]!, old[(n * 7) % 60]!];
      const found = [...(await revList(objects, from, exclude))].sort();
      expect(found.length).toBeGreaterThan(600);
      expect(found).toEqual(lines(repo.git('rev-list', from, `^${exclude}`)).sort());
      for (const [one, other] of [
        [exclude, from],
        [from, exclude],
        [old[n]!, exclude],
      ] as const)
        expect(await isAncestor(objects, one, other)).toBe(
          succeeds(repo, 'merge-base', '--is-ancestor', one, other),
        );
    }
  });

  it('find what is there where a clock was decades off, before and after', async () => {
    const repo = repository();
    const years = (n: number): number => (n % 40 === 20 ? 10 : n % 40 === 30 ? 60 : 50);
    const commit = (n: number): string =>
      `commit refs/heads/main\ncommitter A <a@b.invalid> ${years(n) * 31_536_000 + n} +0000\ndata 0\n`;
    repo.pipe(Array.from({ length: 200 }, (_, n) => commit(n)).join(''), 'fast-import', '--quiet');
    const commits = lines(repo.git('rev-list', '--topo-order', 'main'));
    const objects = open(repo);
    for (const [newer, older] of [
      [0, 199],
      [10, 11],
      [19, 100],
      [99, 100],
      [29, 69],
    ] as const) {
      const [from, exclude] = [commits[newer]!, commits[older]!];
      expect([...(await revList(objects, from, exclude))].sort()).toEqual(
        commits.slice(newer, older).toSorted(),
      );
      expect(await revList(objects, exclude, from)).toEqual(new Set());
      expect(await isAncestor(objects, exclude, from)).toBe(true);
      expect(await isAncestor(objects, from, exclude)).toBe(false);
    }
  });

  it('are empty where nothing is missing, and where there is no such commit', async () => {
    const repo = repository();
    for (let n = 0; n < 3; n++) repo.git('commit', '-q', '--allow-empty', '-m', String(n));
    const objects = open(repo);
    const [head, below, missing] = [
      repo.git('rev-parse', 'HEAD'),
      repo.git('rev-parse', 'HEAD~1'),
      '1'.repeat(40),
    ];
    expect((await revList(objects, head, head)).size).toBe(0);
    expect([...(await revList(objects, head, below))]).toEqual([head]);
    expect((await revList(objects, missing, head)).size).toBe(0);
    expect(await isAncestor(objects, missing, head)).toBe(false);
    expect(await idsOf(ancestors(objects, [missing]))).toEqual([]);
    expect((await firstParents(objects, missing).next()).done).toBe(true);
  });

  it('end at a stop, and lenient ones where a commit cannot be read', async () => {
    const repo = repository();
    for (let n = 0; n < 4; n++) repo.git('commit', '-q', '--allow-empty', '-m', String(n));
    const [head, one, two, last] = lines(repo.git('rev-list', 'HEAD')) as [string, string, string, string];
    expect(await idsOf(ancestors(open(repo), [head], { stop: one }))).toEqual([head, one]);
    chmodSync(repo.path(`.git/objects/${two.slice(0, 2)}/${two.slice(2)}`), 0o644);
    writeFileSync(repo.path(`.git/objects/${two.slice(0, 2)}/${two.slice(2)}`), 'damaged');
    expect(await idsOf(ancestors(open(repo), [head], { lenient: true }))).toEqual([head, one]);
    await expect(revList(open(repo), head, last)).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
